package change

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
)

// contentsName is the folder of a draft with copies of what lies in its layer, which is mounted.
const contentsName = "contents"

// draftContents are what lay in the layer of a draft at the last look, with copies of contents, for
// commands that change them again. What was in it when the run began is in the copy that KeepRun made.
type draftContents struct {
	objects *Objects
	base    *base
	// kept is what KeepRun copied; nil for nothing.
	kept *os.Root
}

// StartRecording begins to record what commands of a run change in the draft, which is about to be
// mounted (SPEC PRE-06).
func (d *Draft) StartRecording(run string) error {
	at := filepath.Join(d.Dir, contentsName)
	err := overlay.RemoveAll(at) // of a process that was killed
	c := &draftContents{objects: OpenObjects(at)}
	if err == nil {
		c.base, err = newBase(c.objects)
	}
	if err == nil {
		c.kept, err = os.OpenRoot(filepath.Join(d.Dir, runsName, run))
		if errors.Is(err, fs.ErrNotExist) {
			c.kept, err = nil, nil
		}
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep what commands change in the draft: %w", err), c.close())
	}
	d.contents = c
	return nil
}

func (c *draftContents) close() error {
	if c == nil {
		return nil
	}
	var err error
	if c.base != nil {
		err = c.base.close()
	}
	if c.kept != nil {
		err = errors.Join(err, c.kept.Close())
	}
	return errors.Join(err, c.objects.Close())
}

// take copies the contents that are new.
func (c *draftContents) take(ctx context.Context, upper *os.Root, found []draftDifference) error {
	different := make([]difference, 0, len(found))
	for _, f := range found {
		d := difference{path: leftover.Path(f.path), before: c.base.entries[leftover.Path(f.path)]}
		if f.there && !f.is.gone {
			d.after = f.is.State
		}
		different = append(different, d)
	}
	if err := c.base.update(ctx, upper, different); err != nil {
		return err
	}
	for _, d := range different {
		if entry := c.base.entries[d.path]; entry != nil {
			maps.DeleteFunc(entry.State.Attributes, func(name string, _ []byte) bool { return overlay.IsOwn(name) })
		}
	}
	return nil
}

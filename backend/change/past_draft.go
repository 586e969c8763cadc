package change

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
)

// BeginDraftAt begins a draft of another conversation, whose recorder fork is, in which the folder is
// as it was when a run began, as far as what this conversation has changed since tells, and what was in
// its draft then, if it still has that. ignored reports whether git ignores a path. The caller closes
// the draft.
func (r *Recorder) BeginDraftAt(
	ctx context.Context, fork *Recorder, run string, at time.Time, ignored func(local string) bool,
) (d *Draft, past *Past, err error) {
	if err := r.begin(ctx); err != nil {
		return nil, nil, err
	}
	defer r.changing.Unlock()
	if d, err = fork.OpenDraft(); err != nil { // first: what changes from now on is somebody else's
		return nil, nil, err
	}
	if past, err = r.lookBackTo(ctx, at, ignored); err == nil {
		err = r.fillDraft(ctx, d, past, run)
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("begin a draft as the folder was: %w", err), fork.RemoveDraft(ctx, d))
	}
	return d, past, nil
}

// fillDraft writes what the folder held to a draft in which nothing is changed yet.
func (r *Recorder) fillDraft(ctx context.Context, d *Draft, past *Past, run string) error {
	lower, err := newTree(r.top()...)
	if err != nil {
		return err
	}
	defer lower.close()
	upper, err := newTree(Opened{d.Upper, "."})
	if err != nil {
		return err
	}
	defer upper.close()
	f := &filling{
		Recorder: r, ctx: ctx, lower: lower, upper: upper, past: past,
		needed: map[leftover.Path]bool{}, hidden: map[leftover.Path]bool{}, folders: map[leftover.Path]State{},
	}
	if err := f.fill(); err != nil {
		return err
	}
	if err := d.known.keepOverwritten(past); err != nil {
		return err
	}
	own, err := r.FindDraft()
	if own != nil {
		past.HasDraft, err = d.addKept(own, run)
		err = errors.Join(err, own.Close())
	}
	if err != nil {
		return err
	}
	past.sortMissing()
	return errors.Join(d.SetPast(past), d.Note(), d.Sync())
}

// SetPast keeps what the draft began with.
func (d *Draft) SetPast(past *Past) error {
	text, err := json.Marshal(past)
	if err == nil {
		err = os.WriteFile(filepath.Join(d.Dir, pastName), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep what the draft begins with: %w", err)
	}
	return nil
}

// pastName is the file in the folder of a draft that says what it began with.
const pastName = "past"

// ReadPast returns what the draft in a folder began with, where that was not the folder as it was then; nil
// for others.
func ReadPast(dir string) (*Past, error) {
	text, err := os.ReadFile(filepath.Join(dir, pastName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	past := &Past{}
	if err == nil {
		err = json.Unmarshal(text, past)
	}
	if err != nil {
		return nil, fmt.Errorf("read what the draft began with: %w", err)
	}
	return past, nil
}

// keepOverwritten has what others have changed since that time be in the way of what the draft holds.
func (t *touched) keepOverwritten(past *Past) error {
	var lines []touchedLine
	for _, local := range slices.Sorted(maps.Keys(past.overwritten)) {
		line := touchedLine{Path: local, Since: past.At.UnixNano(), There: true}
		if text := past.overwritten[local]; text != nil {
			line.Text = t.keep(text)
		}
		lines = append(lines, line)
	}
	return t.note(lines)
}

// filling is a layer that is being filled.
type filling struct {
	*Recorder
	ctx          context.Context //nolint:containedctx // it lasts as long as the filling
	lower, upper *tree
	past         *Past
	// needed are the folders of what is to be there, and hidden those that go as a whole.
	needed, hidden map[leftover.Path]bool
	// folders are those that were made, with what they are to be.
	folders map[leftover.Path]State
}

func (f *filling) fill() error {
	order := slices.SortedFunc(maps.Keys(f.past.cells), comparePaths)
	for local, cell := range f.past.cells {
		if cell.Kind != None {
			for dir := path.Dir(string(local)); dir != "."; dir = path.Dir(dir) {
				f.needed[leftover.Path(dir)] = true
			}
		}
	}
	for _, local := range order {
		if err := f.put(local, f.past.cells[local]); err != nil {
			return fmt.Errorf("%s: %w", local, err)
		}
		if err := f.ctx.Err(); err != nil {
			return err
		}
	}
	for local, modified := range f.past.times {
		is, err := f.lower.lookFolder(string(local))
		if err == nil && is.Kind == Folder && is.Modified != modified && !f.hidden[local] && !f.isHidden(local) {
			err = f.makeFolder(local)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", local, err)
		}
	}
	return f.finishFolders()
}

// put has a path of the layer be what it was.
func (f *filling) put(local leftover.Path, was pastCell) error {
	below, err := f.lower.look(string(local))
	if err != nil {
		return err
	}
	replaces := below.Kind == Folder && was.Kind != Folder
	switch {
	case was.Kind == None && (below.Kind == None || f.needed[local] || f.isHidden(local)):
		return nil
	case replaces && !f.goes(local):
		if was.Kind != None {
			f.past.Missing = append(f.past.Missing, Missing{local, AbsentOthers})
		}
		return nil // somebody else has something in it
	case was.Kind == Folder:
		return f.makeFolder(local)
	case was.content.from == local && was.Kind == below.Kind && below.sameRest(was.State):
		return nil
	}
	if err := f.makeFolder(leftover.Path(path.Dir(string(local)))); err != nil {
		return err
	}
	at, err := f.upper.spotOf(string(local))
	if err != nil {
		return err
	}
	f.hidden[local] = replaces
	switch was.Kind {
	case None:
		return overlay.Whiteout(at.handle, at.name)
	case Link:
		err = at.dir.Symlink(string(was.Target), at.name)
	default:
		if err = f.putContent(at, was.content); err == nil {
			was.Attributes, err = markCopied(at, was.Attributes)
		}
	}
	if err == nil {
		err = at.makeLike(was.State)
	}
	return err
}

// markCopied has a file be one that was copied from the folder, so that it is covered where it holds
// keys, and returns the attributes that it is to have then.
func markCopied(at spot, attributes map[string][]byte) (map[string][]byte, error) {
	if err := overlay.MarkCopied(at.handle, at.name); err != nil {
		return nil, err
	}
	all := maps.Clone(attributes)
	now, err := readAttributes(at)
	for name, value := range now {
		if overlay.IsOwn(name) {
			if all == nil {
				all = map[string][]byte{}
			}
			all[name] = value
		}
	}
	return all, err
}

// putContent makes a file with a content.
func (f *filling) putContent(at spot, content pastContent) error {
	if content.text != nil {
		return at.dir.WriteFile(at.name, content.text, 0o600)
	}
	from := f.Objects.spot(content.object)
	if content.object == "" {
		var err error
		if from, err = f.lower.spotOf(string(content.from)); err != nil {
			return err
		}
	}
	seen, err := lookAt(from.dir, from.name)
	if err != nil {
		return err
	}
	return copyFile(at, from, seen)
}

// isHidden reports whether a folder that a path lies in goes as a whole.
func (f *filling) isHidden(local leftover.Path) bool {
	for dir := path.Dir(string(local)); dir != "."; dir = path.Dir(dir) {
		if f.hidden[leftover.Path(dir)] {
			return true
		}
	}
	return false
}

// goes reports whether all that is in a folder was not there.
func (f *filling) goes(local leftover.Path) bool {
	names, err := f.lower.names(string(local))
	if err != nil {
		return false
	}
	for _, name := range names {
		below := leftover.Path(path.Join(string(local), name))
		was, changed := f.past.cells[below]
		if !changed || was.Kind != None {
			return false
		}
		if state, err := f.lower.glance(string(below)); err != nil || state.Kind == Folder && !f.goes(below) {
			return false
		}
	}
	return true
}

// makeFolder makes a folder of the layer, with those that it lies in.
func (f *filling) makeFolder(local leftover.Path) error {
	if _, made := f.folders[local]; made {
		return nil
	}
	if local == "." {
		top, err := f.lower.lookFolder(".")
		f.folders["."] = top
		return err
	}
	if err := f.makeFolder(leftover.Path(path.Dir(string(local)))); err != nil {
		return err
	}
	at, err := f.upper.spotOf(string(local))
	if err != nil {
		return err
	}
	if err := at.dir.Mkdir(at.name, 0o700); err != nil {
		return err
	}
	if was, changed := f.past.cells[local]; changed && was.Kind == Folder {
		f.folders[local] = was.State
		return nil
	}
	is, err := f.lower.look(string(local))
	if err == nil && is.Kind != Folder {
		if is.Kind != None {
			f.past.overwritten[local] = nil // somebody else has put it in its place
		}
		is, err = at.look()
		is.Mode = 0o755
	}
	f.folders[local] = is
	return err
}

// finishFolders gives the folders that were made what belongs to them.
func (f *filling) finishFolders() error {
	for _, local := range slices.Backward(slices.SortedFunc(maps.Keys(f.folders), comparePaths)) {
		state := f.folders[local]
		if modified, ok := f.past.times[local]; ok {
			state.Modified = modified
		}
		at, err := f.upper.spotOf(string(local))
		if err == nil && local == "." {
			err = setTime(at, state.Modified)
		} else if err == nil {
			err = at.setRest(state)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", local, err)
		}
	}
	return nil
}

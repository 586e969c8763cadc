package change

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
)

// Layer is what a command wrote that worked on a copy of the folder.
type Layer = overlay.Layer

// layerNote is what is known of a layer beside what lies in it.
type layerNote struct {
	Run  string `json:"run"`
	Call string `json:"call"`
}

// NewLayer makes an empty layer for the command of a call, which is to work on a copy of the
// folder. The caller ends it with SetAside or RemoveLayer. It is the one that NextLayer has made
// ahead, if there is one.
func (r *Recorder) NewLayer(call string) (*Layer, error) {
	r.mu.Lock()
	layer, note := r.spare, layerNote{Run: r.run, Call: call}
	r.spare = nil
	r.mu.Unlock()
	if layer == nil {
		var err error
		if layer, err = r.makeLayer(); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(note)
	if err == nil {
		err = layer.Begin(r.Root, text)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("begin a copy of the folder: %w", err), r.RemoveLayer(layer))
	}
	return layer, nil
}

// NextLayer returns the folder of the layer that the next call of NewLayer has, empty where it
// cannot be made: then that call says why.
func (r *Recorder) NextLayer() string {
	r.mu.Lock()
	spare := r.spare
	r.mu.Unlock()
	if spare != nil {
		return spare.Dir
	}
	spare, err := r.makeLayer()
	if err != nil {
		return ""
	}
	fit := spare.Fit(r.Root) // it is mounted before its command begins
	r.mu.Lock()
	defer r.mu.Unlock()
	if fit != nil || r.spare != nil || r.ended.Err() != nil {
		_ = spare.Remove() // it is empty
		delete(r.layers, filepath.Base(spare.Dir))
		return ""
	}
	r.spare = spare
	return spare.Dir
}

func (r *Recorder) makeLayer() (*Layer, error) {
	layer, err := overlay.New(filepath.Join(r.Objects.copies(), r.NewID()))
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.layers == nil {
		r.layers = map[string]bool{}
	}
	r.layers[filepath.Base(layer.Dir)] = true
	return layer, nil
}

// SetAside keeps what a command has changed in a layer, to be decided about later.
func (r *Recorder) SetAside(layer *Layer) error {
	r.mu.Lock()
	delete(r.layers, filepath.Base(layer.Dir))
	r.mu.Unlock()
	return layer.Settle()
}

// RemoveLayer deletes a layer, when what it has is applied, or dropped: a little later, or with
// Close, so that nobody waits for it.
func (r *Recorder) RemoveLayer(layer *Layer) error {
	if err := layer.Close(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.layers == nil {
		r.layers = map[string]bool{}
	}
	r.layers[filepath.Base(layer.Dir)] = true // nobody is to look at it any more
	r.removed = append(r.removed, layer)
	wait := removeWait
	if len(r.removed) >= maxRemoved {
		wait = 0
	}
	if r.removing == nil {
		r.removing = time.AfterFunc(wait, r.removeLayers)
	} else {
		r.removing.Reset(wait)
	}
	return nil
}

const (
	// removeWait is how long no layer was removed before those that were are deleted: the next
	// command does not share the file system with that, and some file systems are slow to make
	// files right after others were deleted.
	removeWait = time.Second
	// maxRemoved is how many wait for that at most.
	maxRemoved = 256
)

// removeLayers deletes the layers that were removed.
func (r *Recorder) removeLayers() {
	r.sweeping.Lock()
	defer r.sweeping.Unlock()
	r.mu.Lock()
	removed := r.removed
	r.removed = nil
	r.mu.Unlock()
	for _, layer := range removed {
		if err := layer.Remove(); err != nil {
			r.Log.Warn("delete the copy of a folder", "error", err)
		}
		r.mu.Lock()
		delete(r.layers, filepath.Base(layer.Dir))
		r.mu.Unlock()
	}
}

// Aside is what a command has changed and was set aside, or left by a process that ended.
type Aside struct {
	*Pending
	// ID names it, RunID is the run and CallID the call.
	ID, RunID, CallID string
}

// Aside returns what is set aside, the oldest first. The caller closes each layer. Nothing is
// deleted: where another process works on the conversation, its layers are among them. What
// cannot be read is left out, and stays.
func (r *Recorder) Aside(ctx context.Context) (all []Aside, err error) {
	ids, err := r.unusedLayers()
	for _, id := range ids {
		one, openErr := r.openAside(ctx, id)
		switch {
		case errors.Is(openErr, fs.ErrNotExist): // it is being made, or goes
		case openErr != nil:
			r.Log.Warn("read what was set aside", "error", openErr)
		case len(one.Changes) == 0:
			err = errors.Join(err, one.Layer.Close())
		default:
			all = append(all, one)
		}
	}
	return all, err
}

// unusedLayers lists the layers that this process does not use.
func (r *Recorder) unusedLayers() ([]string, error) {
	entries, err := os.ReadDir(r.Objects.copies())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list what is set aside: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var ids []string
	for _, e := range entries {
		if !r.layers[e.Name()] {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}

// openAside opens one.
func (r *Recorder) openAside(ctx context.Context, id string) (Aside, error) {
	dir := filepath.Join(r.Objects.copies(), id)
	note := layerNote{}
	text, err := overlay.Note(dir)
	if err != nil {
		return Aside{}, err
	}
	if err := json.Unmarshal(text, &note); err != nil {
		return Aside{}, fmt.Errorf("read whose copy it is: %w", err)
	}
	layer, err := overlay.Open(dir)
	if err != nil {
		return Aside{}, err
	}
	pending, err := r.ReadLayer(ctx, layer)
	if err != nil {
		return Aside{}, errors.Join(err, layer.Close())
	}
	return Aside{Pending: pending, ID: id, RunID: note.Run, CallID: note.Call}, nil
}

// dropEmptyLayers deletes layers that another process left and in which nothing was changed.
func (r *Recorder) dropEmptyLayers(ctx context.Context) error {
	ids, err := r.unusedLayers()
	for _, id := range ids {
		one, openErr := r.openAside(ctx, id)
		switch {
		case errors.Is(openErr, fs.ErrNotExist):
			err = errors.Join(err, overlay.RemoveAll(filepath.Join(r.Objects.copies(), id)))
		case openErr != nil:
			r.Log.Warn("read what was set aside", "error", openErr) // it stays
		case len(one.Changes) == 0:
			err = errors.Join(err, r.RemoveLayer(one.Layer))
		default:
			err = errors.Join(err, r.SetAside(one.Layer))
		}
	}
	return err
}

// Foreign returns a path in the folder that belongs to another user or group than this one,
// and one of a subvolume of btrfs; empty for none. Who has mounted an overlay cannot copy what
// belongs to others, and takes a subvolume for a part of the folder, which it is not where
// something is moved into it or out of it.
func (r *Recorder) Foreign(ctx context.Context) (owned, subvolume leftover.Path, err error) {
	own, isSubvolume := ownIDs(), subvolumes(r.Path)
	err = r.Each(ctx, func(local leftover.Path, s State) {
		if !own(s) && (owned == "" || local < owned) {
			owned = local
		}
		if local != "." && isSubvolume(s) && (subvolume == "" || local < subvolume) {
			subvolume = local
		}
	})
	return owned, subvolume, err
}

// ownIDs returns what reports whether something belongs to this user and group.
func ownIDs() func(State) bool {
	user, group := uint32(os.Getuid()), uint32(os.Getgid()) //nolint:gosec // numbers of users are small
	return func(s State) bool { return s.Owner == user && s.Group == group }
}

// ApplyAside makes chosen changes of what is set aside, as ApplyLayer does, and keeps the others
// set aside. The layer is closed, or gone where nothing is left in it.
func (r *Recorder) ApplyAside(ctx context.Context, a Aside, chosen func(index int) bool) (*Set, error) {
	set := r.newSet(a.CallID, ByCommand)
	set.RunID = a.RunID
	made, err := r.applyLayer(ctx, set, a.Pending, chosen)
	left, readErr := r.ReadLayer(ctx, a.Layer)
	if readErr == nil && len(left.Changes) == 0 {
		return made, errors.Join(err, r.RemoveLayer(a.Layer))
	}
	return made, errors.Join(err, readErr, a.Layer.Close())
}

// Each calls visit with each path in the folder and what lies there, one at a time and in no
// order, without sums and attributes.
func (r *Recorder) Each(ctx context.Context, visit func(local leftover.Path, s State)) error {
	var mu sync.Mutex
	_, err := lookThrough(ctx, r.Root, func(prefix string, found []Entry) {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range found {
			visit(leftover.Path(prefix)+e.Path, e.State)
		}
	})
	return err
}

package change

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairlead/backend/sandbox/overlay"
)

// Draft is a copy of the folder in which whole runs work, and which lasts until it is decided
// about (SPEC PRE-06). What they changed lies in a layer that is mounted anew for each run: by
// the commands of one process at a time. It is not safe for concurrent use.
type Draft struct {
	DraftNote
	// Dir is the folder of its layer, and Upper is what was written.
	Dir   string
	Upper *os.Root

	layer *Layer
	known *touched
	// folder is what it is a copy of.
	folder []Opened
	// seen is what was in the layer at the last look, by path, nil before the first, and seenBefore at
	// the one before that.
	seen, seenBefore map[string]draftEntry
	// contents are what commands are recorded with; nil where they are not.
	contents *draftContents
}

// DraftNote is what is known of a draft without a look at what is in it.
type DraftNote struct {
	// ID names it, SessionID is its conversation and RunID the last run that used it; empty until the first
	// one where it began with the conversation.
	ID        string    `json:"id"`
	SessionID string    `json:"sessionId"`
	RunID     string    `json:"runId"`
	Began     time.Time `json:"began"`
	// Dropped is when it was dropped, and can be taken back; zero for one that is open.
	Dropped time.Time `json:"-"`
}

// droppedSuffix ends the name of the folder of a draft that was dropped, and droppedLasts is how
// long it stays. goneSuffix ends that of one that is being deleted.
const (
	droppedSuffix = ".dropped"
	goneSuffix    = ".gone"
	droppedLasts  = 30 * 24 * time.Hour
)

// OpenDraft opens the draft of the conversation, or begins one. The caller closes it.
func (r *Recorder) OpenDraft() (*Draft, error) {
	d, err := r.FindDraft()
	if d != nil && r.Run() != "" && d.RunID != r.Run() {
		if err = d.nameRun(r.Run()); err != nil {
			return nil, err
		}
	}
	if d != nil || err != nil {
		return d, err
	}
	r.mu.Lock()
	note := DraftNote{ID: r.NewID(), SessionID: r.SessionID, RunID: r.run, Began: now()}
	r.mu.Unlock()
	dir := filepath.Join(r.Drafts, note.ID)
	layer, err := overlay.New(dir)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(note)
	if err == nil {
		err = layer.Begin(r.Root, text)
	}
	if err == nil {
		d = &Draft{DraftNote: note, Dir: dir, Upper: layer.Upper, layer: layer, folder: r.top()}
		d.known, err = openTouched(dir, layer.Since)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("begin a draft: %w", err), layer.Remove())
	}
	return d, nil
}

// nameRun notes the run that uses a draft: what is applied then counts as a change of that run, and is
// undone with it.
func (d *Draft) nameRun(id string) error {
	d.RunID = id
	text, err := json.Marshal(d.DraftNote)
	if err == nil {
		err = overlay.SetNote(d.Dir, text)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("note the run of the draft: %w", err), d.Close())
	}
	return nil
}

// FindDraft opens the draft of the conversation; nil where it has none. The caller closes it.
func (r *Recorder) FindDraft() (*Draft, error) {
	notes, err := ListDraftsOf(r.Drafts)
	if err != nil {
		return nil, err
	}
	for _, note := range notes {
		if note.Dropped.IsZero() {
			return r.openDraft(filepath.Join(r.Drafts, note.ID), note)
		}
	}
	return nil, nil
}

func (r *Recorder) openDraft(dir string, note DraftNote) (*Draft, error) {
	layer, err := overlay.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open the draft: %w", err)
	}
	known, err := openTouched(dir, layer.Since)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the draft: %w", err), layer.Close())
	}
	return &Draft{DraftNote: note, Dir: dir, Upper: layer.Upper, layer: layer, known: known, folder: r.top()}, nil
}

// Close lets go of the draft.
func (d *Draft) Close() error {
	return errors.Join(d.contents.close(), d.known.close(), d.layer.Close())
}

// Note notes what was changed in the draft by now: what others change in the folder at these
// paths from now on is a collision, and what they change elsewhere is seen in the draft once it
// is mounted again.
func (d *Draft) Note() error {
	_, err := d.look()
	return err
}

// Sync makes what is in the draft survive a power cut, with all that lies on its file system, such as
// the conversation.
func (d *Draft) Sync() error {
	upper, err := d.Upper.Open(".")
	if err != nil {
		return fmt.Errorf("sync the draft: %w", err)
	}
	return errors.Join(syncAll(upper), upper.Close())
}

// look is Note, and returns what is in the layer.
func (d *Draft) look() (map[string]draftEntry, error) {
	found := map[string]draftEntry{}
	folder, err := newTree(d.folder...)
	if err != nil {
		return nil, fmt.Errorf("note what is in the draft: %w", err)
	}
	defer folder.close()
	since, err := d.layer.Stamp()
	if err == nil {
		err = d.known.add(d.Upper, folder, since, func(name string, info fs.FileInfo) {
			found[name] = draftEntry{State: stateOf(info), gone: overlay.IsWhiteout(info)}
		})
	}
	if err == nil {
		err = d.complete(found)
	}
	if err != nil {
		return nil, fmt.Errorf("note what is in the draft: %w", err)
	}
	return found, nil
}

// complete finds where the links of the layer lead, and which of its folders hide what the folder has at
// their paths.
func (d *Draft) complete(found map[string]draftEntry) error {
	upper, err := newTree(Opened{d.Upper, "."})
	if err != nil {
		return err
	}
	defer upper.close()
	for name, entry := range found {
		if entry.Kind != Folder && entry.Kind != Link {
			continue
		}
		if was, known := d.seen[name]; known && entry.isUntouched(was.State) {
			entry.opaque, entry.Target = was.opaque, was.Target
		} else if now, err := upper.look(name); err == nil {
			entry.opaque, entry.Target = overlay.IsOpaque(now.Attributes), now.Target
		}
		found[name] = entry
	}
	return nil
}

// ReadDraft returns what is changed in a draft, compared with the folder as it is now. What is to be
// applied is read while nobody has the draft mounted.
func (r *Recorder) ReadDraft(ctx context.Context, d *Draft) (*Pending, error) {
	if err := d.Note(); err != nil {
		return nil, err
	}
	p, err := r.readLayer(ctx, d.layer, baseline{d.known.sinceOf, d.known.leftOf, d.known.wasThere, d.known.textOf, d.known.sumOf})
	if err != nil {
		return nil, err
	}
	p.draft = d
	return p, nil
}

// ApplyDraft makes chosen changes of a draft in the folder, by their index, as one set, and keeps
// the others in the draft, which are what it returns. Where nothing is left in that, it is deleted.
func (r *Recorder) ApplyDraft(ctx context.Context, d *Draft, p *Pending, chosen func(index int) bool) (set *Set, left *Pending, err error) {
	set = r.newSet("", ByCommand)
	set.RunID = d.RunID
	set, err = r.applyLayer(ctx, set, p, chosen)
	left, readErr := r.ReadDraft(ctx, d)
	if err = errors.Join(err, readErr); err != nil || len(left.Changes) > 0 {
		return set, left, err
	}
	return set, left, r.RemoveDraft(ctx, d)
}

// RemoveDraft deletes a draft in which nothing is changed, and lets go of what is kept of its sets. Nobody may
// have it mounted.
func (r *Recorder) RemoveDraft(ctx context.Context, d *Draft) error {
	gone := d.Dir + goneSuffix
	if err := errors.Join(d.Close(), os.Rename(d.Dir, gone)); err != nil {
		return fmt.Errorf("delete the draft: %w", err)
	}
	// It is none any more, also where this is cut off.
	sets, err := r.Journal.Sets(ctx, r.SessionID)
	for _, set := range sets {
		if set.Draft == d.ID {
			_, freeErr := Free(ctx, r.Journal, r.Objects, set)
			err = errors.Join(err, freeErr)
		}
	}
	if err = errors.Join(err, overlay.RemoveAll(gone)); err != nil {
		return fmt.Errorf("delete the draft: %w", err)
	}
	return nil
}

// DropDraft closes a draft, which nobody may have mounted, and keeps it for a while to be taken
// back.
func (r *Recorder) DropDraft(d *Draft) error {
	if err := errors.Join(d.known.close(), d.layer.Settle()); err != nil {
		return err
	}
	if err := os.Rename(d.Dir, d.Dir+droppedSuffix); err != nil {
		return fmt.Errorf("drop the draft: %w", err)
	}
	return os.Chtimes(d.Dir+droppedSuffix, time.Time{}, now())
}

// RestoreDraft takes a draft back that was dropped, unless the conversation has another one.
func (r *Recorder) RestoreDraft(id string) error {
	notes, err := ListDraftsOf(r.Drafts)
	if err != nil {
		return err
	}
	for _, note := range notes {
		if note.Dropped.IsZero() {
			return errors.New("the conversation has another draft")
		}
	}
	dir := filepath.Join(r.Drafts, filepath.Base(id))
	if err := os.Rename(dir+droppedSuffix, dir); err != nil {
		return fmt.Errorf("take the draft back: %w", err)
	}
	return nil
}

// ListDrafts lists the drafts of all conversations whose folders lie in dir, each by the id of
// its conversation, the oldest first.
func ListDrafts(dir string) ([]DraftNote, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list drafts: %w", err)
	}
	var all []DraftNote
	for _, e := range entries {
		notes, err := ListDraftsOf(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, notes...)
	}
	slices.SortStableFunc(all, func(a, b DraftNote) int { return a.Began.Compare(b.Began) })
	return all, nil
}

// OpenDraftOf returns the id of the draft that is open among those of one conversation; empty for none.
func OpenDraftOf(dir string) (string, error) {
	notes, err := ListDraftsOf(dir)
	for _, note := range notes {
		if note.Dropped.IsZero() {
			return note.ID, err
		}
	}
	return "", err
}

// RemoveDrafts deletes all drafts of one conversation.
func RemoveDrafts(dir string) error {
	if err := overlay.RemoveAll(dir); err != nil {
		return fmt.Errorf("delete drafts: %w", err)
	}
	return nil
}

// SweepDrafts deletes drafts of all conversations: those that were dropped long ago, or at all where
// the disk has little space left; those that began before a time of conversations that are not
// there, in which nothing was done; and what is left of deleted ones.
func SweepDrafts(dir string, before time.Time, exists func(sessionID string) bool) error {
	left, err := filepath.Glob(filepath.Join(dir, "*", "*"+goneSuffix))
	for _, path := range left {
		err = errors.Join(err, overlay.RemoveAll(path))
	}
	all, listErr := ListDrafts(dir)
	err = errors.Join(err, listErr)
	tight := IsTight(dir)
	for _, note := range all {
		switch {
		case !note.Dropped.IsZero() && (tight || now().Sub(note.Dropped) > droppedLasts):
			err = errors.Join(err, overlay.RemoveAll(filepath.Join(dir, note.SessionID, note.ID+droppedSuffix)))
		case note.Began.Before(before) && !exists(note.SessionID):
			err = errors.Join(err, overlay.RemoveAll(filepath.Join(dir, note.SessionID)))
		}
	}
	return err
}

// ListDraftsOf lists the drafts of one conversation, the oldest first. What is being made, or goes,
// is none.
func ListDraftsOf(dir string) ([]DraftNote, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list drafts: %w", err)
	}
	var notes []DraftNote
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		text, err := overlay.Note(at)
		note := DraftNote{}
		if err != nil || json.Unmarshal(text, &note) != nil || note.ID != strings.TrimSuffix(e.Name(), droppedSuffix) {
			continue
		}
		if path.Ext(e.Name()) == droppedSuffix {
			info, err := e.Info()
			if err != nil {
				continue
			}
			note.Dropped = info.ModTime()
		}
		notes = append(notes, note)
	}
	return notes, nil
}

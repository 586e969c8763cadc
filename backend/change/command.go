package change

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"time"

	"fairlead/backend/leftover"
)

// Command is one that runs in the folder. What changes meanwhile is found by looking at the
// folder before and after (SPEC CHG-03, CHG-09).
type Command struct {
	recorder *Recorder
	call     string
	run      string
	// behind reports whether it runs in the background.
	behind bool
}

// lookLasts is how long before a command a look may have begun that serves for it.
const lookLasts = 100 * time.Millisecond

// refresh brings the base up to date. The caller holds the lock.
func (r *Recorder) refresh(ctx context.Context) error {
	if r.base != nil && time.Since(r.base.current) < lookLasts {
		return nil
	}
	began := time.Now()
	found, err := r.lookAgain(ctx)
	if err == nil {
		err = r.base.update(ctx, r.Root, found)
	}
	if err == nil {
		r.base.current = began
	}
	return err
}

// lookAgain returns what has changed since the last look.
func (r *Recorder) lookAgain(ctx context.Context) ([]difference, error) {
	if r.base == nil {
		b, err := newBase(r.Objects)
		if err != nil {
			return nil, err
		}
		r.base = b
	}
	return r.base.compare(ctx, r.Root)
}

// BeginCommand looks at the folder before a command. End is to be called when that has ended,
// or could not be started. The error is why what it changes cannot be taken back.
func (r *Recorder) BeginCommand(ctx context.Context, call string) (*Command, error) {
	r.changing.Lock()
	defer r.changing.Unlock()
	var err error
	switch {
	case slices.ContainsFunc(r.running, func(c *Command) bool { return !c.behind }):
		// Commands that overlap share a set: what changed up to now is in it too.
	case len(r.running) > 0:
		_, err = r.attribute(ctx)
	default:
		err = r.refresh(ctx)
	}
	if err != nil {
		return nil, err
	}
	// A look serves for one command: what others change before the next is not of that one.
	r.base.current = time.Time{}
	if err := r.base.save(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	c := &Command{recorder: r, call: call, run: r.run}
	r.mu.Unlock()
	r.running, r.overlapping = append(r.running, c), append(r.overlapping, call)
	return c, r.noteRunning()
}

// Background notes that the command goes on in the background: what changes in its time
// belongs to the commands in the foreground, as long as there are any.
func (c *Command) Background() {
	c.recorder.changing.Lock()
	defer c.recorder.changing.Unlock()
	c.behind = true
	c.recorder.closeGroup()
}

// closeGroup ends the set of commands that overlap, when the last one in the foreground has
// ended.
func (r *Recorder) closeGroup() {
	if !slices.ContainsFunc(r.running, func(c *Command) bool { return !c.behind }) {
		r.group, r.overlapping = nil, nil
	}
}

// End looks at the folder after the command, and returns what has changed since the last
// look; nil for nothing.
func (c *Command) End(ctx context.Context) (*Set, error) {
	r, ended := c.recorder, time.Now()
	r.changing.Lock()
	defer r.changing.Unlock()
	if !slices.Contains(r.running, c) {
		return nil, nil
	}
	var found *Set
	var err error
	if ended.After(r.attributed) { // another one has not looked since
		found, err = r.attribute(context.WithoutCancel(ctx))
	}
	r.running = slices.DeleteFunc(r.running, func(o *Command) bool { return o == c })
	r.closeGroup()
	if err == nil && len(r.running) > 0 {
		err = r.base.save()
	}
	return found, errors.Join(err, r.noteRunning())
}

// runningNote lists the commands that run, for the start after a crash.
type runningNote struct {
	Run   string   `json:"run"`
	Calls []string `json:"calls"`
}

// noteRunning writes down which commands run. After a power cut it may be lost, and then
// nobody is told of what they had changed.
func (r *Recorder) noteRunning() error {
	if len(r.running) == 0 {
		return r.Objects.drop(runningName)
	}
	note := runningNote{Run: r.running[0].run}
	for _, c := range r.running {
		note.Calls = append(note.Calls, c.call)
	}
	text, err := json.Marshal(note)
	if err != nil {
		return err
	}
	return r.Objects.write(runningName, text)
}

// attribute looks at the folder, and adds what has changed since the last look to the set of
// the commands that run. It returns what it added; nil for nothing.
func (r *Recorder) attribute(ctx context.Context) (_ *Set, err error) {
	began := time.Now()
	defer func() {
		if err == nil {
			r.attributed = began
		}
	}()
	found, err := r.lookAgain(ctx)
	if err != nil {
		return nil, err
	}
	before := r.base.unitSums(found)
	if err := r.base.update(ctx, r.Root, found); err != nil {
		return nil, err
	}
	set := r.setOfRunning()
	if r.base.touchesAgain(set.Changes, found) {
		// The same path once more: that is a set of its own, so that each is taken back in turn.
		r.group = nil
		set = r.setOfRunning()
	}
	added, err := r.base.changesOf(found, set.ID, len(set.Changes))
	if err != nil || len(added) == 0 {
		return nil, err
	}
	set.Changes = append(set.Changes, added...)
	set.Times = append(set.Times, r.base.timesOf(found, added)...)
	for _, unit := range before {
		unit.After = r.base.sumUnit(unit.Path)
		if at := slices.IndexFunc(set.Units, func(u Unit) bool { return u.Path == unit.Path }); at >= 0 {
			set.Units[at].After = unit.After
		} else {
			set.Units = append(set.Units, unit)
		}
	}
	if len(added) > syncEach {
		err = syncAll(r.Objects.handle)
	} else {
		err = r.syncKept(added)
	}
	if err == nil || errors.Is(err, errFar) {
		err = r.Journal.SaveSets(ctx, false, *set)
	}
	if err != nil {
		return nil, err
	}
	only := *set
	only.Changes = added
	return &only, nil
}

// setOfRunning is the set that what changes now belongs to.
func (r *Recorder) setOfRunning() *Set {
	if r.group != nil {
		r.group.Others = r.others(r.group.CallID)
		return r.group
	}
	owner := r.running[0]
	for _, c := range r.running {
		if !c.behind {
			owner = c
			break
		}
	}
	set := r.newSet(owner.call, ByCommand)
	set.RunID, set.Open, set.Others = owner.run, false, r.others(owner.call)
	if !owner.behind {
		r.group = set
	}
	return set
}

// others are the calls that overlap with one: those of the group, which may have ended, and
// those of the commands that run.
func (r *Recorder) others(call string) []string {
	var calls []string
	for _, other := range r.overlapping {
		if other != call {
			calls = append(calls, other)
		}
	}
	for _, c := range r.running {
		if c.call != call && !slices.Contains(calls, c.call) {
			calls = append(calls, c.call)
		}
	}
	return calls
}

// touchesAgain reports whether differences come to changes of paths that were changed before.
func (b *base) touchesAgain(before []Change, found []difference) bool {
	touched := map[leftover.Path]bool{}
	for _, c := range before {
		touched[c.Path] = true
	}
	return slices.ContainsFunc(found, func(d difference) bool {
		_, changed := b.changeOf(d)
		return changed && touched[d.path]
	})
}

// syncKept makes objects survive a power cut.
func (r *Recorder) syncKept(changes []Change) error {
	for _, c := range changes {
		if c.Kept == "" {
			continue
		}
		file, err := r.Objects.root.OpenFile(c.Kept, toSync, 0)
		if err != nil {
			continue // a link, which has no content
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return err
		}
	}
	return syncFolder(r.Objects.handle)
}

// timesOf are the times of the folders that changes lie in, and of those in which something
// came and went.
func (b *base) timesOf(found []difference, changes []Change) []FolderTime {
	before := map[leftover.Path]int64{}
	for _, d := range found {
		if d.before != nil && d.before.State.Kind == Folder {
			before[d.path] = d.before.State.Modified
		}
	}
	dirs := slices.Collect(maps.Keys(before))
	for _, c := range changes {
		dirs = append(dirs, leftover.Path(path.Dir(string(c.Path))))
	}
	slices.SortFunc(dirs, comparePaths)
	noted := map[leftover.Path]bool{}
	var times []FolderTime
	for _, dir := range dirs {
		now := b.entries[dir]
		if noted[dir] || now == nil || now.State.Kind != Folder {
			continue
		}
		noted[dir] = true
		was, changed := before[dir]
		if !changed {
			was = now.State.Modified
		}
		times = append(times, FolderTime{Path: dir, Before: was, After: now.State.Modified, Closed: closedMode(now.State)})
	}
	return times
}

// noteOwn tells the base of what a call has just changed itself, so that it is not taken for
// what a command did. The caller holds the lock.
func (r *Recorder) noteOwn(t *tree, set *Set) {
	if r.base == nil {
		return
	}
	r.base.current = time.Time{}
	if len(r.running) == 0 {
		return
	}
	var found []difference
	add := func(local leftover.Path, now State) {
		found = append(found, difference{path: local, before: r.base.entries[local], after: now})
	}
	for _, c := range set.Changes {
		if now, err := t.look(string(c.Path)); err == nil {
			add(c.Path, now)
		}
	}
	for _, folder := range set.Times {
		if now, err := t.lookFolder(string(folder.Path)); err == nil {
			add(folder.Path, now)
		}
	}
	if err := r.base.update(context.Background(), r.Root, found); err != nil {
		r.Log.Warn("keep what a command may change", "error", err)
	}
}

// recoverCommands records what commands changed that were running when another process ended.
func (r *Recorder) recoverCommands(ctx context.Context) error {
	if !r.Objects.exist() {
		return nil
	}
	if err := r.Objects.open(); err != nil {
		return err
	}
	defer func() {
		for _, name := range []string{packName, packName + ".old", indexName, indexName + ".new", runningName} {
			_ = r.Objects.drop(name)
		}
	}()
	file, err := r.Objects.root.Open(runningName)
	if err != nil {
		return nil //nolint:nilerr // none were running
	}
	text, err := io.ReadAll(file)
	_ = file.Close()
	var note runningNote
	if err != nil || json.Unmarshal(text, &note) != nil || len(note.Calls) == 0 {
		return nil //nolint:nilerr // it was cut off before a command began
	}
	if r.base, err = loadBase(r.Objects); err != nil {
		return fmt.Errorf("compare the folder with what commands found: %w", err)
	}
	for _, call := range note.Calls {
		r.running = append(r.running, &Command{recorder: r, call: call, run: note.Run})
	}
	_, err = r.attribute(ctx)
	r.running, r.group, r.overlapping = nil, nil, nil
	err = errors.Join(err, r.base.close())
	r.base = nil
	return err
}

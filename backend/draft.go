package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/leftover"
	"fairlead/backend/message"
	"fairlead/backend/sandbox"
	"fairlead/backend/session"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"
	"fairlead/backend/workspace"
)

// drafts are where the runs of a conversation work in the mode draft. They implement
// session.Drafts.
type drafts struct {
	conversation *Conversation
	// open makes the place for the commands of a draft, by its folder, and tools returns the
	// tools for the copy of the folder; draft records what commands change in that.
	open  func(dir string) (*sandbox.Space, error)
	tools func(folder *workspace.Folder, changes *change.Recorder, draft shell.DraftLook) []tool.Tool
	// sweep removes what a killed process left in a folder.
	sweep func(folder string) error

	mu sync.Mutex
	// mounted is the draft that runs work in; nil where none is mounted. entered is set while a
	// run does.
	mounted *mountedDraft
	entered bool
}

// mountedDraft is a draft that is mounted.
type mountedDraft struct {
	*change.Draft
	space *sandbox.Space
	// mount is the copy of the folder, and folder is that for file tools, whose changes are
	// recorded as the draft's.
	mount   *os.File
	folder  *workspace.Folder
	changes *change.Recorder
	tools   []tool.Tool
	// commands counts those that run: those that overlap are recorded as one.
	commands int
}

// Enter implements session.Drafts.
func (d *drafts) Enter(ctx context.Context, runID string) (event.DraftState, error) {
	if why := d.conversation.copying.reason(ctx); why != nil {
		return event.DraftState{}, noDraft(why)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.unmountIdle(); err != nil {
		return event.DraftState{}, err
	}
	d.conversation.changes.SetRun(runID)
	if d.mounted == nil {
		mounted, err := d.mountDraft(runID)
		if err != nil {
			return event.DraftState{}, fmt.Errorf("open the draft: %w", err)
		}
		d.mounted = mounted
	}
	d.mounted.changes.SetRun(runID)
	_, err := d.mounted.changes.RecordDraft(ctx, d.mounted.Draft, "")
	var state event.DraftState
	if err == nil {
		state, err = d.state(ctx)
	}
	if err != nil {
		return state, errors.Join(err, d.unmountIdle())
	}
	d.entered = true
	return state, nil
}

// noDraft refuses a draft of a folder of which there can be no copy.
func noDraft(why *message.NoCopy) error {
	return &message.Refusal{
		Code: message.InvalidState, Message: "there can be no draft of this folder: " + why.String() + "; choose another mode than draft",
	}
}

// mountDraft opens the draft of the conversation, or begins one, and mounts it for a run.
func (d *drafts) mountDraft(runID string) (_ *mountedDraft, err error) {
	m := &mountedDraft{}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.close())
		}
	}()
	if m.Draft, err = d.conversation.changes.OpenDraft(); err != nil {
		return nil, err
	}
	if err := m.KeepRun(runID); err != nil {
		d.conversation.changes.Log.Warn("a fork cannot begin with what is in the draft now", "run", runID, "error", err)
	}
	if err := m.StartRecording(runID); err != nil {
		return nil, err
	}
	root, err := m.mountLayer(d.conversation.changes.Options, d.open, d.sweep)
	if err != nil {
		return nil, err
	}
	m.folder = d.conversation.folder.OpenDraft(root, d.copies)
	m.folder.UseChanges(m.changes)
	for _, one := range d.tools(m.folder, m.changes, d.lookAtCommand) {
		m.tools = append(m.tools, draftTool{one})
	}
	return m, nil
}

// mountLayer mounts the draft, whose folder is changed by a recorder with options, and returns the copy
// of the folder.
func (m *mountedDraft) mountLayer(
	options change.Options, open func(dir string) (*sandbox.Space, error), sweep func(folder string) error,
) (root *os.Root, err error) {
	upper := filepath.Join(m.Dir, "upper")
	if err := sweep(upper); err != nil {
		return nil, err
	}
	if m.space, err = open(m.Dir); err != nil {
		return nil, err
	}
	if m.mount, err = m.space.OpenDraft(); err != nil {
		return nil, err
	}
	root, err = os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", m.mount.Fd())) //nolint:forbidigo // the draft is opened like a workspace
	if err != nil {
		return nil, err
	}
	options.Root, options.Path, options.Draft, options.Below = root, upper, m.ID, options.Root
	m.changes = change.NewRecorder(options)
	m.changes.Resume()
	return root, nil
}

// close unmounts a draft, and ends all that runs in it.
func (m *mountedDraft) close() error {
	var err error
	if m.changes != nil {
		err = m.changes.Close()
	}
	if m.folder != nil {
		err = errors.Join(err, m.folder.Close())
	}
	if m.mount != nil {
		err = errors.Join(err, m.mount.Close())
	}
	if m.space != nil {
		err = errors.Join(err, m.space.Close())
	}
	if m.Draft != nil {
		err = errors.Join(err, m.Close())
	}
	return err
}

// unmountIdle unmounts the draft unless a command runs in it. The caller holds the lock.
func (d *drafts) unmountIdle() error {
	if d.mounted == nil || d.mounted.space.Runs() {
		return nil
	}
	return d.unmount()
}

func (d *drafts) unmount() error {
	m := d.mounted
	d.mounted = nil
	if m == nil {
		return nil
	}
	return errors.Join(m.Note(), m.close())
}

// Leave implements session.Drafts. What runs in the background in the draft keeps it mounted.
func (d *drafts) Leave(ctx context.Context) (event.DraftState, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.entered = false
	if err := d.unmountIdle(); err != nil {
		return event.DraftState{}, err
	}
	if d.mounted != nil {
		// It survives a power cut, as where it is unmounted, by which the system syncs it.
		if err := d.mounted.Sync(); err != nil {
			return event.DraftState{}, err
		}
	}
	return d.state(ctx)
}

// Stop ends all that runs in the draft, and unmounts it, so that it can be decided about.
func (d *drafts) Stop() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.unmount()
}

// Changes implements session.Drafts.
func (d *drafts) Changes() *change.Recorder {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mounted == nil {
		return nil
	}
	return d.mounted.changes
}

// runs is Conversation.DraftRuns.
func (d *drafts) runs() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.mounted != nil && !d.entered && d.mounted.space.Runs()
}

// state sums up what is in the draft. One in which nothing is changed is none any more where
// nobody works in it. The caller holds the lock.
func (d *drafts) state(ctx context.Context) (event.DraftState, error) {
	if d.mounted != nil {
		return d.stateOf(ctx, d.mounted.Draft)
	}
	draft, err := d.conversation.changes.FindDraft()
	if draft == nil || err != nil {
		return event.DraftState{}, err
	}
	state, err := d.stateOf(ctx, draft)
	if err == nil && state.Counts.Paths == 0 {
		return state, d.conversation.changes.RemoveDraft(ctx, draft)
	}
	return state, errors.Join(err, draft.Close())
}

func (d *drafts) stateOf(ctx context.Context, draft *change.Draft) (event.DraftState, error) {
	pending, err := d.conversation.changes.ReadDraft(ctx, draft)
	if err != nil {
		return event.DraftState{}, err
	}
	return (&session.Draft{Draft: draft, Pending: pending}).State(), nil
}

// lookAtCommand is shell.Options.Draft. What had changed before the first of several commands at once is
// of none of them; what they change is of the one that ends next.
func (d *drafts) lookAtCommand(ctx context.Context, call string, ended bool) (*change.Set, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.mounted
	if m == nil {
		return nil, nil
	}
	if ended {
		m.commands--
		return m.changes.RecordDraft(ctx, m.Draft, call)
	}
	if m.commands++; m.commands > 1 {
		return nil, nil
	}
	return m.changes.RecordDraft(ctx, m.Draft, "")
}

// copies lists paths of the draft at which something lies that was copied from the folder, as far as
// they fit.
func (d *drafts) copies(fits func(local string) bool) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mounted == nil {
		return nil
	}
	return d.mounted.Copies(fits)
}

// spaceNow returns where commands run while a run works in the draft; nil while none does.
func (d *drafts) spaceNow() *sandbox.Space {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.entered || d.mounted == nil {
		return nil
	}
	return d.mounted.space
}

// folderNow returns the folder that the run works on.
func (d *drafts) folderNow() *workspace.Folder {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.entered || d.mounted == nil {
		return d.conversation.folder
	}
	return d.mounted.folder
}

// toolsNow returns the tools of a run in the draft; nil while there is none.
func (d *drafts) toolsNow() []tool.Tool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.entered || d.mounted == nil {
		return nil
	}
	return d.mounted.tools
}

// folderTools is the toolset of Fairlead's own tools: for a run in a draft those of the draft.
type folderTools struct {
	tool.Fixed
	drafts *drafts
}

// Tools implements tool.Toolset.
func (f folderTools) Tools(ctx context.Context) ([]tool.Tool, error) {
	if tools := f.drafts.toolsNow(); tools != nil {
		return tools, nil
	}
	return f.Fixed.Tools(ctx)
}

// draftTool is a tool whose calls work in a draft.
type draftTool struct{ tool.Tool }

// Prepare implements tool.Tool.
func (t draftTool) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	plan, err := t.Tool.Prepare(ctx, in)
	plan.Preview.Draft = plan.Preview.Effect == message.EffectFiles || plan.Preview.Effect == message.EffectCommand
	return plan, err
}

// Lives implements tool.Poller.
func (t draftTool) Lives(in tool.Input) bool {
	poller, ok := t.Tool.(tool.Poller)
	return !ok || poller.Lives(in)
}

// ReadDraft reads the draft of the conversation, in which a run may work; nil where it has none. The
// caller closes it.
func (c *Conversation) ReadDraft(ctx context.Context) (*session.Draft, error) {
	return session.ReadDraft(ctx, c.changes, c.folder.Held)
}

// DraftFolder returns the copy of the folder that a run of the conversation works on now; nil while
// none works in a draft. What is read of it when the run ends can fail.
func (c *Conversation) DraftFolder() *workspace.Folder {
	if folder := c.drafts.folderNow(); folder != c.folder {
		return folder
	}
	return nil
}

// DraftChanges returns what records the changes in the draft of the conversation while it is mounted; nil
// while it is not.
func (c *Conversation) DraftChanges() *change.Recorder { return c.drafts.Changes() }

// DraftRuns reports whether anything runs in the draft of the conversation while no run works there:
// it is ended before the draft is decided about.
func (c *Conversation) DraftRuns() bool { return c.drafts.runs() }

// sweepLeft removes what a killed process left in a folder for a while.
func (b *Backend) sweepLeft(folder string) error {
	return leftover.Sweep(leftoverFolder(b.Folders), folder)
}

package backend

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"fairlead/backend/approve"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/tokens"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/session"
	"fairlead/backend/settings"
	"fairlead/backend/store"
	"fairlead/backend/tool"
	"fairlead/backend/tool/file"
	"fairlead/backend/tool/search"
	"fairlead/backend/tool/shell"
	"fairlead/backend/tool/web"
	"fairlead/backend/workspace"
)

// Task is what a conversation is opened with.
type Task struct {
	// Folder is the workspace. A saved conversation knows its own.
	Folder string
	// Session is the saved conversation to go on with: an id, "last" for the one
	// that was last worked on (in Folder, if that is given), "" for a new one.
	Session string
	// Unsaved conversations are not put away. The guided tour never is.
	Unsaved bool
	// Endpoint is where the model is reached.
	Endpoint catalog.Endpoint
	Mode     session.Mode
	Limits   session.Limits
	// ToolTimeout is the time limit of every tool call; 0 leaves each tool its
	// own, and toolTimeout to those that have none.
	ToolTimeout time.Duration
	// AllowNetwork answers every question about the network with a yes.
	AllowNetwork bool
	// ProcessesChanged is told that the conversation's commands changed, from any
	// goroutine; nil where nobody wants to know.
	ProcessesChanged func(sessionID string)
	// AllowTools are the tools that may be called: nil all, empty none.
	AllowTools []string
	// Approve says what is asked about, Asker asks, GuardAsker asks for the guards,
	// and ConfirmTimeout is how long a question waits.
	Approve        approve.Mode
	Asker          approve.Asker
	GuardAsker     approve.GuardAsker
	ConfirmTimeout time.Duration
	// ContextWindow is how many tokens the model takes at once; 0 leaves it to what
	// was learnt of it.
	ContextWindow int
	// Instructions are the person's own, for every conversation.
	Instructions string
	// UseInstructions says whether the model is given the project instructions that
	// were found in a folder; nil never does.
	UseInstructions func(folder string, found workspace.Instructions) bool
	// Presets are values for parameters of tools that hold for every call, and Defaults
	// those that hold where the model gives none.
	Presets, Defaults settings.ToolValues
	// GroupsOff are the sets of tools that a new conversation begins without.
	GroupsOff []string
}

// toolTimeout is the time limit of a tool that names none.
const toolTimeout = 60 * time.Second

func (t Task) toolLimits() tool.Limits {
	if t.ToolTimeout == 0 {
		return tool.Limits{Default: toolTimeout}
	}
	return tool.Limits{Default: t.ToolTimeout, Binding: true}
}

// presets are the values for parameters of tools, as the tools take them.
func (t Task) presets() map[string]map[string]tool.Preset {
	all := map[string]map[string]tool.Preset{}
	for _, given := range []struct {
		values      settings.ToolValues
		overridable bool
	}{{t.Defaults, true}, {t.Presets, false}} { // what is fixed wins
		for name, parameters := range given.values {
			if all[name] == nil {
				all[name] = map[string]tool.Preset{}
			}
			for parameter, value := range parameters {
				all[name][parameter] = tool.Preset{Value: value, Overridable: given.overridable}
			}
		}
	}
	return all
}

// Conversation is an open conversation with what it holds.
type Conversation struct {
	*session.Session
	// Traffic counts the bytes of bodies sent to and received from the model.
	Traffic func() (up, down int64)

	// Jobs are its commands.
	Jobs *process.Jobs

	// looks keeps what was seen in the folder after its commands in the background, and
	// left is what of that nobody was told when it was closed.
	looks shell.Looks
	left  []message.Notice

	folder  *workspace.Folder
	outputs *workspace.Outputs
	// space is where its commands run.
	space *commandSpace
	// budgetUSD is how much money a run of it may cost; 0 is any.
	budgetUSD float64
	// windowGiven says that the person said how many tokens the model takes at once.
	windowGiven bool
	// saved is where it is put away, with its lock; nil where it is not.
	saved  *store.Store
	unlock func() error
}

// Begin opens a conversation. A workspace that cannot be one gives a
// *workspace.RefusedError, a saved conversation that is not there or in use
// elsewhere a *message.Refusal.
func (b *Backend) Begin(ctx context.Context, task Task) (c *Conversation, err error) {
	c = &Conversation{}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
			c = nil
		}
	}()
	saved := Saved{ID: newID()}
	kept := !task.Unsaved && task.Endpoint.Provider.Name != catalog.Demo
	switch {
	case !kept:
	case task.Session == "":
		// This takes as long as all that comes before a new conversation needs it.
		go func() { _, _ = b.opened(ctx) }()
	default:
		if saved, err = b.find(ctx, task); err != nil {
			return c, err
		}
		if err = b.take(ctx, c, saved.ID); err != nil {
			return c, err
		}
	}
	if saved.Workspace != "" {
		task.Folder = saved.Workspace
	}
	if c.folder, err = b.OpenFolder(task.Folder); err != nil {
		return c, err
	}
	c.folder.UseGit(askGit(c.folder.Path()))
	if c.outputs, err = workspace.OpenOutputs(filepath.Join(b.outputsFolder(), saved.ID)); err != nil {
		return c, err
	}
	b.prepareCommands(c, saved.ID, task)
	tools, err := b.tools(c, task)
	if err != nil {
		return c, err
	}
	if kept && task.Session == "" {
		if err = b.take(ctx, c, saved.ID); err != nil {
			return c, err
		}
	}
	c.Session, err = b.session(ctx, saved, c, task, tools)
	return c, err
}

// take takes the lock of a conversation that is kept.
func (b *Backend) take(ctx context.Context, c *Conversation, id string) error {
	s, err := b.opened(ctx)
	if err != nil {
		return err
	}
	c.unlock, err = s.Lock(id)
	if errors.Is(err, store.ErrLocked) {
		return inUse(id)
	}
	c.saved = s
	return err
}

// inUse is the refusal of a conversation that another process works on.
func inUse(id string) error {
	return &message.Refusal{
		Code: message.Busy, Elsewhere: true,
		Message: fmt.Sprintf("another Fairlead works on conversation %s; wait for it, or close it there", id),
	}
}

// find finds the saved conversation that a task names.
func (b *Backend) find(ctx context.Context, task Task) (Saved, error) {
	folder := ""
	if task.Folder != "" {
		opened, err := workspace.Open(task.Folder, b.own()...)
		if err != nil {
			return Saved{}, err
		}
		folder = opened.Path()
		if err := opened.Close(); err != nil {
			return Saved{}, err
		}
	}
	saved, err := b.Find(ctx, task.Session, folder)
	if err != nil {
		return Saved{}, err
	}
	if folder != "" && saved.Workspace != folder {
		return Saved{}, &message.Refusal{
			Code:    message.InvalidParams,
			Message: fmt.Sprintf("conversation %s works on %s, not on %s; leave out --workspace", saved.ID, saved.Workspace, folder),
		}
	}
	return saved, nil
}

// Workspace is the folder it works on.
func (c *Conversation) Workspace() string { return c.folder.Path() }

// UseModel has the conversation go on with another model, which reads what was
// said so far.
func (b *Backend) UseModel(c *Conversation, endpoint catalog.Endpoint) error {
	model, err := b.model(c, endpoint)
	if err == nil {
		c.UseModel(model)
	}
	return err
}

// NoticesOf returns what was seen in the folder after a command in the background that has
// ended.
func (c *Conversation) NoticesOf(processID string) []message.Notice { return c.looks.Of(processID) }

// Left returns, once the conversation is closed, what its commands in the background have
// left in the folder that no result told of. The next run of a saved conversation is told.
func (c *Conversation) Left() []message.Notice { return c.left }

// keepLeft notes what the commands that have ended now have left.
func (c *Conversation) keepLeft() error {
	if c.Session == nil {
		return nil
	}
	c.left = append(c.left, c.TakeNotices()...)
	if len(c.left) == 0 || c.saved == nil || !c.Begun() {
		return nil
	}
	return c.saved.SetNotices(context.Background(), c.ID, c.left)
}

// Close gives the workspace back. The full outputs of the calls are kept as long as
// the conversation is; of one that nobody can come back to they are deleted.
func (c *Conversation) Close() error {
	err := c.closeCommands()
	err = errors.Join(err, c.keepLeft())
	if c.folder != nil {
		err = errors.Join(err, c.folder.Close())
	}
	if c.outputs != nil {
		if c.saved != nil && c.Session != nil && c.Begun() {
			err = errors.Join(err, c.outputs.Close())
		} else {
			err = errors.Join(err, c.outputs.Remove())
		}
	}
	if c.unlock != nil {
		err = errors.Join(err, c.unlock())
	}
	return err
}

// tools are those that a conversation's model can call.
func (b *Backend) tools(c *Conversation, task Task) (*tool.Dispatcher, error) {
	web, err := b.webOptions(c)
	if err != nil {
		return nil, err
	}
	registry, err := registry(c.folder, c.outputs, b.shellOptions(c), web)
	if err != nil {
		return nil, err
	}
	return tool.NewDispatcher(registry, tool.Options{
		Allow: task.AllowTools, Limits: task.toolLimits(), Presets: task.presets(), Objects: []any{new(file.Known)},
	})
}

func (b *Backend) session(ctx context.Context, saved Saved, c *Conversation, task Task, tools *tool.Dispatcher) (*session.Session, error) {
	c.budgetUSD, c.windowGiven = task.Limits.BudgetUSD, task.ContextWindow > 0
	model, err := b.model(c, task.Endpoint)
	if err != nil {
		return nil, err
	}
	if task.ContextWindow > 0 {
		model.Window = task.ContextWindow
	}
	config := session.Config{
		Tools: tools, Model: model, Mode: task.Mode, Limits: task.Limits, CountTokens: tokens.Count,
		Instructions: func() session.Instructions { return b.instructions(c.folder, task) },
		Broker:       b.Broker, Asker: task.Asker, GuardAsker: task.GuardAsker, Approve: task.Approve, ConfirmTimeout: task.ConfirmTimeout,
		AllowNetwork: task.AllowNetwork, Notices: c.looks.Untold,
		Top: c.folder.Top, Redact: b.Redactor.String, NewID: newID, Log: b.Log,
		Jitter: func() time.Duration { return rand.N(time.Second) }, //nolint:gosec // it spreads retries and guards nothing
		Store:  c.saved, Workspace: c.folder.Path(), GroupsOff: task.GroupsOff,
	}
	if saved.Workspace != "" {
		return b.Sessions.Load(ctx, saved, config)
	}
	return b.Sessions.New(saved.ID, config), nil
}

// registry holds the tools for a folder.
func registry(folder *workspace.Folder, outputs *workspace.Outputs, commands shell.Options, pages web.Options) (*tool.Registry, error) {
	tools := append(file.New(folder, outputs), search.New(folder)...)
	tools = append(tools, shell.New(commands)...)
	return tool.NewRegistry(append(tools, web.New(pages))...)
}

// webOptions are what the tool for web pages works with.
func (b *Backend) webOptions(c *Conversation) (web.Options, error) {
	network, err := b.Models.Network()
	if err != nil {
		return web.Options{}, err
	}
	return web.Options{Outputs: c.outputs, Proxy: network.Proxy, Roots: network.Roots}, nil
}

// ToolGroup is a set of tools that is switched on and off together: the tools' own,
// named here for the doors, which do not know it.
type ToolGroup = tool.Group

// ToolGroups lists the sets of tools that there are.
func ToolGroups() ([]ToolGroup, error) {
	all, err := registry(nil, nil, shell.Options{}, web.Options{}) // for no folder: none of them is called
	if err != nil {
		return nil, err
	}
	dispatcher, err := tool.NewDispatcher(all, tool.Options{})
	if err != nil {
		return nil, err
	}
	return dispatcher.Groups(), nil
}

// instructions are what the model is told beside its task. Project instructions that
// cannot be read are left out: the task does not depend on them.
func (b *Backend) instructions(folder *workspace.Folder, task Task) session.Instructions {
	given := session.Instructions{Person: task.Instructions}
	if task.UseInstructions == nil {
		return given
	}
	found, err := folder.Instructions()
	if err != nil {
		b.Log.Warn("read project instructions", "error", err)
	} else if found.Text != "" && task.UseInstructions(folder.Path(), found) {
		given.Project, given.Path = found.Text, found.Path
	}
	return given
}

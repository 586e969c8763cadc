package backend

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"fairlead/backend/approve"
	"fairlead/backend/change"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/tokens"
	"fairlead/backend/mcp/host"
	"fairlead/backend/memory"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/session"
	"fairlead/backend/settings"
	"fairlead/backend/skill"
	"fairlead/backend/tool"
	"fairlead/backend/tool/file"
	"fairlead/backend/tool/remember"
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
	// Unsaved conversations are not saved. The guided tour never is.
	Unsaved bool
	// Endpoint is where the model is reached.
	Endpoint catalog.Endpoint
	Mode     session.Mode
	Limits   message.Limits
	// AllowNetwork answers every question about the network with a yes.
	AllowNetwork bool
	// ProcessesChanged is told that the conversation's commands changed, from any
	// goroutine; nil where nobody wants to know.
	ProcessesChanged func(sessionID string)
	// AllowTools are the tools that may be called: nil all, empty none.
	AllowTools []string
	// Approve is what is asked about, Asker asks, and GuardAsker asks for the guards.
	Approve    approve.Mode
	Asker      approve.Asker
	GuardAsker approve.GuardAsker
	// AskAhead has the questions about all calls of a reply open at once, to be answered
	// in any order.
	AskAhead bool
	// Instructions are the user's own, for every conversation.
	Instructions string
	// UseInstructions reports whether the model is given the project instructions that
	// were found in a folder; nil never does.
	UseInstructions func(folder string, found workspace.Instructions) bool
	// UseSkill reports whether the model may read a skill that was found in a folder; nil lets it
	// read none but the user's own.
	UseSkill func(folder string, found skill.Skill) bool
	// Memory has the model know what was noted about the folder in earlier conversations, and
	// note more unless the conversation is not saved.
	Memory bool
	// Presets are values for parameters of tools that hold for every call, and Defaults
	// those that hold where the model gives none.
	Presets, Defaults settings.ToolValues
	// NoServers leaves out the MCP servers that the user has agreed to for the folder.
	NoServers bool
	// GroupsOff are the sets of tools that a new conversation begins without.
	GroupsOff []string
}

// toolPresets returns the values for parameters of tools, as the tools take them.
func (t Task) toolPresets() map[string]map[string]tool.Preset {
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

// isTour reports whether the task is the guided tour.
func (t Task) isTour() bool { return t.Endpoint.Provider.Name == catalog.Demo }

// usesMemory reports whether the model knows the memory of the folder. The folder of the tour
// has none.
func (t Task) usesMemory() bool { return t.Memory && !t.isTour() }

// remembers reports whether the model can add to it.
func (t Task) remembers() bool { return t.usesMemory() && !t.Unsaved }

// Conversation is an open conversation with what the entry points show of it.
type Conversation struct {
	*session.Driver
	// Traffic counts the bytes of bodies sent to and received from the model that it was
	// opened with.
	Traffic func() (up, down int64)

	// Jobs are its commands.
	Jobs *process.Jobs

	// looks keeps what was seen in the folder after its commands in the background.
	looks shell.Looks
	// covers knows what its commands may read of the files with keys.
	covers shell.Covers

	folder *workspace.Folder
	// servers are the MCP servers of its folder.
	servers *host.Workspace
	// changes make and record what is changed in it.
	changes *change.Recorder
	// space is where its commands run.
	space *commandSpace
	// drafts are where its runs work in the mode draft.
	drafts *drafts
	// copying finds out if its commands can work on a copy of the folder.
	copying *copying
	// ahead finds out what the first command in a copy would wait for.
	ahead lookAhead
	// budgetUSD is how much money a run of it may cost; 0 is any.
	budgetUSD float64
	// sees reports whether the model that it works with sees pictures.
	sees atomic.Pointer[func(context.Context) (bool, error)]
	// windowGiven says that the user said how many tokens the model takes at once.
	windowGiven bool
}

// OpenConversation opens a conversation. A workspace that cannot be one gives a
// *workspace.RefusedError, a saved conversation that is not there or in use
// elsewhere a *message.Refusal.
func (b *Backend) OpenConversation(ctx context.Context, task Task) (*Conversation, error) {
	c := &Conversation{}
	folder := task.Folder
	if task.Session != "" && folder != "" {
		var err error
		if folder, err = b.pathOf(folder); err != nil {
			return nil, err
		}
	}
	driver, err := b.Sessions.Open(ctx, session.Opening{
		ID: task.Session, Workspace: folder, Unsaved: task.Unsaved || task.isTour(),
		Prepare: func(saved session.Saved, kept session.Kept) (session.Config, error) {
			config, err := b.prepareConfig(ctx, c, task, saved, kept)
			if err != nil {
				return session.Config{}, errors.Join(err, c.close())
			}
			return config, nil
		},
	})
	if err != nil {
		return nil, err
	}
	c.Driver = driver
	c.lookAhead(task.Approve)
	return c, nil
}

// pathOf is the path of a folder as the conversations that work on it know it.
func (b *Backend) pathOf(folder string) (string, error) {
	opened, err := workspace.Open(folder, b.ownFolders()...)
	if err != nil {
		return "", err
	}
	return opened.Path(), opened.Close()
}

// prepareConfig opens what a conversation works with, which close gives back.
func (b *Backend) prepareConfig(ctx context.Context, c *Conversation, task Task, saved session.Saved, kept session.Kept) (session.Config, error) {
	var err error
	if c.folder, err = b.OpenFolder(saved.Workspace); err != nil {
		return session.Config{}, err
	}
	c.folder.UseGit(askGit(c.folder.Path()))
	c.changes = b.useChanges(c.folder, saved.ID, kept)
	c.copying = b.newCopying(c.changes)
	b.prepareCommands(c, saved.ID, task)
	tools, err := b.openToolsets(ctx, c, task, kept.Outputs)
	if err != nil {
		return session.Config{}, err
	}
	c.budgetUSD, c.windowGiven = task.Limits.BudgetUSD, task.Limits.ContextWindow > 0
	model, traffic, err := b.openModel(c, task.Endpoint)
	if err != nil {
		return session.Config{}, err
	}
	c.Traffic = traffic
	if task.Limits.ContextWindow > 0 {
		model.Window = task.Limits.ContextWindow
	}
	return session.Config{
		Tools: tools, Model: model, Mode: task.Mode, Limits: task.Limits, CountTokens: tokens.Count,
		Instructions: func() session.Instructions { return b.readInstructions(c.folder, task) },
		Nearby:       func(top session.Instructions) session.LookNearby { return b.lookNearby(c.drafts.folderNow, task, top) },
		Broker:       b.Broker, Asker: task.Asker, GuardAsker: task.GuardAsker, Approve: task.Approve, AskAhead: task.AskAhead,
		AllowNetwork: task.AllowNetwork, Notices: c.looks.Untold,
		Changes: c.changes, Drafts: c.drafts, Held: c.folder.Held, Ignored: c.folder.Ignored,
		Top: func() ([]string, bool) { return c.drafts.folderNow().Top() }, Redact: b.Redactor.String, NewID: newID, Log: b.Log,
		Jitter:    func() time.Duration { return rand.N(time.Second) }, //nolint:gosec // it spreads retries and guards nothing
		Workspace: c.folder.Path(), GroupsOff: task.GroupsOff, Close: c.close,
	}, nil
}

// close ends the conversation's commands and closes its folder.
func (c *Conversation) close() error {
	c.ahead.end()
	if c.servers != nil {
		c.servers.Close()
	}
	err := c.closeCommands()
	if c.changes != nil {
		err = errors.Join(err, c.changes.Close())
	}
	if c.folder != nil {
		err = errors.Join(err, c.folder.Close())
	}
	return err
}

// Servers are the MCP servers of the conversation's folder; nil where it has none.
func (c *Conversation) Servers() *host.Workspace { return c.servers }

// Changes is what the conversation has changed in its folder, for reading it.
func (c *Conversation) Changes() *change.Recorder { return c.changes }

// UseModel has the conversation go on with another model, which reads what was
// said so far.
func (b *Backend) UseModel(c *Conversation, endpoint catalog.Endpoint) error {
	model, _, err := b.openModel(c, endpoint)
	if err == nil {
		c.UseModel(model)
	}
	return err
}

// LetRead lets its commands that nobody is asked about read a file with keys, from the next one
// on, by its path in the folder. A path that names none gives a *message.Refusal.
func (c *Conversation) LetRead(path string) error {
	local, err := c.folder.SecretAt(path)
	if err != nil {
		return &message.Refusal{Code: message.InvalidParams, Message: fmt.Sprintf("let commands read %s: %v", path, err)}
	}
	c.covers.Allow(workspace.Shown(local))
	return nil
}

// NoCopy returns why the conversation's commands cannot work on a copy of the folder; nil where
// they can, or where that was not needed yet.
func (c *Conversation) NoCopy() *message.NoCopy { return c.copying.found() }

// NoticesOf returns what was seen in the folder after a command in the background that has
// ended.
func (c *Conversation) NoticesOf(processID string) []message.Notice { return c.looks.Of(processID) }

// openToolsets opens where the tools come from that a conversation's model can call.
func (b *Backend) openToolsets(ctx context.Context, c *Conversation, task Task, outputs *workspace.Outputs) (*tool.Toolsets, error) {
	web, err := b.webOptions(outputs)
	if err != nil {
		return nil, err
	}
	c.drafts.tools = func(folder *workspace.Folder, changes *change.Recorder, draft shell.DraftLook) []tool.Tool {
		commands := b.shellOptions(c, outputs)
		commands.Folder, commands.Changes, commands.Draft, commands.Before, commands.NoCopy = folder, changes, draft, nil, nil
		return b.builtIn(folder, outputs, c.seesPictures, commands, web).Each
	}
	sets := []tool.Toolset{folderTools{b.builtIn(c.folder, outputs, c.seesPictures, b.shellOptions(c, outputs), web), c.drafts}}
	if task.remembers() {
		// It is none of the tools that work in a draft: what it adds counts at once.
		sets = append(sets, tool.Fixed{Label: "memory", Each: []tool.Tool{remember.New(b.Memory(c.folder.Path()), time.Now)}})
	}
	sets = append(sets, b.openSkills(c.folder, task))
	if !task.NoServers {
		sets = append(sets, b.openServers(c, outputs))
	}
	return tool.OpenToolsets(ctx, tool.Options{
		Allow: task.AllowTools, Timeout: task.Limits.ToolTimeout, Presets: task.toolPresets(), Objects: []any{new(file.Known)},
	}, sets...)
}

// Memory is what was noted about a workspace, by the path that conversations know it by.
func (b *Backend) Memory(folder string) *memory.Memory {
	return memory.Open(b.Folders.Data, folder, b.Redactor.String)
}

// builtIn is the toolset of Fairlead's own tools, for a folder, and for a model that sees pictures or
// not.
func (b *Backend) builtIn(
	folder *workspace.Folder, outputs *workspace.Outputs, sees func(context.Context) (bool, error), commands shell.Options, pages web.Options,
) tool.Fixed {
	tools := append(file.New(folder, outputs, b.documents, sees), search.New(folder, b.documents)...)
	tools = append(tools, shell.New(commands)...)
	return tool.Fixed{Label: "Fairlead", Each: append(tools, web.New(pages))}
}

// describedTools are Fairlead's own tools, with the one for the memory or without it, for no folder:
// none of them is called.
func (b *Backend) describedTools(remembers bool) []tool.Tool {
	tools := b.builtIn(nil, nil, nil, shell.Options{}, web.Options{}).Each
	if remembers {
		tools = append(tools, remember.New(nil, nil))
	}
	return tools
}

// webOptions are what the tool for web pages works with.
func (b *Backend) webOptions(outputs *workspace.Outputs) (web.Options, error) {
	network, err := b.Models.Network()
	if err != nil {
		return web.Options{}, err
	}
	return web.Options{Outputs: outputs, Proxy: network.Proxy, Roots: network.Roots}, nil
}

// ToolGroup is a set of tools that is switched on and off together: the tools' own,
// named here for the entry points, which do not know it.
type ToolGroup = tool.Group

// ToolGroups lists the sets of tools that there can be, with that for the memory or without it.
func ToolGroups(remembers bool) ([]ToolGroup, error) {
	all, err := tool.NewRegistry((&Backend{}).describedTools(remembers)...)
	if err != nil {
		return nil, err
	}
	dispatcher, err := tool.NewDispatcher(all, tool.Options{})
	if err != nil {
		return nil, err
	}
	groups := append(dispatcher.Groups(), ToolGroup{Name: skill.Group, Tools: []string{skill.ToolName}})
	slices.SortFunc(groups, func(a, b ToolGroup) int { return strings.Compare(a.Name, b.Name) })
	return groups, nil
}

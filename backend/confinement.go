package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fairlead/backend/approve"
	"fairlead/backend/leftover"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/settings"
	"fairlead/backend/tool/shell"
	"fairlead/backend/workspace"
)

// inspectTime bounds the look at what confines commands.
const inspectTime = 10 * time.Second

// newInspector returns what finds out how far commands can be confined here.
func newInspector(helper string, record *leftover.Record) (func() *sandbox.System, error) {
	if helper == "" {
		own, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find the program that confines commands: %w", err)
		}
		helper = own
	}
	return func() *sandbox.System {
		ctx, stop := context.WithTimeout(context.Background(), inspectTime)
		defer stop()
		return sandbox.Inspect(ctx, helper, record)
	}, nil
}

// InspectConfinement says how far commands can be confined here, in a sentence what that
// means, and what is missing for level full, with what to run where that is known. What
// that takes elsewhere is on record in the folders meanwhile.
func InspectConfinement(folders settings.Folders) (level message.Level, sentence, why string, err error) {
	record := leftover.New(leftoverFolder(folders))
	inspect, err := newInspector("", record)
	if err != nil {
		return "", "", "", err
	}
	found := inspect()
	return found.Level, found.Sentence(false), found.Missing(), record.Close()
}

// privateFolder is where the private folders of conversations lie.
func (b *Backend) privateFolder() string { return filepath.Join(b.Folders.State, "private") }

// leftoverFolder is where the records of what is made elsewhere lie.
func leftoverFolder(folders settings.Folders) string { return filepath.Join(folders.State, "left") }

// prepareCommands makes ready what runs a conversation's commands. Their place is made for
// the first of them: many conversations have none.
func (b *Backend) prepareCommands(c *Conversation, id string, task Task) {
	c.space = &commandSpace{open: func() (*sandbox.Space, error) { return b.openPlace(c.folder.Path(), id, "") }}
	c.drafts = &drafts{conversation: c, sweep: b.sweepLeft, open: func(dir string) (*sandbox.Space, error) {
		return b.openPlace(c.folder.Path(), id+draftPlace, dir)
	}}
	changed := func() {}
	if task.ProcessesChanged != nil {
		changed = func() { task.ProcessesChanged(id) }
	}
	c.Jobs = process.NewJobs(process.JobsOptions{Changed: changed, Space: func() (*sandbox.Space, error) {
		if draft := c.drafts.spaceNow(); draft != nil {
			return draft, nil
		}
		return c.space.get()
	}})
}

// draftPlace ends the name of the private folder of a draft's commands.
const draftPlace = ".draft"

// openPlace makes a place for commands in a folder, or in a draft of it, with a private folder of a name.
func (b *Backend) openPlace(folder, private, draft string) (*sandbox.Space, error) {
	place := b.placeIn(folder, private)
	place.Draft, place.Install = draft, b.skillFolders()
	return b.Confinement().Open(place)
}

// placeIn is a place for programs in a folder, with a private folder of a name.
func (b *Backend) placeIn(folder, private string) sandbox.Place {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // a program has its private one
	}
	return sandbox.Place{
		Workspace: folder, Private: filepath.Join(b.privateFolder(), private), Home: home,
		Read: append(sandbox.ToolChains(home), b.readable...), Hide: b.ownFolders(), Memory: b.memory,
	}
}

// commandSpace is a place for commands that is made when it is needed.
type commandSpace struct {
	open func() (*sandbox.Space, error)

	mu    sync.Mutex
	space *sandbox.Space
}

// get returns the place and makes it if need be. What failed is tried again the next time.
func (c *commandSpace) get() (*sandbox.Space, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var err error
	if c.space == nil {
		c.space, err = c.open()
	}
	return c.space, err
}

// close deletes the place, if there is one. Nobody calls get any more.
func (c *commandSpace) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.space == nil {
		return nil
	}
	return c.space.Close()
}

// closeCommands ends a conversation's commands, those in the background too.
func (c *Conversation) closeCommands() error {
	if c.Jobs == nil {
		return nil
	}
	c.Jobs.Close()
	return errors.Join(c.drafts.Stop(), c.space.close())
}

// shellOptions are what the tools for commands work with.
func (b *Backend) shellOptions(c *Conversation, outputs *workspace.Outputs) shell.Options {
	return shell.Options{
		Folder: c.folder, Outputs: outputs, Jobs: c.Jobs,
		Level:       func() message.Level { return b.Confinement().Level },
		Confinement: func(network bool) string { return b.Confinement().Sentence(network) },
		Before:      c.folder.BeforeCommand,
		Changes:     c.changes,
		NoCopy:      c.copying.reason,
		CopyFailed:  c.copying.fail,
		ShowFirst:   func() bool { return c.ApproveMode() == approve.Preview },
		Covers:      &c.covers,
		Looks:       &c.looks,
	}
}

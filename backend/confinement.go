package backend

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/tool/shell"
)

// inspectTime bounds the look at what confines commands.
const inspectTime = 10 * time.Second

// inspector returns what finds out, once, how far commands can be confined here.
func inspector(helper string) (func() *sandbox.System, error) {
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
		return sandbox.Inspect(ctx, helper)
	}, nil
}

// InspectConfinement says how far commands can be confined here, in a sentence what that
// means, and what is missing for level full, with what to run where that is known.
func InspectConfinement() (level message.Level, sentence, why string, err error) {
	inspect, err := inspector("")
	if err != nil {
		return "", "", "", err
	}
	found := inspect()
	return found.Level, found.Sentence(false), found.Missing(), nil
}

// privateFolder is where the private folders of conversations lie.
func (b *Backend) privateFolder() string { return filepath.Join(b.Folders.State, "private") }

// openCommands makes a conversation's place for commands.
func (b *Backend) openCommands(c *Conversation, id string, task Task) error {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // a command has its private one
	}
	c.system = b.Confinement()
	c.space, err = c.system.Open(sandbox.Place{
		Workspace: c.folder.Path(), Private: filepath.Join(b.privateFolder(), id), Home: home,
		Read: append(sandbox.ToolChains(home), b.readable...), Hide: b.own(), Memory: b.memory,
	})
	if err != nil {
		return err
	}
	changed := func() {}
	if task.ProcessesChanged != nil {
		changed = func() { task.ProcessesChanged(id) }
	}
	c.Jobs = process.NewJobs(process.JobsOptions{Space: c.space, Changed: changed})
	return nil
}

// closeCommands ends a conversation's commands, those in the background too.
func (c *Conversation) closeCommands() error {
	if c.Jobs != nil {
		c.Jobs.Close()
	}
	if c.space == nil {
		return nil
	}
	return c.space.Close()
}

// shellOptions are what the tools for commands work with.
func (c *Conversation) shellOptions() shell.Options {
	return shell.Options{
		Folder: c.folder, Outputs: c.outputs, Jobs: c.Jobs,
		Level: c.system.Level, Confinement: c.system.Sentence, Before: c.folder.BeforeCommand,
		Looks: &c.looks,
	}
}

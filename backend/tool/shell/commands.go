package shell

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/tool"
)

// reader is the name under which the model reads the output of commands in the
// background.
const reader = "model"

// commands are what the tools share.
type commands struct{ Options }

// showsFirst reports whether commands run now without a question.
func (c *commands) showsFirst() bool { return c.ShowFirst != nil && c.ShowFirst() }

// newDefinition describes one of the tools.
func newDefinition(name, description string, effect message.Effect, parameters json.RawMessage, display message.Display) tool.Definition {
	return tool.Definition{
		Name: name, Description: strings.TrimSpace(description), Parameters: parameters,
		Confirm: effect == message.EffectCommand, Effect: effect, Group: group, Display: display,
	}
}

// aboutCommand is how a call is shown that runs a command line.
func aboutCommand(title string, verb message.Verb) message.Display {
	return message.Display{
		Title: title, Verb: verb, Icon: message.IconTerminal,
		Subject: message.Subject{Arguments: []string{"command"}, Kind: message.SubjectCommand},
		Form:    []message.FormField{{At: "command"}},
	}
}

// aboutProcess is how a call is shown about a command in the background.
func aboutProcess(title string, verb message.Verb) message.Display {
	return message.Display{
		Title: title, Verb: verb, Icon: message.IconTerminal,
		Subject: message.Subject{Arguments: []string{"processId"}, Kind: message.SubjectText},
	}
}

// newPreview is what the user is shown of a command. behind reports whether it runs in the
// background, where it works on the folder itself.
func (c *commands) newPreview(ctx context.Context, line string, network, behind bool) message.Preview {
	preview := message.Preview{
		Effect: message.EffectCommand, Command: line, Folder: c.Folder.Path(), Level: c.Level(), Network: network,
	}
	if !behind && c.Draft == nil && c.Changes != nil && c.NoCopy != nil {
		preview.NoCopy = c.NoCopy(ctx)
		preview.Copied = preview.NoCopy == nil
	}
	if preview.Draft = c.Draft != nil; preview.Copied || preview.Draft {
		preview.Undo = &message.Undo{Quality: message.UndoExact}
	} else {
		preview.Undo = c.undo(ctx)
	}
	if c.Confinement != nil {
		preview.Confinement = c.Confinement(network)
	}
	return preview
}

// canCopy reports whether a command can work on a copy of the folder.
func (c *commands) canCopy(ctx context.Context) bool {
	return c.Draft == nil && c.Changes != nil && c.NoCopy != nil && c.NoCopy(ctx) == nil
}

// newCommand is the command of a call, and the look after it. That is taken when the
// command has ended; who starts it takes it where the start fails. One that works on a copy
// of the folder needs no look: what it changes is in the copy.
func (c *commands) newCommand(ctx context.Context, in tool.Input, line string, network, copied bool) (process.Command, *look) {
	after := &look{looks: c.Looks, limit: lookTime}
	command := process.Command{
		Line: line, Dir: c.Folder.Path(), Level: c.Level(), Network: network,
		Spill: func() (io.WriteCloser, error) { return c.Outputs.Create(in.CallID) },
		Ended: func(ctx context.Context) { after.takeLook(ctx) },
	}
	if c.Draft != nil {
		_, _ = c.Draft(ctx, in.CallID, false) // when it has ended the error is told
		after.draft = func(ctx context.Context) (*change.Set, error) { return c.Draft(ctx, in.CallID, true) }
		command.Run = c.Changes.Run()
		return command, after
	}
	if copied {
		layer, err := c.Changes.NewLayer(in.CallID)
		if err == nil {
			after.layer, command.Overlay, command.NextOverlay = layer, layer.Dir, c.Changes.NextLayer
			command.Run = c.Changes.Run()
			after.setAside = func(ctx context.Context) string { return c.setLayerAside(ctx, layer) }
			return command, after
		}
		after.noted = "(no copy of the folder could be made, so this command worked on the folder itself: " + err.Error() + ")"
	}
	if c.Changes != nil {
		var err error
		if after.command, err = c.Changes.BeginCommand(ctx, in.CallID); err != nil {
			after.noted = "(what this command changes cannot be taken back: " + err.Error() + ")"
		}
	}
	if c.Before != nil {
		command.Repositories, after.after = c.Before(ctx)
		after.pins = command.Repositories
	}
	return command, after
}

package shell

import (
	"context"
	_ "embed" // the description

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

//go:embed kill.md
var killDescription string

// kill ends a command in the background.
type kill struct{ *commands }

// Definition implements tool.Tool. Nobody is asked: what it ends was started for the
// model and can be started again.
func (k *kill) Definition() tool.Definition {
	d := newDefinition("shell_kill", killDescription, message.EffectCommand, tool.Schema[pointing](),
		aboutProcess("End a command in the background", message.VerbStop))
	d.Confirm = false
	return d
}

// Prepare implements tool.Tool.
func (k *kill) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	args, failure := readPointing(in)
	if failure != nil {
		return tool.Plan{}, failure
	}
	return tool.Plan{Run: func(ctx context.Context, _ func(string)) tool.Outcome {
		return tool.Outcome{Result: k.end(ctx, args)}
	}}, nil
}

// end ends the command.
func (k *kill) end(ctx context.Context, args pointing) message.Result {
	lived := k.Jobs.Lives(args.ProcessID)
	r, err := k.Jobs.Kill(ctx, args.ProcessID, reader)
	if err != nil {
		return unseenResult(ctx, err)
	}
	first := r.Job.ID + " had ended before: " + describeState(r.Job)
	if lived {
		first = r.Job.ID + " is killed: " + describeState(r.Job)
	}
	result := k.readingResult(ctx, r, first, noNewOutput)
	result.Data.Killed = lived
	return result
}

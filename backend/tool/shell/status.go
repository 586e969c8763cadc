package shell

import (
	"context"
	_ "embed" // the description

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

//go:embed status.md
var statusDescription string

// status looks at a command in the background.
type status struct{ *commands }

// Definition implements tool.Tool.
func (s *status) Definition() tool.Definition {
	d := newDefinition("shell_status", statusDescription, message.EffectNone, tool.Schema[pointing](),
		aboutProcess("Look at a command in the background", message.VerbLook))
	d.Polls = true
	return d
}

// Lives implements tool.Poller.
func (s *status) Lives(in tool.Input) bool {
	args, failure := readPointing(in)
	return failure == nil && s.Jobs.Lives(args.ProcessID)
}

// Prepare implements tool.Tool.
func (s *status) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	args, failure := readPointing(in)
	if failure != nil {
		return tool.Plan{}, failure
	}
	return tool.Plan{Run: func(ctx context.Context, _ func(string)) tool.Outcome {
		return tool.Outcome{Result: s.look(ctx, args)}
	}}, nil
}

func (s *status) look(ctx context.Context, args pointing) message.Result {
	r, err := s.Jobs.Read(args.ProcessID, reader)
	if err != nil {
		return unseenResult(ctx, err)
	}
	return s.readingResult(ctx, r, r.Job.ID+" "+describeState(r.Job), noNewOutput)
}

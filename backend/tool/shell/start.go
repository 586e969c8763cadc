package shell

import (
	"context"
	_ "embed" // the description
	"time"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/tool"
)

// firstOutput is how long the first output of a command in the background is awaited.
const firstOutput = 200 * time.Millisecond

//go:embed start.md
var startDescription string

// start leaves a command in the background.
type start struct{ *commands }

// Definition implements tool.Tool.
func (s *start) Definition() tool.Definition {
	return newDefinition("shell_start", startDescription, message.EffectCommand, tool.Schema[starting](),
		aboutCommand("Start a command in the background", message.VerbStart))
}

// Prepare implements tool.Tool.
func (s *start) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	args, failure := readStarting(in)
	if failure != nil {
		return tool.Plan{}, failure
	}
	return tool.Plan{
		Preview: s.newPreview(ctx, args.Command, args.Network, true), Asks: true,
		Run: func(ctx context.Context, _ func(string)) tool.Outcome {
			return tool.Outcome{Result: s.start(ctx, in, args)}
		},
	}, nil
}

// start starts the command. One whose call is cancelled meanwhile is killed, because nobody
// would know of it.
func (s *start) start(ctx context.Context, in tool.Input, args starting) message.Result {
	if ctx.Err() != nil {
		return message.Result{Error: stoppedError(ctx, context.Cause(ctx))}
	}
	c, after := s.newCommand(ctx, in, args.Command, args.Network, false)
	if s.Draft != nil {
		if failed := s.cover(ctx, &c); failed != nil {
			return message.Result{Error: failed}
		}
	}
	id, err := s.Jobs.Start(in.CallID, c)
	if err != nil {
		after.takeLook(ctx)
		return message.Result{Error: stoppedError(ctx, err)}
	}
	s.tellLater(id, after)
	s.wait(ctx, id)
	cut := ctx.Err() != nil
	look := s.Jobs.Read
	if cut {
		look = func(id, reader string) (process.Reading, error) {
			return s.Jobs.Kill(context.WithoutCancel(ctx), id, reader)
		}
	}
	r, err := look(id, reader)
	if err != nil {
		return unseenResult(ctx, err)
	}
	result := s.readingResult(ctx, r, "processId "+id+", "+describeState(r.Job), noOutput)
	result.ProcessID = id
	if cut {
		result.Error = stoppedError(ctx, context.Cause(ctx))
	}
	return result
}

// wait waits for the first output of a command, or its end, or that of ctx.
func (s *start) wait(ctx context.Context, id string) {
	done, err := s.Jobs.Done(id)
	if err != nil {
		return // it has ended and is forgotten already
	}
	late := time.NewTimer(firstOutput)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	case <-ctx.Done():
	}
}

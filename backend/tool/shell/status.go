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
	d := definition("shell_status", statusDescription, message.EffectNone, tool.Schema[pointing]())
	d.Polls = true
	return d
}

// Lives implements tool.Poller.
func (s *status) Lives(in tool.Input) bool {
	args, failure := readPointing(in)
	return failure == nil && s.Jobs.Lives(args.ProcessID)
}

// Run implements tool.Tool.
func (s *status) Run(ctx context.Context, in tool.Input) message.Result {
	args, failure := readPointing(in)
	if failure != nil {
		return message.Result{Error: failure}
	}
	r, err := s.Jobs.Read(args.ProcessID, reader)
	if err != nil {
		return unseen(ctx, err)
	}
	return s.result(ctx, r, r.Job.ID+" "+state(r.Job), noNewOutput)
}

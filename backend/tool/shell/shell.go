// Package shell has the tools that run command lines in the workspace folder: shell
// waits for a command, shell_start leaves one in the background, where shell_status
// looks at it and shell_kill ends it. The user sees the whole command line before it
// runs.
package shell

import (
	"context"
	_ "embed" // the description
	"errors"
	"slices"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
	"fairlead/backend/workspace/autorun"
)

// group is the set of tools that these are switched with.
const group = "shell"

// Options say where and how the commands of a session run.
type Options struct {
	// Folder is where they start.
	Folder *workspace.Folder
	// Outputs keeps what is too long for the model.
	Outputs *workspace.Outputs
	// Jobs runs them. It is nil for tools that are listed and never called.
	Jobs *process.Jobs
	// Level says how far the system confines them. It is shown with every command and
	// stored with every result. It may wait until that is known; nil says nothing.
	Level func() message.Level
	// Confinement says in a sentence what keeps a command in, one that is to have the
	// network or one that is not; nil says nothing.
	Confinement func(network bool) string
	// Before looks at the folder before a command runs. It returns the git folders in
	// it, relative to it, whose hooks and settings the command must not change, and
	// what is called once when the command has ended or could not be started. That
	// gives back what Before has taken, and returns a notice for each thing that the
	// command has left and the user should know of, as far as its context gives it
	// time. Before, and what it returns, may be nil.
	Before func(ctx context.Context) (repositories []string, after func(ctx context.Context) []message.Notice)
	// Changes records what commands change in the folder; nil records nothing.
	Changes *change.Recorder
	// NoCopy returns why commands cannot work on a copy of the folder; nil where they can. It
	// is nil where they work on the folder itself. CopyFailed is told where one could not be
	// had all the same.
	NoCopy     func(ctx context.Context) *message.NoCopy
	CopyFailed func(err error)
	// ShowFirst reports whether commands run now without a question, in a copy: then they see
	// no files with keys, but for those that Covers lets them see. nil reports that they do not.
	ShowFirst func() bool
	Covers    *Covers
	// Draft is called when the command of a call begins, and when it has ended, where commands work in
	// a draft, without a question; nil elsewhere. Then it returns what was changed there; nil for nothing.
	Draft DraftLook
	// Looks keeps what was seen after commands in the background; nil where nobody but
	// the model asks.
	Looks *Looks
}

// DraftLook looks at a draft as the command of a call begins, or has ended.
type DraftLook func(ctx context.Context, call string, ended bool) (*change.Set, error)

// New returns the tools shell, shell_kill, shell_start and shell_status.
func New(o Options) []tool.Tool {
	if o.Looks == nil {
		o.Looks = &Looks{}
	}
	if o.Covers == nil {
		o.Covers = &Covers{}
	}
	if o.Level == nil {
		o.Level = func() message.Level { return "" }
	}
	c := &commands{Options: o}
	return []tool.Tool{&shell{c}, &kill{c}, &start{c}, &status{c}}
}

const (
	defaultLimit = 120 * time.Second
	maxLimit     = 600 * time.Second
)

//go:embed shell.md
var shellDescription string

// shell runs a command to its end.
type shell struct{ *commands }

// Definition implements tool.Tool.
func (s *shell) Definition() tool.Definition {
	d := newDefinition("shell", shellDescription, message.EffectCommand, tool.Schema[waiting](),
		aboutCommand("Run a command", message.VerbRun))
	d.Essential = true
	return d
}

// Prepare implements tool.Tool.
func (s *shell) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	args, failure := readWaiting(in)
	if failure != nil {
		return tool.Plan{}, failure
	}
	limit := defaultLimit
	if args.Timeout != 0 {
		limit = time.Duration(args.Timeout) * time.Second
	}
	return tool.Plan{
		Preview: s.newPreview(ctx, args.Command, args.Network, false), Asks: true, Limit: limit,
		Run: func(ctx context.Context, progress func(string)) tool.Outcome {
			return s.run(ctx, in, args, progress)
		},
	}, nil
}

func (s *shell) run(ctx context.Context, in tool.Input, args waiting, progress func(string)) tool.Outcome {
	c, after := s.newCommand(ctx, in, args.Command, args.Network, s.canCopy(ctx))
	c.Output = progress
	unasked := s.Draft != nil || after.layer != nil && s.showsFirst()
	if unasked {
		if failed := s.cover(ctx, &c); failed != nil {
			if after.layer != nil {
				_ = s.Changes.RemoveLayer(after.layer) // nothing was written to it
			}
			return tool.Outcome{Result: message.Result{Error: failed}}
		}
	}
	exit, err := s.Jobs.Run(ctx, in.CallID, c)
	if exit.Moved != "" {
		s.tellLater(exit.Moved, after)
		return tool.Outcome{Result: s.movedResult(exit, in.CallID)}
	}
	notices := after.takeLook(ctx)
	changes, noted := after.takeChanges()
	result := message.Result{Content: message.Text(shortenOutput(exit.Text, 0, in.CallID)), Truncated: exit.Text.Omitted > 0}
	var withheld *tool.Withheld
	if unasked {
		result, withheld = s.withhold(args.Command, result)
	}
	if err != nil {
		result.Error = stoppedError(ctx, err)
		if ctx.Err() == nil && !errors.Is(err, process.ErrEnded) && !errors.Is(err, process.ErrUnknown) {
			s.discard(after, err)
			return tool.Outcome{Result: result} // it was not run
		}
	} else {
		result.Error = failedError(exit)
	}
	if refused, ok := autorun.Refused(result.Content.Text(), c.Repositories); ok && result.Error != nil {
		notices = append(slices.Clip(notices), workspace.NoticeOf(refused))
	}
	result.Level, result.Notices, result.Changes = s.Level(), notices, changes
	if noted != "" {
		result.Content = result.Content.After(noted)
	}
	result.Data = &message.ResultData{Signal: exit.Signal, Exceeded: exit.Exceeded, Network: args.Network}
	if exit.Code >= 0 {
		result.Data.ExitCode = &exit.Code
	}
	result = addCovered(result, exit.Opened)
	outcome := s.settleCopy(ctx, in.CallID, progress, after, result, err == nil && exit.Exceeded == nil)
	outcome.Withheld = withheld
	return outcome
}

// movedResult is the result of a command that the user moved to the background: that of
// a start.
func (s *shell) movedResult(exit process.Exit, callID string) message.Result {
	const why = "the user moved this command to the background"
	return message.Result{
		Content:   message.Text("processId " + exit.Moved + ", running: " + why + "\n" + orNothing(shortenOutput(exit.Text, 0, callID), noOutput)),
		Data:      &message.ResultData{ProcessID: exit.Moved, Running: true},
		ProcessID: exit.Moved,
		Level:     s.Level(),
		Truncated: exit.Text.Omitted > 0,
	}
}

package shell

import (
	"context"
	"errors"
	"fmt"

	"fairlead/backend/message"
	"fairlead/backend/process"
)

// readingResult is that of a look at a command in the background: a first line that says
// how it is, and what it has written since the last look, or what stands for nothing.
func (c *commands) readingResult(ctx context.Context, r process.Reading, first, nothing string) message.Result {
	d := &message.ResultData{ProcessID: r.Job.ID, Running: r.Job.Running, Network: r.Job.Network}
	printed := shortenOutput(r.Text, r.Skipped, r.Job.CallID)
	notices := c.refusedNotices(r.Job.ID, printed)
	var changes []message.Change
	if !r.Job.Running {
		d.Signal, d.Exceeded = r.Job.Signal, r.Job.Exceeded
		if r.Job.ExitCode >= 0 {
			d.ExitCode = &r.Job.ExitCode
		}
		told, look := c.tellOnce(ctx, r.Job.ID)
		notices = append(notices, told...)
		if look != nil {
			var noted string
			if changes, noted = look.takeChanges(); noted != "" {
				first += " " + noted
			}
		}
	}
	text := first + "\n" + orNothing(printed, nothing)
	result := message.Result{
		Content: message.Text(text), Data: d, Level: r.Job.Level, Notices: notices, Changes: changes,
		Truncated: r.Text.Omitted > 0 || r.Skipped > 0,
	}
	if r.Err != nil {
		result.Error = stoppedError(context.WithoutCancel(ctx), r.Err)
	}
	return result
}

// describeState says in words how a command is.
func describeState(j process.Job) string {
	switch {
	case j.Running:
		return "running"
	case j.Failed != "":
		return "was not run"
	case j.Limit != "":
		return j.Limit
	case j.Signal != "":
		return "ended by " + j.Signal
	case j.ExitCode < 0:
		return "ended, with no exit code"
	default:
		return fmt.Sprintf("exited with code %d", j.ExitCode)
	}
}

// unseenResult is the result of a call about a command that could not be looked at.
func unseenResult(ctx context.Context, err error) message.Result {
	if missing, ok := errors.AsType[*process.NoJobError](err); ok {
		return message.Fail(message.ProcessNotFound, missing.Error())
	}
	return message.Result{Error: stoppedError(ctx, err)}
}

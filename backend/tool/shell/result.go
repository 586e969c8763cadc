package shell

import (
	"context"
	"errors"
	"fmt"

	"fairlead/backend/message"
	"fairlead/backend/process"
)

// exited is the result of shell for programs.
type exited struct {
	// ExitCode is -1 when a signal ended the shell, or the command was cut short.
	ExitCode int `json:"exitCode"`
	// Signal names that signal.
	Signal string `json:"signal,omitempty"`
	// Limit says at which limit the command was ended.
	Limit string `json:"limit,omitempty"`
	// Level is how far the system confined the command.
	Level message.Level `json:"level"`
	// Network says that it had the network.
	Network bool `json:"network"`
}

// job is the result of the other tools for programs.
type job struct {
	// ProcessID names the command.
	ProcessID string `json:"processId"`
	// Status is running or exited.
	Status jobStatus `json:"status"`
	// ExitCode is that of a command that has ended, nil while it runs.
	ExitCode *int `json:"exitCode,omitempty"`
	// Signal names the signal that ended the shell.
	Signal string `json:"signal,omitempty"`
	// Limit says at which limit the command was ended.
	Limit string `json:"limit,omitempty"`
	// Level is how far the system confines the command.
	Level message.Level `json:"level"`
}

// jobStatus says whether a command in the background has ended.
type jobStatus string

const (
	running jobStatus = "running"
	ended   jobStatus = "exited"
)

// result is that of a look at a command in the background: a first line that says
// how it is, and what it has written since the last look, or what stands for nothing.
func (c *commands) result(ctx context.Context, r process.Reading, first, nothing string) message.Result {
	d := job{ProcessID: r.Job.ID, Status: running, Level: r.Job.Level}
	printed := shorten(r.Text, r.Skipped, r.Job.CallID)
	notices := c.refused(r.Job.ID, printed)
	if !r.Job.Running {
		d.Status, d.ExitCode, d.Signal = ended, &r.Job.ExitCode, r.Job.Signal
		d.Limit = r.Job.Limit
		notices = append(notices, c.tellOnce(ctx, r.Job.ID)...)
	}
	text := first + "\n" + orNothing(printed, nothing)
	result := message.Result{
		Content: message.Text(text), Data: d, Level: d.Level, Notices: notices,
		Truncated: r.Text.Omitted > 0 || r.Skipped > 0,
	}
	if r.Err != nil {
		result.Error = stopped(context.WithoutCancel(ctx), r.Err)
	}
	return result
}

// state says in words how a command is.
func state(j process.Job) string {
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

// unseen is the result of a call about a command that could not be looked at.
func unseen(ctx context.Context, err error) message.Result {
	if missing, ok := errors.AsType[*process.NoJobError](err); ok {
		return message.Fail(message.ProcessNotFound, missing.Error())
	}
	return message.Result{Error: stopped(ctx, err)}
}

package shell

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

const (
	// noOutput stands for the output of a command that has written nothing so far.
	noOutput = "(no output yet)"
	// noNewOutput stands for one that has written nothing since the last look.
	noNewOutput = "(no new output)"
)

// orNothing is the text, or what stands for none.
func orNothing(text, nothing string) string {
	if text == "" {
		return nothing
	}
	return text
}

// shortenOutput is the text for the model of what the command of a call wrote, with a
// notice where some is left out: in its middle, and skipped characters before it.
func shortenOutput(text process.Text, skipped int64, callID string) string {
	if skipped > 0 {
		begin := "[… " + leftOut(skipped, text, callID) + " …]\n"
		if text.Omitted == 0 {
			return begin + text.Head
		}
		return fmt.Sprintf("%s%s\n[… %d characters left out …]\n%s", begin, text.Head, text.Omitted, text.Tail)
	}
	if text.Omitted == 0 {
		return text.Head
	}
	return text.Head + "\n[… " + leftOut(text.Omitted, text, callID) + " …]\n" + text.Tail
}

// leftOut says how to read what is left out.
func leftOut(count int64, text process.Text, callID string) string {
	path := fmt.Sprintf("read_file path %q", workspace.OutputPrefix+callID)
	notice := fmt.Sprintf("%d characters left out", count)
	switch {
	case text.SpillErr == nil:
		return notice + ": read the whole output with " + path
	case text.Spilled == 0:
		return notice + fmt.Sprintf(" and not kept: %v", text.SpillErr)
	default:
		return notice + fmt.Sprintf(": read the first %d MiB with %s; the rest is not kept: %v", text.Spilled>>20, path, text.SpillErr)
	}
}

// failedError is the error of a command that ended without success; nil of one with it.
func failedError(exit process.Exit) *message.ToolError {
	switch {
	case exit.Limit != "":
		return &message.ToolError{Code: message.CommandFailed, Message: exit.Limit}
	case exit.Signal != "":
		return &message.ToolError{Code: message.CommandFailed, Message: "ended by " + exit.Signal}
	case exit.Code != 0:
		return &message.ToolError{Code: message.CommandFailed, Message: fmt.Sprintf("exit code %d", exit.Code)}
	default:
		return nil
	}
}

// stoppedError says why a command has no exit code.
func stoppedError(ctx context.Context, err error) *message.ToolError {
	code, text := message.ExecutionError, err.Error()
	switch {
	case errors.Is(err, tool.ErrTimeout):
		code = message.ToolTimeout
	case ctx.Err() != nil, errors.Is(err, process.ErrEnded):
		code = message.Cancelled
	case errors.Is(err, fs.ErrNotExist):
		text += " (is the folder still there?)"
	case errors.Is(err, syscall.E2BIG):
		text += " (write the command to a file and run that)"
	}
	return &message.ToolError{Code: code, Message: text}
}

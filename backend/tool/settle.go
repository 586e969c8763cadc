package tool

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"fairlead/backend/message"
)

// settleTime is how long a tool may take to return after its context ended. One
// that takes longer, stuck in the operating system, is left behind, so that a
// cancel always ends the run in time (SPEC CAN-01).
const settleTime = 300 * time.Millisecond

// wait takes what the tool gives, or says that it did not settle in time.
func wait[T any](ctx context.Context, done <-chan T) (given T, settled bool) {
	select {
	case given = <-done:
		return given, true
	case <-ctx.Done():
	}
	settle := time.NewTimer(settleTime)
	defer settle.Stop()
	select {
	case given = <-done:
		return given, true
	case <-settle.C:
		return given, false
	}
}

// ended replaces the tool's own words for an ended context by the cause.
func ended(ctx context.Context, result message.Result) message.Result {
	cause := context.Cause(ctx)
	code, text := message.Cancelled, cause.Error()
	if errors.Is(cause, ErrTimeout) {
		code = message.ToolTimeout
	}
	seconds := result.Duration.Seconds()
	result.Error = &message.ToolError{Code: code, Message: fmt.Sprintf("%s after %.1f s", text, seconds)}
	return result
}

func panicked(name string, fault any) *message.ToolError {
	return &message.ToolError{
		Code:    message.ExecutionError,
		Message: fmt.Sprintf("the tool %s failed inside: %v (%s)", name, fault, faultLine()),
	}
}

// faultLine names the line that panicked, so that a report can be acted on.
func faultLine() string {
	lines := strings.Split(string(debug.Stack()), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") && i+3 < len(lines) {
			path, _, _ := strings.Cut(strings.TrimSpace(lines[i+3]), " ")
			return path[strings.LastIndexByte(path, '/')+1:]
		}
	}
	return "unknown line"
}

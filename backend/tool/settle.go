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

// waitToSettle takes what the tool gives, or reports that it did not settle in time.
func waitToSettle[T any](ctx context.Context, done <-chan T) (given T, settled bool) {
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

// runContained runs do in a goroutine of its own and returns what it returns; where do
// panics, what failed makes of the fault. When do does not return soon after ctx ended it
// is left behind: settled is false, and late, unless it is nil, is called with what do
// returns in the end.
func runContained[T any](
	ctx context.Context, name string, do func() T, failed func(*message.ToolError) T, late func(T),
) (given T, settled bool) {
	done := make(chan T, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				done <- failed(panicked(name, fault))
			}
		}()
		done <- do()
	}()
	given, settled = waitToSettle(ctx, done)
	if !settled && late != nil {
		go func() { late(<-done) }()
	}
	return given, settled
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

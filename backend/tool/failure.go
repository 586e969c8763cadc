package tool

import (
	"context"
	"errors"

	"fairlead/backend/message"
)

// Failure returns the result of a call that err ended: a *message.ToolError as it
// is, the end of the call's context as CANCELLED (the dispatcher says which end),
// anything else as EXECUTION_ERROR.
func Failure(err error) message.Result {
	return message.Result{Error: asToolError(err)}
}

func asToolError(err error) *message.ToolError {
	var failure *message.ToolError
	switch {
	case errors.As(err, &failure):
		return failure
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return &message.ToolError{Code: message.Cancelled, Message: "stopped before it was done"}
	default:
		return &message.ToolError{Code: message.ExecutionError, Message: err.Error()}
	}
}

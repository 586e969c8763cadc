package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

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

// Arguments decodes like Decode; its error is a *message.ToolError.
func Arguments[T any](arguments json.RawMessage) (T, error) {
	value, err := Decode[T](arguments)
	if err != nil {
		return value, &message.ToolError{Code: message.InvalidArguments, Message: err.Error()}
	}
	return value, nil
}

// WithNotices adds notices to the content of a result, in a form that a model
// does not take for content.
func WithNotices(content string, notices ...string) string {
	if len(notices) == 0 {
		return content
	}
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	return content + "[notice: " + strings.Join(notices, "; ") + "]"
}

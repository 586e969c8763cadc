package protocol

import (
	"context"
	"errors"
	"fmt"

	"fairlead/backend/llm"
)

// TypedError returns what package wire made of a failure, or the context's cause.
func TypedError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var known *llm.Error
	if errors.As(err, &known) {
		return known
	}
	return nil
}

// UnsentError is the error of a request that got no answer.
func UnsentError(ctx context.Context, err error) error {
	if known := TypedError(ctx, err); known != nil {
		return known
	}
	return &llm.Error{Class: llm.Internal, Message: "write the request: " + err.Error(), Err: err}
}

// UnreadError is the error of an answer that broke. All that package wire does not
// find is a chunk that is no JSON.
func UnreadError(ctx context.Context, err error) error {
	if known := TypedError(ctx, err); known != nil {
		return known
	}
	return &llm.Error{Class: llm.Malformed, Message: fmt.Sprintf("the stream holds a chunk that cannot be read: %v", err), Err: err}
}

package tooltest

import (
	"context"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// Run prepares a call and carries it out. Changes that wait for a decision are applied.
func Run(ctx context.Context, subject tool.Tool, in tool.Input) message.Result {
	return RunLive(ctx, subject, in, func(string) {})
}

// RunLive is Run with live output.
func RunLive(ctx context.Context, subject tool.Tool, in tool.Input, progress func(text string)) message.Result {
	plan, err := subject.Prepare(ctx, in)
	if err != nil {
		return tool.Failure(err)
	}
	outcome := plan.Run(ctx, progress)
	if outcome.Changes == nil {
		return outcome.Result
	}
	applied := outcome.Changes.Apply(ctx, message.Chosen{})
	applied.Content = append(outcome.Result.Content, applied.Content...)
	return applied
}

package agent

import (
	"context"
	"slices"

	"fairlead/backend/message"
)

// addApplied adds to the result of a call that its changes were applied, or what went wrong
// with that.
func addApplied(result, applied message.Result) message.Result {
	if applied.Error != nil {
		applied.Content = append(slices.Clone(result.Content), applied.Content...)
		result.Error, result.Content = applied.Error, applied.Content
		return result
	}
	result.Content = append(result.Content.After("(the changes of this call were applied)"), applied.Content...)
	result.Changes = append(result.Changes, applied.Changes...)
	result.Notices = append(result.Notices, applied.Notices...)
	return withChanges(result, message.ChangesApplied)
}

// addDropped adds to the result of a call that its changes were dropped, and why. A call
// that failed anyway keeps its own error.
func addDropped(ctx context.Context, result message.Result, decision message.Decision, dropped message.Result) message.Result {
	why := decision.Dropped()
	if decision.By == message.ByCancel && ctx.Err() != nil {
		why = &message.ToolError{Code: message.Cancelled, Message: context.Cause(ctx).Error() + " before the changes of this call were applied; they were dropped"}
	}
	result.Content = append(slices.Clone(result.Content), dropped.Content...)
	if result.Error == nil {
		result.Error = why
	} else {
		result.Content = result.Content.After("(" + why.Message + ")")
	}
	return withChanges(result, message.ChangesDropped)
}

func withChanges(result message.Result, fate message.ChangesFate) message.Result {
	data := message.ResultData{}
	if result.Data != nil {
		data = *result.Data
	}
	data.Changes = fate
	result.Data = &data
	return result
}

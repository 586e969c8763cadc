package event

import "fairlead/backend/message"

// CallOf announces a call, with how it is shown (nil where there is no such tool). What
// the model wrote is told where that is not what runs.
func CallOf(call message.Call, display *message.Display) ToolCall {
	shown := ToolCall{CallID: call.ID, ToolName: call.Name, Display: display, Arguments: call.Arguments}
	if call.Arguments == nil || call.Repaired {
		shown.RawArguments = call.Raw
	}
	return shown
}

// ResultOf is the event with the result of the call of this id.
func ResultOf(callID string, result message.Result) ToolResult {
	shown := ToolResult{
		CallID: callID, Success: result.Success(), Content: result.Text(), Blocks: BlocksOf(result.Content),
		DurationMs: result.Duration.Milliseconds(), Truncated: result.Truncated, Changes: result.Changes, Data: result.Data,
		ProcessID: result.ProcessID, Level: result.Level, Notices: result.Notices,
	}
	if shown.Changes == nil {
		shown.Changes = []message.Change{}
	}
	if result.Error != nil {
		shown.ErrorCode = result.Error.Code
	}
	return shown
}

package hook

import (
	"slices"

	"fairlead/backend/message"
)

// copyMessages returns messages that a hook may write into: the history shares no part and
// no result with them.
func copyMessages(messages []message.Message) []message.Message {
	copies := slices.Clone(messages)
	for i := range copies {
		copies[i].Parts = slices.Clone(copies[i].Parts)
		for j, part := range copies[i].Parts {
			part = part.Clone()
			if part.Block != nil {
				block := *part.Block
				part.Block = &block
			}
			if part.Tool != nil && part.Tool.State.Output != nil {
				part.Tool.State.Output = copiedResult(*part.Tool.State.Output)
			}
			copies[i].Parts[j] = part
		}
	}
	return copies
}

func copiedResult(result message.Result) *message.Result {
	if result.Error != nil {
		failure := *result.Error
		result.Error = &failure
	}
	result.Content = slices.Clone(result.Content)
	result.Changes = slices.Clone(result.Changes)
	return &result
}

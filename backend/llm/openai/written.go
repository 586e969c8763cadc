package openai

import (
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

var writtenOpenings = []string{"<tool_call>"}

func writtenCalls(text string, tools []llm.Tool) (calls []message.Call, rest string) {
	return nil, text
}

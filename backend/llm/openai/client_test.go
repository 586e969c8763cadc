package openai_test

import (
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// hello is the smallest request there is.
var hello = llm.Request{Messages: []message.Message{user("hi")}}

func user(text string) message.Message {
	return message.Message{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: text}}}
}

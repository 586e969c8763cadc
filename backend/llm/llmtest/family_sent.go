package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// sent is a chat request with the fields that Chat has no place for.
type sent struct {
	chat     Chat
	fields   map[string]json.RawMessage
	messages []map[string]json.RawMessage
}

// fault is something that a provider refuses, in its own words.
type fault struct {
	status  int
	message string
}

// newFault is a fault with status 400.
func newFault(format string, values ...any) fault {
	return fault{http.StatusBadRequest, fmt.Sprintf(format, values...)}
}

// fieldsOf reads a list of objects; what is none is none.
func fieldsOf(list json.RawMessage) []map[string]json.RawMessage {
	var objects []map[string]json.RawMessage
	if json.Unmarshal(list, &objects) != nil {
		return nil
	}
	return objects
}

// findUnknown tells say of each field of the request that is not among known, in order.
func (s *sent) findUnknown(known []string, say func(name string)) {
	var names []string
	for name := range s.fields {
		if !slices.Contains(known, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		say(name)
	}
}

// chatFields are the fields of a request that everybody takes.
var chatFields = []string{
	"model", "messages", "stream", "stream_options", "tools", "tool_choice", "parallel_tool_calls",
	"max_tokens", "temperature",
}

// findEchoes tells say of each field by which something of one provider goes back that
// the others do not know: in message i, in the call of that number or, with -1, in
// the message itself.
func (s *sent) findEchoes(say func(i, call int, name string)) {
	for i, message := range s.messages {
		for _, name := range []string{"reasoning_content", "reasoning_details", "reasoning", "extra_content"} {
			if _, has := message[name]; has {
				say(i, -1, name)
			}
		}
		for number, call := range fieldsOf(message["tool_calls"]) {
			if _, has := call["extra_content"]; has {
				say(i, number, "extra_content")
			}
		}
	}
}

// findUnreasoned returns the messages with calls that lack reasoning_content.
func (s *sent) findUnreasoned() []int {
	var lacking []int
	for i, message := range s.chat.Messages {
		if _, has := s.messages[i]["reasoning_content"]; len(message.ToolCalls) > 0 && !has {
			lacking = append(lacking, i)
		}
	}
	return lacking
}

// lastRole is the role of the last message.
func (s *sent) lastRole() string {
	if len(s.chat.Messages) == 0 {
		return ""
	}
	return s.chat.Messages[len(s.chat.Messages)-1].Role
}

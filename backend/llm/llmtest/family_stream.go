package llmtest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
)

// stream writes the events of one reply, each at once.
type stream struct {
	w http.ResponseWriter
	// end ends a line.
	end string
	// head is in every chunk.
	head object
	// gone says that nobody reads any more.
	gone bool
}

// line writes an event of one line.
func (s *stream) line(text string) {
	if s.gone {
		return
	}
	_, err := s.w.Write([]byte(text + s.end + s.end))
	s.gone = err != nil || http.NewResponseController(s.w).Flush() != nil
}

// chunk writes a chunk with these fields beside those of the head.
func (s *stream) chunk(fields object) {
	text, err := json.Marshal(joined(s.head, fields))
	if err != nil {
		panic(fmt.Sprintf("marshal a chunk: %v", err))
	}
	s.line("data: " + string(text))
}

// delta writes a chunk with one choice that goes on.
func (s *stream) delta(delta object) { s.choice(delta, nil, nil) }

// finish writes a chunk with one choice that ends, and these fields.
func (s *stream) finish(reason string, fields object) { s.choice(object{}, reason, fields) }

// choice writes a chunk with one choice, and these fields.
func (s *stream) choice(delta object, finish any, fields object) {
	choice := object{"index": 0, "delta": delta, "finish_reason": finish}
	s.chunk(joined(object{"choices": []any{choice}}, fields))
}

// texts writes a text under a name of the delta, in two pieces.
func (s *stream) texts(name, text string, more object) {
	for _, piece := range halves(text) {
		s.delta(joined(object{name: piece}, more))
	}
}

// counted writes the chunk of OpenAI's usage, if it is asked for.
func (s *stream) counted(t turn, usage object) {
	if t.asked {
		s.chunk(object{"choices": []any{}, "usage": usage})
	}
}

func (s *stream) done() { s.line("data: [DONE]") }

// reason is the finish reason as OpenAI has it.
func (t turn) reason() string {
	if len(t.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

// usage counts the tokens under OpenAI's names.
func (t turn) usage() object {
	return object{
		"prompt_tokens": t.prompt, "completion_tokens": t.completion, "total_tokens": t.prompt + t.completion,
	}
}

// detailed is usage with how much of it was cached and how much was reasoning.
func (t turn) detailed() object {
	return joined(t.usage(), object{
		"prompt_tokens_details":     object{"cached_tokens": cached},
		"completion_tokens_details": object{"reasoning_tokens": reasoned},
	})
}

// Counts of the details of each usage, in tokens.
const (
	cached   = 64
	reasoned = 8
)

// fragments writes each call in three chunks: its name, then its arguments in two
// halves, with these fields beside them and in their function.
func (s *stream) fragments(t turn, first int, later, function object) {
	for i, call := range t.calls {
		s.delta(calls(object{
			"index": first + i, "id": call.id, "type": "function",
			"function": object{"name": call.name, "arguments": ""},
		}))
		for _, piece := range halves(call.arguments) {
			arguments := joined(object{"arguments": piece}, function)
			s.delta(calls(joined(object{"index": first + i, "function": arguments}, later)))
		}
	}
}

// whole is a call in one piece.
func (c turnCall) whole() object {
	return object{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.arguments}}
}

// calls is a delta with one entry of a call.
func calls(entry object) object { return object{"tool_calls": []any{entry}} }

func halves(text string) []string { return []string{text[:len(text)/2], text[len(text)/2:]} }

// joined returns the members of both objects, those of the second before those of
// the first.
func joined(a, b object) object {
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}

// entries makes a list of models, each with its name under id and these fields.
func entries(models []string, prefix string, fields object) []any {
	list := make([]any, len(models))
	for i, model := range models {
		list[i] = joined(object{"id": prefix + model, "object": "model"}, fields)
	}
	return list
}

// listing is a list of models as OpenAI has it.
func listing(fields object) func(models []string) any {
	return func(models []string) any {
		return object{"object": "list", "data": entries(models, "", fields)}
	}
}

// signed is a signature of a text, which is refused with any other.
func signed(text string) string {
	sum := sha256.Sum256([]byte("signed " + text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

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

// writeLine writes an event of one line.
func (s *stream) writeLine(text string) {
	if s.gone {
		return
	}
	_, err := s.w.Write([]byte(text + s.end + s.end))
	s.gone = err != nil || http.NewResponseController(s.w).Flush() != nil
}

// writeChunk writes a chunk with these fields beside those of the head.
func (s *stream) writeChunk(fields object) {
	text, err := json.Marshal(joinObjects(s.head, fields))
	if err != nil {
		panic(fmt.Sprintf("marshal a chunk: %v", err))
	}
	s.writeLine("data: " + string(text))
}

// writeDelta writes a chunk with one choice that goes on.
func (s *stream) writeDelta(delta object) { s.writeChoice(delta, nil, nil) }

// writeFinish writes a chunk with one choice that ends, and these fields.
func (s *stream) writeFinish(reason string, fields object) { s.writeChoice(object{}, reason, fields) }

// writeChoice writes a chunk with one choice, and these fields.
func (s *stream) writeChoice(delta object, finish any, fields object) {
	choice := object{"index": 0, "delta": delta, "finish_reason": finish}
	s.writeChunk(joinObjects(object{"choices": []any{choice}}, fields))
}

// writeTexts writes a text under a name of the delta, in two pieces.
func (s *stream) writeTexts(name, text string, more object) {
	for _, piece := range splitHalves(text) {
		s.writeDelta(joinObjects(object{name: piece}, more))
	}
}

// writeUsage writes the chunk of OpenAI's usage, if it is asked for.
func (s *stream) writeUsage(t turn, usage object) {
	if t.asked {
		s.writeChunk(object{"choices": []any{}, "usage": usage})
	}
}

func (s *stream) writeDone() { s.writeLine("data: [DONE]") }

// finishReason is the finish reason as OpenAI has it.
func (t turn) finishReason() string {
	if len(t.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

// usageFields counts the tokens under OpenAI's names.
func (t turn) usageFields() object {
	return object{
		"prompt_tokens": t.prompt, "completion_tokens": t.completion, "total_tokens": t.prompt + t.completion,
	}
}

// detailedUsage is usage with how much of it was cached and how much was reasoning.
func (t turn) detailedUsage() object {
	return joinObjects(t.usageFields(), object{
		"prompt_tokens_details":     object{"cached_tokens": cached},
		"completion_tokens_details": object{"reasoning_tokens": reasoned},
	})
}

// Counts of the details of each usage, in tokens.
const (
	cached   = 64
	reasoned = 8
)

// writeFragments writes each call in three chunks: its name, then its arguments in two
// halves, with these fields beside them and in their function.
func (s *stream) writeFragments(t turn, first int, later, function object) {
	for i, call := range t.calls {
		s.writeDelta(callsDelta(object{
			"index": first + i, "id": call.id, "type": "function",
			"function": object{"name": call.name, "arguments": ""},
		}))
		for _, piece := range splitHalves(call.arguments) {
			arguments := joinObjects(object{"arguments": piece}, function)
			s.writeDelta(callsDelta(joinObjects(object{"index": first + i, "function": arguments}, later)))
		}
	}
}

// wholeCall is a call in one piece.
func (c turnCall) wholeCall() object {
	return object{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.arguments}}
}

// callsDelta is a delta with one entry of a call.
func callsDelta(entry object) object { return object{"tool_calls": []any{entry}} }

func splitHalves(text string) []string { return []string{text[:len(text)/2], text[len(text)/2:]} }

// joinObjects returns the members of both objects, those of the second before those of
// the first.
func joinObjects(a, b object) object {
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}

// modelEntries makes a list of models, each with its name under id and these fields.
func modelEntries(models []string, prefix string, fields object) []any {
	list := make([]any, len(models))
	for i, model := range models {
		list[i] = joinObjects(object{"id": prefix + model, "object": "model"}, fields)
	}
	return list
}

// newListing is a list of models as OpenAI has it.
func newListing(fields object) func(models []string) any {
	return func(models []string) any {
		return object{"object": "list", "data": modelEntries(models, "", fields)}
	}
}

// signText is a signature of a text, which is refused with any other.
func signText(text string) string {
	sum := sha256.Sum256([]byte("signed " + text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// responsesForm writes a reply as the events of Responses.
type responsesForm struct {
	w      http.ResponseWriter
	server *Server
	events int
	// items are those that have ended, and current is the one that has not; nil for none.
	items   []any
	current map[string]any
	// text is what came of the current item, and encrypted the reasoning so far, which
	// leads to the calls behind it.
	text, encrypted string
}

func (s *Server) newResponsesForm(w http.ResponseWriter) *responsesForm {
	return &responsesForm{w: w, server: s}
}

// send sends one event.
func (f *responsesForm) send(kind string, data map[string]any) bool {
	if f.events == 0 && kind != "response.created" {
		if !f.send("response.created", map[string]any{"response": f.response("in_progress", nil)}) {
			return false
		}
	}
	data["type"], data["sequence_number"] = kind, f.events
	f.events++
	text, err := json.Marshal(data)
	if err != nil {
		panic(fmt.Sprintf("marshal scripted event: %v", err))
	}
	return sendLine(f.w, "event: "+kind+"\ndata: "+string(text)+"\n")
}

func (f *responsesForm) response(status string, more map[string]any) map[string]any {
	response := map[string]any{
		"id": "resp_scripted", "object": "response", "status": status, "output": f.items,
		"error": nil, "incomplete_details": nil, "usage": nil,
	}
	for name, value := range more {
		response[name] = value
	}
	return response
}

// begin begins an item of a type, unless it is the current one's.
func (f *responsesForm) begin(kind string, item map[string]any) bool {
	if f.current != nil && f.current["type"] == kind && kind != "function_call" {
		return true
	}
	if !f.end() {
		return false
	}
	item["id"], item["type"] = fmt.Sprintf("item_%d_%d", f.server.countRequests(), len(f.items)), kind
	f.current, f.text = item, ""
	return f.send("response.output_item.added", map[string]any{"output_index": len(f.items), "item": item})
}

// end ends the current item.
func (f *responsesForm) end() bool {
	item := f.current
	if item == nil {
		return true
	}
	switch item["type"] {
	case "message":
		item["content"] = []any{map[string]any{"type": "output_text", "text": f.text, "annotations": []any{}}}
	case "reasoning":
		item["summary"] = []any{map[string]any{"type": "summary_text", "text": f.text}}
		f.encrypted = fmt.Sprintf("encrypted:%s", item["id"])
		item["encrypted_content"], item["status"] = f.encrypted, nil
	case "function_call":
		f.server.keepReason(fmt.Sprint(item["call_id"]), f.encrypted)
	}
	f.items, f.current = append(f.items, item), nil
	return f.send("response.output_item.done", map[string]any{"output_index": len(f.items) - 1, "item": item})
}

// sendDelta sends a piece of the current item.
func (f *responsesForm) sendDelta(kind, piece string, more map[string]any) bool {
	f.text += piece
	data := map[string]any{"output_index": len(f.items), "item_id": f.current["id"], "delta": piece}
	for name, value := range more {
		data[name] = value
	}
	return f.send(kind, data)
}

func (f *responsesForm) sendText(text string) bool {
	return f.begin("message", map[string]any{"role": "assistant", "content": []any{}}) &&
		f.sendDelta("response.output_text.delta", text, map[string]any{"content_index": 0})
}

func (f *responsesForm) sendReasoning(text string) bool {
	return f.begin("reasoning", map[string]any{"summary": []any{}}) &&
		f.sendDelta("response.reasoning_summary_text.delta", text, map[string]any{"summary_index": 0})
}

// sendCall sends a call with its arguments in one piece, and their end.
func (f *responsesForm) sendCall(c call) bool {
	item := map[string]any{"call_id": c.id, "name": c.name, "arguments": ""}
	if !f.begin("function_call", item) {
		return false
	}
	if c.arguments != "" && !f.sendDelta("response.function_call_arguments.delta", c.arguments, nil) {
		return false
	}
	item["arguments"] = c.arguments
	return f.end()
}

func (f *responsesForm) close(reply Reply) {
	if !f.end() {
		return
	}
	more := map[string]any{}
	if reply.usage != nil {
		more["usage"] = map[string]any{
			"input_tokens": reply.usage.prompt, "input_tokens_details": map[string]any{"cached_tokens": reply.usage.cached},
			"output_tokens": reply.usage.completion, "output_tokens_details": map[string]any{"reasoning_tokens": reply.usage.reasoning},
		}
	}
	switch reply.finish {
	case "none":
	case "stop", "tool_calls", "function_call":
		f.send("response.completed", map[string]any{"response": f.response("completed", more)})
	default:
		reason := reply.finish
		if reason == "length" {
			reason = "max_output_tokens"
		}
		more["incomplete_details"] = map[string]any{"reason": reason}
		f.send("response.incomplete", map[string]any{"response": f.response("incomplete", more)})
	}
}

package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// messagesForm writes a reply as the events of Messages.
type messagesForm struct {
	w      http.ResponseWriter
	server *Server
	body   []byte
	begun  bool
	// blocks counts those that have begun, and open is the type of the one that has not
	// ended; empty for none.
	blocks int
	open   string
	// signature is that of the thinking so far, which leads to the calls behind it.
	signature string
}

func (s *Server) newMessagesForm(w http.ResponseWriter, body []byte) *messagesForm {
	return &messagesForm{w: w, server: s, body: body}
}

// send sends one event.
func (f *messagesForm) send(kind string, data map[string]any) bool {
	if !f.begun && kind != "message_start" {
		f.begun = true
		begin := map[string]any{"id": "msg_scripted", "type": "message", "role": "assistant", "content": []any{}, "stop_reason": nil}
		if !f.send("message_start", map[string]any{"message": begin}) {
			return false
		}
	}
	data["type"] = kind
	text, err := json.Marshal(data)
	if err != nil {
		panic(fmt.Sprintf("marshal scripted event: %v", err))
	}
	return sendLine(f.w, "event: "+kind+"\ndata: "+string(text)+"\n")
}

// begin begins a block of a type, unless it is the open one's.
func (f *messagesForm) begin(kind string, block map[string]any) bool {
	if f.open == kind && kind != "tool_use" {
		return true
	}
	if !f.end() {
		return false
	}
	f.open, block["type"] = kind, kind
	return f.send("content_block_start", map[string]any{"index": f.blocks, "content_block": block})
}

// end ends the open block.
func (f *messagesForm) end() bool {
	if f.open == "" {
		return true
	}
	if f.open == "thinking" {
		f.signature = fmt.Sprintf("signed:%d:%d", f.server.countRequests(), f.blocks)
		if !f.sendDelta(map[string]any{"type": "signature_delta", "signature": f.signature}) {
			return false
		}
	}
	f.open = ""
	f.blocks++
	return f.send("content_block_stop", map[string]any{"index": f.blocks - 1})
}

func (f *messagesForm) sendDelta(delta map[string]any) bool {
	return f.send("content_block_delta", map[string]any{"index": f.blocks, "delta": delta})
}

func (f *messagesForm) sendText(text string) bool {
	return f.begin("text", map[string]any{"text": ""}) && f.sendDelta(map[string]any{"type": "text_delta", "text": text})
}

func (f *messagesForm) sendReasoning(text string) bool {
	return f.begin("thinking", map[string]any{"thinking": "", "signature": ""}) &&
		f.sendDelta(map[string]any{"type": "thinking_delta", "thinking": text})
}

func (f *messagesForm) sendCall(c call) bool {
	if !f.begin("tool_use", map[string]any{"id": c.id, "name": c.name, "input": map[string]any{}}) {
		return false
	}
	f.server.keepReason(c.id, f.signature)
	return (c.arguments == "" || f.sendDelta(map[string]any{"type": "input_json_delta", "partial_json": c.arguments})) && f.end()
}

func (f *messagesForm) close(reply Reply) {
	if !f.end() || reply.finish == "none" {
		return
	}
	reasons := map[string]string{"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}
	reason := reasons[reply.finish]
	if reason == "" {
		reason = reply.finish
	}
	data := map[string]any{"delta": map[string]any{"stop_reason": reason}}
	switch {
	case reply.counted:
		data["usage"] = f.server.countCached(f.body)
	case reply.usage != nil:
		data["usage"] = map[string]any{
			"input_tokens": reply.usage.prompt - reply.usage.cached, "cache_read_input_tokens": reply.usage.cached,
			"output_tokens": reply.usage.completion, "output_tokens_details": map[string]any{"thinking_tokens": reply.usage.reasoning},
		}
	}
	if f.send("message_delta", data) {
		f.send("message_stop", map[string]any{})
	}
}

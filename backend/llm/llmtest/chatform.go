package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// chatForm writes a reply as chunks of chat completions.
type chatForm struct {
	w     http.ResponseWriter
	model string
	calls int
}

func (f *chatForm) sendText(text string) bool {
	return f.sendDelta(map[string]any{"content": text})
}

func (f *chatForm) sendReasoning(text string) bool {
	return f.sendDelta(map[string]any{"reasoning_content": text})
}

// sendCall opens a call in one chunk and gives its arguments in a second.
func (f *chatForm) sendCall(c call) bool {
	index := f.calls
	f.calls++
	opening := map[string]any{
		"index": index, "type": "function",
		"function": map[string]any{"name": c.name, "arguments": ""},
	}
	if c.id != "" {
		opening["id"] = c.id
	}
	if !f.sendDelta(map[string]any{"tool_calls": []any{opening}}) {
		return false
	}
	rest := map[string]any{"index": index, "function": map[string]any{"arguments": c.arguments}}
	return c.arguments == "" || f.sendDelta(map[string]any{"tool_calls": []any{rest}})
}

// close ends a reply that was not cut: finish, usage, [DONE].
func (f *chatForm) close(reply Reply) {
	if reply.finish != "none" {
		choice := map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reply.finish}
		if !f.sendChunk([]any{choice}, nil) {
			return
		}
	}
	if reply.usage != nil && !f.sendChunk([]any{}, usageJSON(*reply.usage)) {
		return
	}
	sendLine(f.w, "data: [DONE]\n")
}

func usageJSON(u usage) map[string]any {
	return map[string]any{
		"prompt_tokens": u.prompt, "completion_tokens": u.completion, "total_tokens": u.prompt + u.completion,
		"prompt_tokens_details":     map[string]any{"cached_tokens": u.cached},
		"completion_tokens_details": map[string]any{"reasoning_tokens": u.reasoning},
	}
}

func (f *chatForm) sendDelta(delta map[string]any) bool {
	return f.sendChunk([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": nil}}, nil)
}

func (f *chatForm) sendChunk(choices []any, usage map[string]any) bool {
	chunk := map[string]any{
		"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1735689600,
		"model": f.model, "choices": choices,
	}
	if usage != nil {
		chunk["usage"] = usage
	}
	text, err := json.Marshal(chunk)
	if err != nil {
		panic(fmt.Sprintf("marshal scripted chunk: %v", err))
	}
	return sendLine(f.w, "data: "+string(text)+"\n")
}

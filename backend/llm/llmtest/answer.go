package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// answer writes one reply as a stream of chunks.
type answer struct {
	w     http.ResponseWriter
	model string
	calls int
}

// write sends the reply. It returns early when ctx ends or a write fails.
func (a *answer) write(ctx context.Context, reply Reply) {
	for name, values := range reply.header {
		a.w.Header()[name] = values
	}
	if a.w.Header().Get("Content-Type") == "" {
		a.w.Header().Set("Content-Type", contentType(reply.status))
	}
	for _, s := range reply.steps {
		if !a.sendStep(ctx, reply.status, s) {
			return
		}
	}
	a.close(reply)
}

func contentType(status int) string {
	if status == http.StatusOK {
		return "text/event-stream"
	}
	return "application/json"
}

// sendStep does one step of a reply and reports whether the reply goes on.
func (a *answer) sendStep(ctx context.Context, status int, s step) bool {
	switch s.kind {
	case stepText:
		return a.sendDelta(map[string]any{"content": s.text})
	case stepReasoning:
		return a.sendDelta(map[string]any{"reasoning_content": s.text})
	case stepCall:
		return a.sendCall(s.call)
	case stepWait:
		return sleepFor(ctx, s.wait)
	case stepHang:
		<-ctx.Done()
		return false
	case stepRaw:
		return a.sendLine(s.text)
	case stepBody:
		a.w.WriteHeader(status)
		// The client may be gone; there is nobody else to tell.
		_, _ = a.w.Write([]byte(s.text))
		return false
	default: // stepCut
		return false
	}
}

// sendCall opens a call in one chunk and gives its arguments in a second.
func (a *answer) sendCall(c call) bool {
	index := a.calls
	a.calls++
	opening := map[string]any{
		"index": index, "type": "function",
		"function": map[string]any{"name": c.name, "arguments": ""},
	}
	if c.id != "" {
		opening["id"] = c.id
	}
	if !a.sendDelta(map[string]any{"tool_calls": []any{opening}}) {
		return false
	}
	rest := map[string]any{"index": index, "function": map[string]any{"arguments": c.arguments}}
	return c.arguments == "" || a.sendDelta(map[string]any{"tool_calls": []any{rest}})
}

// close ends a reply that was not cut: finish, usage, [DONE].
func (a *answer) close(reply Reply) {
	if reply.finish != "none" {
		choice := map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reply.finish}
		if !a.sendChunk([]any{choice}, nil) {
			return
		}
	}
	if reply.usage != nil && !a.sendChunk([]any{}, usageJSON(*reply.usage)) {
		return
	}
	a.sendLine("data: [DONE]\n")
}

func usageJSON(u usage) map[string]any {
	return map[string]any{
		"prompt_tokens": u.prompt, "completion_tokens": u.completion, "total_tokens": u.prompt + u.completion,
		"prompt_tokens_details":     map[string]any{"cached_tokens": u.cached},
		"completion_tokens_details": map[string]any{"reasoning_tokens": u.reasoning},
	}
}

func (a *answer) sendDelta(delta map[string]any) bool {
	return a.sendChunk([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": nil}}, nil)
}

func (a *answer) sendChunk(choices []any, usage map[string]any) bool {
	chunk := map[string]any{
		"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1735689600,
		"model": a.model, "choices": choices,
	}
	if usage != nil {
		chunk["usage"] = usage
	}
	text, err := json.Marshal(chunk)
	if err != nil {
		panic(fmt.Sprintf("marshal scripted chunk: %v", err))
	}
	return a.sendLine("data: " + string(text) + "\n")
}

// sendLine sends one line at once, so that a client sees each chunk as it is made.
func (a *answer) sendLine(text string) bool {
	if _, err := a.w.Write([]byte(text + "\n")); err != nil {
		return false
	}
	return http.NewResponseController(a.w).Flush() == nil
}

// sleepFor waits and reports whether ctx is still alive.
func sleepFor(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

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
		if !a.step(ctx, reply.status, s) {
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

// step does one step of a reply and says whether the reply goes on.
func (a *answer) step(ctx context.Context, status int, s step) bool {
	switch s.kind {
	case stepText:
		return a.delta(map[string]any{"content": s.text})
	case stepReasoning:
		return a.delta(map[string]any{"reasoning_content": s.text})
	case stepCall:
		return a.call(s.call)
	case stepWait:
		return sleep(ctx, s.wait)
	case stepHang:
		<-ctx.Done()
		return false
	case stepRaw:
		return a.line(s.text)
	case stepBody:
		a.w.WriteHeader(status)
		// The client may be gone; there is nobody else to tell.
		_, _ = a.w.Write([]byte(s.text))
		return false
	default: // stepCut
		return false
	}
}

// call opens a call in one chunk and gives its arguments in a second.
func (a *answer) call(c call) bool {
	index := a.calls
	a.calls++
	opening := map[string]any{
		"index": index, "type": "function",
		"function": map[string]any{"name": c.name, "arguments": ""},
	}
	if c.id != "" {
		opening["id"] = c.id
	}
	if !a.delta(map[string]any{"tool_calls": []any{opening}}) {
		return false
	}
	rest := map[string]any{"index": index, "function": map[string]any{"arguments": c.arguments}}
	return c.arguments == "" || a.delta(map[string]any{"tool_calls": []any{rest}})
}

// close ends a reply that was not cut: finish, usage, [DONE].
func (a *answer) close(reply Reply) {
	if reply.finish != "none" {
		choice := map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reply.finish}
		if !a.chunk([]any{choice}, nil) {
			return
		}
	}
	if reply.usage != nil && !a.chunk([]any{}, usageJSON(*reply.usage)) {
		return
	}
	a.line("data: [DONE]\n")
}

func usageJSON(u usage) map[string]any {
	return map[string]any{
		"prompt_tokens": u.prompt, "completion_tokens": u.completion, "total_tokens": u.prompt + u.completion,
		"prompt_tokens_details":     map[string]any{"cached_tokens": u.cached},
		"completion_tokens_details": map[string]any{"reasoning_tokens": u.reasoning},
	}
}

func (a *answer) delta(delta map[string]any) bool {
	return a.chunk([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": nil}}, nil)
}

func (a *answer) chunk(choices []any, usage map[string]any) bool {
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
	return a.line("data: " + string(text) + "\n")
}

// line sends one line at once, so that a client sees each chunk as it is made.
func (a *answer) line(text string) bool {
	if _, err := a.w.Write([]byte(text + "\n")); err != nil {
		return false
	}
	return http.NewResponseController(a.w).Flush() == nil
}

// sleep waits and says whether ctx is still alive.
func sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

package llmtest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestFamilyShapes holds each family to what is peculiar to its answers. The words of
// a test are apart by " … ", in the order in which they come; those of not may not
// come at all.
func TestFamilyShapes(t *testing.T) {
	for _, test := range []struct{ family, part, want, not string }{
		{"openai", "list", `"id":"gpt-5.1" … "owned_by":"system"`, "display_name"},
		{"anthropic", "list", `"display_name":"Claude … "type":"model" … "first_id" … "has_more":false`, `"object":`},
		{"gemini", "list", `"display_name":"Gemini","id":"models/gemini`, ""},
		{"moonshot", "list", `"context_length":262144`, ""},
		{"mistral", "list", `"capabilities":{ … "max_context_length":131072`, ""},
		{"groq", "list", `"context_window":131072`, ""},
		{"openrouter", "list", `"context_length":200000 … "pricing":{ … "supported_parameters":[`, `"object":`},
		{"perplexity", "list", `{"detail":"Not Found"}`, "data"},
		{"ollama", "list", `"owned_by":"library"`, ""},
		{"llamacpp", "list", `"n_ctx_train":40960 … "models":[`, ""},
		{"lmstudio", "list", `"owned_by":"organization_owner"`, "created"},
		{"vllm", "list", `"max_model_len":40960`, ""},
		{"openai", "call", `"usage":null … "arguments":"","name":"f" … "arguments":"{" … "arguments":"}" … "finish_reason":"tool_calls" … "choices":[] … "usage":{ … [DONE]`, ""},
		{"anthropic", "call", `"index":1,"type":"function" … "finish_reason":"tool_calls"`, "usage"},
		{"gemini", "call", `"extra_content":{"google":{"thought_signature": … "arguments":"{}" … "finish_reason":"stop" … "usage":{`, `"index":1`},
		{"deepseek", "call", `: keep-alive … "reasoning_content":"I look … "id":"call_00_ … "finish_reason":"tool_calls" … "prompt_cache_hit_tokens":64`, `"choices":[]`},
		{"deepseek", "text", `"completion_tokens":10 … "completion_tokens":20`, ""},
		{"dashscope", "call", `"usage":null … "id":"call_0 … "arguments":"{"},"id":"","index":0,"type":"function" … "choices":[]`, ""},
		{"moonshot", "call", `"id":"functions.f:0" … "finish_reason":"tool_calls","index":0,"usage":{"cached_tokens":64`, `"choices":[]`},
		{"zai", "call", `"reasoning_content":"I look … "arguments":"{}","name":"f"},"id":"call_- … "finish_reason":"tool_calls" … "usage":{`, `"object"`},
		{"mistral", "call", `"tool_calls":[{"function":{"arguments":"{}","name":"f"},"id":"m00000000"}]},"finish_reason":"tool_calls" … "usage":{`, `"type":"function"`},
		{"groq", "call", `"x_groq":{"id":"req_test"} … "channel":"analysis","reasoning":"I look … "arguments":"{}" … "x_groq":{"id":"req_test","usage":{ … "choices":[]`, "reasoning_content"},
		{"xai", "call", `"reasoning_content":"I look … "arguments":"{}","name":"f"},"id":"call_00000000" … "choices":[]`, ""},
		{"openrouter", "call", `: OPENROUTER PROCESSING … "reasoning":"I look … "reasoning_details":[{ … "signature":" … "finish_reason":"tool_calls" … "cost":`, `"choices":[]`},
		{"perplexity", "call", `: ping` + "\r\n\r\n" + ` … "delta":{"content":"perplexit" … "message":{"content":"perplexit" … "delta":{"content":"y is done." … "message":{"content":"perplexity is done."`, "[DONE]"},
		{"ollama", "call", `"reasoning":"I look … "arguments":"{}","name":"f"},"id":"call_00000000","index":0 … "choices":[]`, "reasoning_content"},
		{"llamacpp", "call", `"reasoning_content":"I look … "arguments":"{" … "timings":{ … "choices":[]`, ""},
		{"lmstudio", "call", `"id":"100000000" … "arguments":"{","name":""},"index":0,"type":"function" … "choices":[]`, ""},
		{"vllm", "call", `"reasoning":"I look … "id":"chatcmpl-tool-0 … "stop_reason":null … "choices":[]`, ""},
		{"deepseek", "busy", "application/octet-stream … too busy", ""},
		{"gemini", "busy", `[{"error":{ … "retryDelay":"12s"`, "PerDay"},
		{"openrouter", "busy", `"X-RateLimit-Reset":"1`, "{reset}"},
		{"perplexity", "key", "text/html … <title>401", "error"},
		{"lmstudio", "overflow", "text/event-stream … event: error\ndata: {", ""},
		{"vllm", "model", "The model `Qwen/Qwen3-8B` does not exist.", "{model}"},
	} {
		t.Run(test.family+" "+test.part, func(t *testing.T) {
			got := part(t, test.family, test.part)
			rest := got
			for _, want := range strings.Split(test.want, " … ") {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("%s is missing, or not where it belongs:\n%s", want, got)
				}
				rest = after
			}
			if test.not != "" && strings.Contains(got, test.not) {
				t.Errorf("%s is there:\n%s", test.not, got)
			}
		})
	}
}

// part is an answer of a family with its content type: its list, a call, a text, or
// what it says in a mode.
func part(t *testing.T, name, part string) string {
	t.Helper()
	f, err := NewFamily(name)
	if err != nil {
		t.Fatal(err)
	}
	tools, method, path := `,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`, http.MethodPost, "/chat/completions"
	switch part {
	case "list":
		method, path = http.MethodGet, "/models"
	case "text":
		tools = ""
	case "call":
	default:
		if err := f.SetMode(Mode(part)); err != nil {
			t.Fatal(err)
		}
	}
	body := talk(f.Models()[0], `{"role":"user","content":"u"}`, `,"stream_options":{"include_usage":true}`+tools)
	r := httptest.NewRequest(method, "http://family.invalid"+f.Base()+path, strings.NewReader(body))
	r.Header.Set("X-Api-Key", "any")
	r.Header.Set("Anthropic-Version", "2023-06-01")
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w.Header().Get("Content-Type") + "\n" + w.Body.String()
}

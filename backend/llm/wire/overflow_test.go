package wire_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
)

// failed is the error that an answer becomes.
func failed(t *testing.T, status int, body string) *llm.Error {
	t.Helper()
	_, err := ask(t, t.Context(), &wire.Transport{Base: answering{status: status, body: []byte(body)}}, "http://x.invalid")
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %#v", err)
	}
	return e
}

func TestRET01_TheWindowThatAnOverflowNames(t *testing.T) {
	for _, test := range []struct {
		name, message string
		window        int
	}{
		{"OpenAI", "This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 tokens. Please reduce the length of the messages.", 4097},
		{"OpenAI, configured", "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300002 tokens.", 272000},
		{"OpenAI, no number", "Your input exceeds the context window of this model", 0},
		{"DeepSeek", "This model's maximum context length is 1048565 tokens. However, you requested 1250025 tokens (1250025 in the messages, 0 in the completion). Please reduce the length of the messages or completion.", 1048565},
		{"OpenRouter", "This endpoint's maximum context length is 200000 tokens. However, you requested about 2500021 tokens", 200000},
		{"Anthropic", "prompt is too long: 213462 tokens > 200000 maximum", 200000},
		{"Anthropic, with the reply", "input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease input length or `max_tokens` and try again", 200000},
		{"Anthropic, no number", "input length and `max_tokens` exceed context limit", 0},
		{"Anthropic, bytes", "request_too_large: Request exceeds the maximum size of 33554432 bytes", 0},
		{"Gemini", "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).", 1048575},
		{"xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131072},
		{"Moonshot", "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)", 262144},
		{"z.ai", "Prompt exceeds max length", 0},
		{"z.ai, by its finish", "model_context_window_exceeded", 0},
		{"DashScope", "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]", 983616},
		{"llama.cpp", "request (17993 tokens) exceeds the available context size (16384 tokens), try increasing it", 16384},
		{"older llama.cpp", "the request exceeds the available context size. try increasing the context size or enable context shift", 0},
		{"Ollama", "prompt too long; exceeded max context length by 1119046 tokens", 0},
		{"vLLM", "This model's maximum context length is 40960 tokens. However, you requested 100 output tokens and your prompt contains at least 40861 input tokens. (parameter=input_tokens, value=40861)", 40960},
		{"vLLM, the reply", "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).", 4096},
		{"LM Studio", "Trying to keep the first 14538 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough.", 2048},
		{"LM Studio, newer", "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 4158>= n_ctx: 4096). Try to load the model with a larger context length.", 4096},
		{"LM Studio, MLX", "Context size has been exceeded.", 0},
		{"LiteLLM", "Requested token count 300000 exceeds model's maximum context length (262144)", 262144},
		{"Mistral", "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32768},
		{"MiniMax, with its code", "invalid params, context window exceeds limit (2013)", 0},
		{"Together", "The input (40000 tokens) is longer than the model's context length (32768 tokens).", 32768},
		{"OpenAI, a limit of the account", "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 52000.", 0},
		{"thousands with commas", "This endpoint's maximum context length is 1,048,576 tokens. However, you requested 1,293,741 tokens", 1048576},
		{"followed by a comma", "This model's maximum context length is 8191 tokens, however you requested 10346 tokens", 8191},
		{"thousands as k", "This model's maximum context length is 128k tokens", 0},
		{"too small for a window", "This model's maximum context length is 100 tokens", 0},
		{"too large for a window", "This model's maximum context length is 100000001 tokens", 0},
		{"too large for a number", "This model's maximum context length is 99999999999999999999 tokens", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			quoted, err := json.Marshal(test.message)
			if err != nil {
				t.Fatal(err)
			}
			for _, body := range []string{
				`{"error":{"message":` + string(quoted) + `}}`,
				`[{"error":{"code":400,"message":` + string(quoted) + `}}]`,
				`{"error":` + string(quoted) + `}`,
				test.message,
			} {
				got := failed(t, http.StatusBadRequest, body)
				if got.Class != llm.ContextOverflow || got.Window != test.window {
					t.Errorf("%s: %s, a window of %d, want %d", body, got.FailCode(), got.Window, test.window)
				}
			}
		})
	}
}

func TestRET01_TheWindowBesideTheMessage(t *testing.T) {
	for _, test := range []struct {
		name   string
		status int
		body   string
		class  llm.Class
		window int
	}{
		{"llama.cpp", 400, `{"error":{"code":400,"message":"too long","type":"exceed_context_size_error","n_prompt_tokens":17993,"n_ctx":16384}}`, llm.ContextOverflow, 16384},
		{"as text", 400, `{"error":{"message":"too long","type":"exceed_context_size_error","n_ctx":"16384"}}`, llm.ContextOverflow, 16384},
		{"passed on by OpenRouter", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"prompt is too long: 213462 tokens \\u003e 200000 maximum\"}}"}}}`, llm.ContextOverflow, 200000},
		{"passed on from llama.cpp", 400, `{"error":{"message":"Provider returned error","metadata":{"raw":"{\"type\":\"exceed_context_size_error\",\"n_ctx\":8192}"}}}`, llm.ContextOverflow, 8192},
		{"the message before what it quotes", 400, `{"detail":"maximum context length is 9999","error":{"message":"prompt is too long: 213462 tokens > 200000 maximum"}}`, llm.ContextOverflow, 200000},
		{"Perplexity", 400, `{"error":{"message":"too long","type":"too_many_prompt_tokens","code":400}}`, llm.ContextOverflow, 0},
		{"413 without a body", 413, "", llm.ContextOverflow, 0},
		{"413 of a gateway", 413, "<html><title>413 Request Entity Too Large</title></html>", llm.ContextOverflow, 0},
		{"Bedrock's throttling", 429, `{"message":"ThrottlingException: Too many tokens, please wait before trying again."}`, llm.RateLimited, 0},
		{"OpenRouter's bill", 402, `{"error":{"message":"Prompt tokens limit exceeded: 36163 > 29652","code":402}}`, llm.Quota, 0},
		{"the length of the reply", 400, `{"error":{"message":"max_tokens exceeds the limit of 8192"}}`, llm.BadRequest, 0},
		{"a rate that names a window", 429, `{"error":{"message":"slow","n_ctx":16384}}`, llm.RateLimited, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := failed(t, test.status, test.body)
			if got.Class != test.class || got.Window != test.window {
				t.Errorf("%s, a window of %d", got.FailCode(), got.Window)
			}
		})
	}
}

// TestTheWindowOfAnOverflowInAnAnswer goes the way of errors that come with 200.
func TestTheWindowOfAnOverflowInAnAnswer(t *testing.T) {
	const overflow = `{"error":{"message":"This model's maximum context length is 40960 tokens."}}`
	for name, answer := range map[string]string{
		"JSON":     overflow,
		"a stream": "data: " + overflow + "\n\n",
		"an event": "event: error\ndata: " + overflow + "\n\n",
		"a field":  "error: " + overflow + "\n\n",
	} {
		if got := failed(t, http.StatusOK, answer); got.Class != llm.ContextOverflow || got.Window != 40960 {
			t.Errorf("%s: %s, a window of %d", name, got.FailCode(), got.Window)
		}
	}
}

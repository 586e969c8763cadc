package llmtest

import "fmt"

// llamacppProfile serves the one model it was started with, whatever its name in the
// request.
func llamacppProfile() profile {
	return profile{
		base:   "/v1",
		models: []string{"Qwen3-8B-Q4_K_M.gguf"},
		list: func(models []string) any {
			data := modelEntries(models, "", object{"created": 1762900000, "owned_by": "llamacpp", "meta": object{
				"vocab_type": 2, "n_vocab": 151936, "n_ctx_train": 40960, "n_embd": 4096, "n_params": 8190735360, "size": 5020000000,
			}})
			return object{"object": "list", "data": data, "models": []any{object{
				"name": models[0], "model": models[0], "modified_at": "", "size": "", "digest": "", "type": "model",
				"tags": []any{""}, "capabilities": []any{"completion"}, "details": object{"format": "gguf"},
			}}}
		},
		refusals: map[Mode]refusal{
			WrongKey: newRefusal(401, `{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}`),
			Overflow: newRefusal(400, `{"error":{"code":400,"message":"request (17993 tokens) exceeds the available context size (16384 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":17993,"n_ctx":16384}}`),
			Busy:     newRefusal(503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`),
		},
		refuse: sayingIn(`{"error":{"code":{status},"message":{message},"type":"invalid_request_error"}}`),
		callID: func(n int, _ string) string { return fmt.Sprintf("%032d", n) },
		answer: func(s *stream, t turn) {
			s.head["system_fingerprint"] = "b7000-test"
			s.writeDelta(object{"role": "assistant", "content": nil})
			s.writeTexts("reasoning_content", t.thought, nil)
			s.writeFragments(t, 0, nil, nil)
			s.writeTexts("content", t.text, nil)
			timings := object{"timings": object{"prompt_n": t.prompt, "prompt_ms": 12.5, "predicted_n": t.completion, "predicted_ms": 80.25}}
			s.writeFinish(t.finishReason(), timings)
			s.writeUsage(t, t.usageFields())
			s.writeDone()
		},
	}
}

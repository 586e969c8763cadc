package llmtest

import "fmt"

func ollamaProfile() profile {
	return profile{
		base:   "/v1",
		models: []string{"qwen3:8b", "gpt-oss:120b-cloud"},
		list:   listing(object{"created": 1762900000, "owned_by": "library"}),
		// Keys, quotas and limits are those of the models that Ollama itself hosts.
		refusals: map[Mode]refusal{
			WrongKey:     refusing(401, `{"error":{"message":"unauthorized","type":"api_error","param":null,"code":null}}`),
			QuotaUsed:    refusing(429, `{"error":{"message":"you (test) have reached your weekly usage limit, upgrade for higher limits: https://ollama.com/upgrade","type":"api_error","param":null,"code":null}}`),
			Overflow:     refusing(400, `{"error":{"message":"prompt too long; exceeded max context length by 1119046 tokens","type":"invalid_request_error","param":null,"code":null}}`),
			Busy:         refusing(503, `{"error":{"message":"server busy, please try again.  maximum pending requests exceeded","type":"api_error","param":null,"code":null}}`),
			UnknownModel: refusing(404, `{"error":{"message":"model '{model}' not found","type":"not_found_error","param":null,"code":null}}`),
		},
		refuse: form(openaiForm),
		callID: func(n int, _ string) string { return fmt.Sprintf("call_%08d", n) },
		answer: func(s *stream, t turn) {
			s.head["system_fingerprint"] = "fp_ollama"
			s.texts("reasoning", t.thought, object{"role": "assistant", "content": ""})
			for i, call := range t.calls {
				s.delta(object{"role": "assistant", "content": "", "tool_calls": []any{joined(call.whole(), object{"index": i})}})
			}
			s.texts("content", t.text, object{"role": "assistant"})
			s.choice(object{"role": "assistant", "content": ""}, t.reason(), nil)
			s.counted(t, t.usage())
			s.done()
		},
	}
}

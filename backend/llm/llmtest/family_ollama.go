package llmtest

import "fmt"

func ollamaProfile() profile {
	return profile{
		base:   "/v1",
		models: []string{"qwen3:8b", "gpt-oss:120b-cloud"},
		list:   newListing(object{"created": 1762900000, "owned_by": "library"}),
		// Keys, quotas and limits are those of the models that Ollama itself hosts.
		refusals: map[Mode]refusal{
			WrongKey:     newRefusal(401, `{"error":{"message":"unauthorized","type":"api_error","param":null,"code":null}}`),
			QuotaUsed:    newRefusal(429, `{"error":{"message":"you (test) have reached your weekly usage limit, upgrade for higher limits: https://ollama.com/upgrade","type":"api_error","param":null,"code":null}}`),
			Overflow:     newRefusal(400, `{"error":{"message":"prompt too long; exceeded max context length by 1119046 tokens","type":"invalid_request_error","param":null,"code":null}}`),
			Busy:         newRefusal(503, `{"error":{"message":"server busy, please try again.  maximum pending requests exceeded","type":"api_error","param":null,"code":null}}`),
			UnknownModel: newRefusal(404, `{"error":{"message":"model '{model}' not found","type":"not_found_error","param":null,"code":null}}`),
		},
		refuse: sayingIn(openaiForm),
		callID: func(n int, _ string) string { return fmt.Sprintf("call_%08d", n) },
		answer: func(s *stream, t turn) {
			s.head["system_fingerprint"] = "fp_ollama"
			s.writeTexts("reasoning", t.thought, object{"role": "assistant", "content": ""})
			for i, call := range t.calls {
				s.writeDelta(object{"role": "assistant", "content": "", "tool_calls": []any{joinObjects(call.wholeCall(), object{"index": i})}})
			}
			s.writeTexts("content", t.text, object{"role": "assistant"})
			s.writeChoice(object{"role": "assistant", "content": ""}, t.finishReason(), nil)
			s.writeUsage(t, t.usageFields())
			s.writeDone()
		},
	}
}

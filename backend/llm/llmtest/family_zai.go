package llmtest

import "fmt"

func zaiProfile() profile {
	return profile{
		base:   "/api/paas/v4",
		models: []string{"glm-4.6", "glm-4.5-air"},
		list:   listing(object{"created": 1762900000, "owned_by": "z-ai"}),
		refusals: map[Mode]refusal{
			WrongKey:     refusing(401, `{"error":{"code":"401","message":"token expired or incorrect"}}`),
			QuotaUsed:    refusing(429, `{"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}`),
			Overflow:     refusing(400, `{"error":{"code":"1261","message":"Prompt exceeds max length"}}`),
			Busy:         refusing(429, `{"error":{"code":"1302","message":"High concurrency usage of this API, please reduce concurrency or contact customer service to increase limits"}}`),
			UnknownModel: refusing(400, `{"error":{"code":"1211","message":"Unknown Model, please check the model code."}}`),
		},
		refuse: form(`{"error":{"code":"1210","message":{message}}}`),
		callID: func(n int, _ string) string { return fmt.Sprintf("call_-%019d", n) },
		answer: func(s *stream, t turn) {
			delete(s.head, "object")
			s.texts("reasoning_content", t.thought, object{"role": "assistant"})
			for i, call := range t.calls {
				s.delta(joined(calls(joined(call.whole(), object{"index": i})), object{"role": "assistant"}))
			}
			s.texts("content", t.text, object{"role": "assistant"})
			counts := joined(t.usage(), object{"prompt_tokens_details": object{"cached_tokens": cached}})
			s.choice(object{"role": "assistant", "content": ""}, t.reason(), object{"usage": counts})
			s.done()
		},
	}
}

package llmtest

import "fmt"

func zaiProfile() profile {
	return profile{
		base:   "/api/paas/v4",
		models: []string{"glm-4.6", "glm-4.5-air"},
		list:   newListing(object{"created": 1762900000, "owned_by": "z-ai"}),
		refusals: map[Mode]refusal{
			WrongKey:     newRefusal(401, `{"error":{"code":"401","message":"token expired or incorrect"}}`),
			QuotaUsed:    newRefusal(429, `{"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}`),
			Overflow:     newRefusal(400, `{"error":{"code":"1261","message":"Prompt exceeds max length"}}`),
			Busy:         newRefusal(429, `{"error":{"code":"1302","message":"High concurrency usage of this API, please reduce concurrency or contact customer service to increase limits"}}`),
			UnknownModel: newRefusal(400, `{"error":{"code":"1211","message":"Unknown Model, please check the model code."}}`),
		},
		refuse: sayingIn(`{"error":{"code":"1210","message":{message}}}`),
		callID: func(n int, _ string) string { return fmt.Sprintf("call_-%019d", n) },
		answer: func(s *stream, t turn) {
			delete(s.head, "object")
			s.writeTexts("reasoning_content", t.thought, object{"role": "assistant"})
			for i, call := range t.calls {
				s.writeDelta(joinObjects(callsDelta(joinObjects(call.wholeCall(), object{"index": i})), object{"role": "assistant"}))
			}
			s.writeTexts("content", t.text, object{"role": "assistant"})
			counts := joinObjects(t.usageFields(), object{"prompt_tokens_details": object{"cached_tokens": cached}})
			s.writeChoice(object{"role": "assistant", "content": ""}, t.finishReason(), object{"usage": counts})
			s.writeDone()
		},
	}
}

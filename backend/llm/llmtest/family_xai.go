package llmtest

import "fmt"

func xaiProfile() profile {
	return profile{
		base:   "/v1",
		models: []string{"grok-4", "grok-code-fast-1"},
		list:   newListing(object{"created": 1762900000, "owned_by": "xai"}),
		refusals: map[Mode]refusal{
			WrongKey:     newRefusal(400, `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***00. You can obtain an API key from https://console.x.ai."}`),
			QuotaUsed:    newRefusal(429, `{"code":"Some resource has been exhausted","error":"Your team test has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit."}`),
			Overflow:     newRefusal(400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`),
			Busy:         newRefusal(429, `{"code":"Some resource has been exhausted","error":"Too many requests for team test and model {model}. Your team's rate limit is 8 requests per second. Please see https://console.x.ai/team/test/rate-limits."}`),
			UnknownModel: newRefusal(404, `{"code":"Some requested entity was not found","error":"The model {model} does not exist or your team test does not have access to it. Please ensure you're using the correct API key. If you believe this is a mistake, please reach out to support."}`),
		},
		refuse: sayingIn(`{"code":"Client specified an invalid argument","error":{message}}`),
		callID: func(n int, _ string) string { return fmt.Sprintf("call_%08d", n) },
		answer: func(s *stream, t turn) {
			s.head["system_fingerprint"] = "fp_test"
			s.writeTexts("reasoning_content", t.thought, object{"role": "assistant"})
			for i, call := range t.calls {
				s.writeDelta(callsDelta(joinObjects(call.wholeCall(), object{"index": i})))
			}
			s.writeTexts("content", t.text, object{"role": "assistant"})
			s.writeFinish(t.finishReason(), nil)
			s.writeUsage(t, joinObjects(t.detailedUsage(), object{"num_sources_used": 0}))
			s.writeDone()
		},
	}
}

package llmtest

import (
	"fmt"
	"slices"
)

func groqProfile() profile {
	return profile{
		base:   "/openai/v1",
		models: []string{"openai/gpt-oss-120b", "llama-3.3-70b-versatile"},
		list: newListing(object{
			"created": 1762900000, "owned_by": "Groq", "active": true, "context_window": 131072, "public_apps": nil,
			"max_completion_tokens": 65536,
		}),
		refusals: map[Mode]refusal{
			WrongKey: newRefusal(401, `{"error":{"message":"Invalid API Key","type":"invalid_request_error","code":"invalid_api_key"}}`),
			// A day's allowance comes back bit by bit.
			QuotaUsed: newRefusal(429, "{\"error\":{\"message\":\"Rate limit reached for model `{model}` in organization `org_test` service tier `on_demand` on tokens per day (TPD): Limit 100000, Used 99900, Requested 1100. Please try again in 14m24s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}").
				withHeader("Retry-After", "864"),
			Overflow: newRefusal(413, "{\"error\":{\"message\":\"Request too large for model `{model}` in organization `org_test` service tier `on_demand` on tokens per minute (TPM): Limit 8000, Requested 12035, please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}"),
			Busy: newRefusal(429, "{\"error\":{\"message\":\"Rate limit reached for model `{model}` in organization `org_test` service tier `on_demand` on tokens per minute (TPM): Limit 8000, Used 7900, Requested 500. Please try again in 3s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}").
				withHeader("Retry-After", "3").withHeader("X-Ratelimit-Reset-Tokens", "261ms"),
			UnknownModel: newRefusal(404, "{\"error\":{\"message\":\"The model `{model}` does not exist or you do not have access to it.\",\"type\":\"invalid_request_error\",\"code\":\"model_not_found\"}}"),
		},
		refuse: sayingIn(`{"error":{"message":{message},"type":"invalid_request_error"}}`),
		strict: func(s *sent) []fault {
			var faults []fault
			known := slices.Concat(chatFields, []string{"max_completion_tokens", "reasoning_effort", "reasoning_format", "include_reasoning"})
			s.findUnknown(known, func(name string) { faults = append(faults, newFault("property '%s' is unsupported", name)) })
			s.findEchoes(func(i, _ int, name string) {
				if name != "reasoning" {
					faults = append(faults, newFault("'messages.%d' : for 'role:assistant' the following must be satisfied[('messages.%d' : property '%s' is unsupported)]", i, i, name))
				}
			})
			return faults
		},
		callID: func(n int, _ string) string { return fmt.Sprintf("fc_test-%d", n) },
		answer: func(s *stream, t turn) {
			s.head["system_fingerprint"] = "fp_test"
			s.writeChoice(object{"role": "assistant", "content": nil}, nil, object{"x_groq": object{"id": "req_test"}})
			s.writeTexts("reasoning", t.thought, object{"channel": "analysis"})
			for i, call := range t.calls {
				s.writeDelta(callsDelta(joinObjects(call.wholeCall(), object{"index": i})))
			}
			s.writeTexts("content", t.text, nil)
			counts := joinObjects(t.detailedUsage(), object{"queue_time": 0.01, "prompt_time": 0.02, "completion_time": 0.1, "total_time": 0.12})
			s.writeFinish(t.finishReason(), object{"x_groq": object{"id": "req_test", "usage": counts}})
			s.writeUsage(t, counts)
			s.writeDone()
		},
	}
}

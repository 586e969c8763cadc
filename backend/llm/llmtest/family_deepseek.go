package llmtest

import "fmt"

func deepseekProfile() profile {
	// Its errors are JSON of another content type.
	octets := func(r refusal) refusal { r.contentType = "application/octet-stream"; return r }
	refuse := sayingIn(`{"error":{"message":{message},"type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`)
	return profile{
		models: []string{"deepseek-reasoner", "deepseek-chat"},
		list:   newListing(object{"owned_by": "deepseek"}),
		refusals: map[Mode]refusal{
			WrongKey:     octets(newRefusal(401, `{"error":{"message":"Authentication Fails, Your api key: ****0000 is invalid","type":"authentication_error","param":null,"code":"invalid_request_error"}}`)),
			QuotaUsed:    octets(newRefusal(402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`)),
			Overflow:     octets(newRefusal(400, `{"error":{"message":"This model's maximum context length is 131072 tokens. However, you requested 150025 tokens (145929 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`)),
			Busy:         octets(newRefusal(503, `{"error":{"message":"Service is too busy. We advise users to temporarily switch to alternative LLM API service providers.","type":"service_unavailable_error","param":null,"code":"service_unavailable_error"}}`)),
			UnknownModel: octets(newRefusal(400, `{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`)),
		},
		refuse: func(status int, message string) refusal { return octets(refuse(status, message)) },
		strict: func(s *sent) []fault {
			var faults []fault
			for range s.findUnreasoned() {
				faults = append(faults, newFault("The `reasoning_content` in the thinking mode must be passed back to the API."))
			}
			return faults
		},
		callID: func(n int, _ string) string { return fmt.Sprintf("call_00_%024d", n) },
		answer: func(s *stream, t turn) {
			counts := joinObjects(t.usageFields(), object{
				"prompt_tokens_details":   object{"cached_tokens": cached},
				"prompt_cache_hit_tokens": cached, "prompt_cache_miss_tokens": t.prompt - cached,
				"completion_tokens_details": object{"reasoning_tokens": reasoned},
			})
			s.head["system_fingerprint"] = "fp_test"
			s.writeLine(": keep-alive")
			s.writeDelta(object{"role": "assistant", "content": nil, "reasoning_content": ""})
			s.writeTexts("reasoning_content", t.thought, object{"content": nil})
			s.writeLine(": keep-alive")
			s.writeFragments(t, 0, nil, nil)
			for _, piece := range splitHalves(t.text) {
				// What was counted so far comes with each piece of the text.
				so := joinObjects(counts, object{"completion_tokens": t.completion / 2, "total_tokens": t.prompt + t.completion/2})
				s.writeChoice(object{"content": piece, "reasoning_content": nil}, nil, object{"usage": so})
			}
			s.writeFinish(t.finishReason(), object{"usage": counts})
			s.writeDone()
		},
	}
}

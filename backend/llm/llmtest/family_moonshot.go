package llmtest

import "fmt"

func moonshotProfile() profile {
	return profile{
		base:   "/v1",
		models: []string{"kimi-k2-thinking", "kimi-k2-thinking-turbo"},
		list: newListing(object{
			"created": 1762900000, "owned_by": "moonshot", "root": "", "parent": "", "permission": []any{},
			"context_length": 262144, "supports_image_in": false, "supports_reasoning": true,
		}),
		refusals: map[Mode]refusal{
			WrongKey:     newRefusal(401, `{"error":{"message":"Invalid Authentication","type":"invalid_authentication_error"}}`),
			QuotaUsed:    newRefusal(429, `{"error":{"message":"Your account org-test is suspended, please check your plan and billing details","type":"exceeded_current_quota_error"}}`),
			Overflow:     newRefusal(400, `{"error":{"message":"Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)","type":"invalid_request_error"}}`),
			Busy:         newRefusal(429, `{"error":{"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}}`),
			UnknownModel: newRefusal(404, `{"error":{"message":"Not found the model {model} or Permission denied","type":"resource_not_found_error"}}`),
		},
		refuse: sayingIn(`{"error":{"message":{message},"type":"invalid_request_error"}}`),
		strict: func(s *sent) []fault {
			var faults []fault
			for _, i := range s.findUnreasoned() {
				faults = append(faults, newFault("thinking is enabled but reasoning_content is missing in assistant tool call message at index %d", i))
			}
			if value, has := s.fields["temperature"]; has && string(value) != "1" {
				faults = append(faults, newFault("invalid temperature: only 1 is allowed for this model"))
			}
			return faults
		},
		callID: func(n int, name string) string { return fmt.Sprintf("functions.%s:%d", name, n) },
		answer: func(s *stream, t turn) {
			s.head["system_fingerprint"] = "fpv0_test"
			s.writeDelta(object{"role": "assistant", "content": ""})
			s.writeTexts("reasoning_content", t.thought, nil)
			s.writeFragments(t, 0, nil, nil)
			s.writeTexts("content", t.text, nil)
			s.writeChunk(object{"choices": []any{object{
				"index": 0, "delta": object{}, "finish_reason": t.finishReason(),
				"usage": joinObjects(t.usageFields(), object{"cached_tokens": cached}),
			}}})
			s.writeDone()
		},
	}
}

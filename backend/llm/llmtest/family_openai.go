package llmtest

import (
	"fmt"
	"slices"
	"strings"
)

const openaiForm = `{"error":{"message":{message},"type":"invalid_request_error","param":null,"code":null}}`

func openaiProfile() profile {
	return profile{
		base:   "/v1",
		models: []string{"gpt-5.1", "gpt-4.1", "o4-mini"},
		list:   newListing(object{"created": 1762900000, "owned_by": "system"}),
		refusals: map[Mode]refusal{
			WrongKey:  newRefusal(401, `{"error":{"message":"Incorrect API key provided: sk-test*****0000. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`),
			QuotaUsed: newRefusal(429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`),
			Overflow:  newRefusal(400, `{"error":{"message":"Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 281040 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`),
			Busy: newRefusal(429, `{"error":{"message":"Rate limit reached for {model} in organization org-test on tokens per min (TPM): Limit 30000, Used 29100, Requested 1900. Please try again in 2s. Visit https://platform.openai.com/account/rate-limits to learn more.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`).
				withHeader("Retry-After-Ms", "1998").withHeader("Retry-After", "2").withHeader("X-Ratelimit-Remaining-Tokens", "900").
				withHeader("X-Ratelimit-Reset-Tokens", "1.998s"),
			UnknownModel: newRefusal(404, "{\"error\":{\"message\":\"The model `{model}` does not exist or you do not have access to it.\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"model_not_found\"}}"),
		},
		refuse: sayingIn(openaiForm),
		strict: openaiStrict,
		callID: func(n int, _ string) string { return fmt.Sprintf("call_%024d", n) },
		answer: func(s *stream, t turn) {
			if t.asked {
				s.head["usage"] = nil
			}
			s.head["service_tier"], s.head["system_fingerprint"] = "default", nil
			s.writeDelta(object{"role": "assistant", "content": nil, "refusal": nil})
			s.writeFragments(t, 0, nil, nil)
			s.writeTexts("content", t.text, nil)
			s.writeFinish(t.finishReason(), nil)
			s.writeUsage(t, t.detailedUsage())
			s.writeDone()
		},
	}
}

// openaiLongest is the longest id of a call that OpenAI takes.
const openaiLongest = 40

func openaiStrict(s *sent) []fault {
	var faults []fault
	known := append(slices.Clone(chatFields), "max_completion_tokens", "reasoning_effort", "user", "top_p", "store")
	s.findUnknown(known, func(name string) {
		faults = append(faults, newFault("Unrecognized request argument supplied: %s", name))
	})
	s.findEchoes(func(i, call int, name string) {
		at := fmt.Sprintf("messages[%d].", i)
		if call >= 0 {
			at += fmt.Sprintf("tool_calls[%d].", call)
		}
		faults = append(faults, newFault("Unknown parameter: '%s%s'.", at, name))
	})
	for i, message := range s.chat.Messages {
		for j, call := range message.ToolCalls {
			if len(call.ID) > openaiLongest {
				faults = append(faults, newFault("Invalid 'messages[%d].tool_calls[%d].id': string too long. Expected a string with maximum length %d, but got a string with length %d instead.", i, j, openaiLongest, len(call.ID)))
			}
		}
	}
	if !openaiReasons(s.chat.Model) {
		return faults
	}
	if _, has := s.fields["max_tokens"]; has {
		faults = append(faults, newFault("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."))
	}
	if value, has := s.fields["temperature"]; has && string(value) != "1" {
		faults = append(faults, newFault("Unsupported value: 'temperature' does not support %s with this model. Only the default (1) value is supported.", value))
	}
	return faults
}

// openaiReasons says that a model is one of those that reason.
func openaiReasons(model string) bool {
	return slices.ContainsFunc([]string{"gpt-5", "o1", "o3", "o4"}, func(start string) bool {
		return strings.HasPrefix(model, start)
	})
}

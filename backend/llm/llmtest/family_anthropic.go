package llmtest

import (
	"fmt"
	"net/http"
	"regexp"
)

// anthropicID is what Anthropic takes as the id of a call.
var anthropicID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// anthropicProfile is the endpoint for OpenAI's clients. The list beside it is
// Anthropic's own: it wants other headers and refuses in another form.
func anthropicProfile() profile {
	own := sayingIn(`{"type":"error","error":{"type":"authentication_error","message":{message}},"request_id":"req_test"}`)
	return profile{
		base:   "/v1",
		models: []string{"claude-sonnet-4-5-20250929", "claude-haiku-4-5-20251001"},
		list: func(models []string) any {
			data := make([]any, len(models))
			for i, model := range models {
				data[i] = object{
					"type": "model", "id": model, "display_name": "Claude " + model[len("claude-"):], "created_at": "2025-09-29T00:00:00Z",
				}
			}
			return object{"data": data, "has_more": false, "first_id": models[0], "last_id": models[len(models)-1]}
		},
		admit: func(r *http.Request, key string, mode Mode) *refusal {
			var refused refusal
			switch sent := r.Header.Get("X-Api-Key"); {
			case sent == "":
				refused = own(401, "x-api-key header is required")
			case mode == WrongKey || key != "" && sent != key:
				refused = own(401, "invalid x-api-key")
			case r.Header.Get("Anthropic-Version") == "":
				refused = own(400, "anthropic-version: header is required")
			default:
				return nil
			}
			return &refused
		},
		refusals: map[Mode]refusal{
			WrongKey:  newRefusal(401, `{"error":{"code":"authentication_error","message":"invalid x-api-key","type":"authentication_error","param":null}}`),
			QuotaUsed: newRefusal(400, `{"error":{"code":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.","type":"invalid_request_error","param":null}}`),
			Overflow:  newRefusal(400, `{"error":{"code":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum","type":"invalid_request_error","param":null}}`),
			Busy: newRefusal(429, `{"error":{"code":"rate_limit_error","message":"This request would exceed your organization's rate limit of 30,000 input tokens per minute.","type":"rate_limit_error","param":null}}`).
				withHeader("Retry-After", "9").withHeader("X-Should-Retry", "true").withHeader("Anthropic-Ratelimit-Input-Tokens-Remaining", "0"),
			UnknownModel: newRefusal(404, `{"error":{"code":"not_found_error","message":"model: {model}","type":"not_found_error","param":null}}`),
		},
		refuse: sayingIn(`{"error":{"code":"invalid_request_error","message":{message},"type":"invalid_request_error","param":null}}`),
		strict: func(s *sent) []fault {
			var faults []fault
			for i, message := range s.chat.Messages {
				for j, call := range message.ToolCalls {
					if !anthropicID.MatchString(call.ID) {
						faults = append(faults, newFault("messages.%d.content.%d.tool_use.id: String should match pattern '%s'", i, j, anthropicID))
					}
				}
			}
			return faults
		},
		callID: func(n int, _ string) string { return fmt.Sprintf("toolu_01%022d", n) },
		answer: func(s *stream, t turn) {
			s.writeDelta(object{"role": "assistant"})
			// The text before a call has the first index.
			s.writeFragments(t, 1, nil, nil)
			s.writeTexts("content", t.text, nil)
			s.writeFinish(t.finishReason(), nil)
			s.writeDone()
		},
	}
}

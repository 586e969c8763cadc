package llmtest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// mistralID is what Mistral takes as the id of a call.
var mistralID = regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)

func mistralProfile() profile {
	refuse := sayingIn(`{"object":"error","message":{message},"type":"invalid_request_error","param":null,"code":"3230","raw_status_code":{status}}`)
	return profile{
		base:   "/v1",
		models: []string{"mistral-large-latest", "magistral-medium-latest"},
		list: newListing(object{
			"created": 1762900000, "owned_by": "mistralai", "type": "base", "aliases": []any{}, "deprecation": nil,
			"max_context_length": 131072, "default_model_temperature": 0.3,
			"capabilities": object{"completion_chat": true, "function_calling": true, "vision": false},
		}),
		refusals: map[Mode]refusal{
			WrongKey: newRefusal(401, `{"detail":"Unauthorized"}`),
			// Nothing tells an allowance that is used up from a wrong key.
			QuotaUsed: newRefusal(401, `{"detail":"Unauthorized"}`),
			Overflow:  newRefusal(400, `{"object":"error","message":"Prompt contains 140012 tokens and 0 draft tokens, too large for model with 131072 maximum context length","type":"invalid_request_error","param":null,"code":"3051","raw_status_code":400}`),
			Busy: newRefusal(429, `{"object":"error","message":"Service tier capacity exceeded for this model.","type":"service_tier_capacity_exceeded","param":null,"code":"3810","raw_status_code":429}`).
				withHeader("X-Ratelimit-Remaining-Req-Minute", "0").withHeader("X-Ratelimit-Remaining-Tokens-Minute", "0"),
			UnknownModel: newRefusal(400, `{"object":"error","message":"Invalid model: {model}","type":"invalid_model","param":null,"code":"1500","raw_status_code":400}`),
		},
		refuse: func(status int, message string) refusal {
			if status == http.StatusUnprocessableEntity {
				// The message is the place of a field that is too much.
				return newRefusal(status, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":[`+message+`],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error","param":null,"code":null,"raw_status_code":422}`)
			}
			return refuse(status, message)
		},
		strict: mistralStrict,
		callID: func(n int, _ string) string { return fmt.Sprintf("m%08d", n) },
		answer: func(s *stream, t turn) {
			s.head["p"] = "abcdef"
			s.writeDelta(object{"role": "assistant", "content": ""})
			if strings.HasPrefix(t.model, "magistral") {
				for _, piece := range splitHalves(t.thought) {
					thinking := []any{object{"type": "text", "text": piece}}
					s.writeDelta(object{"content": []any{object{"type": "thinking", "thinking": thinking}}})
				}
			}
			for i, call := range t.calls {
				entry := call.wholeCall()
				delete(entry, "type")
				if i < len(t.calls)-1 {
					s.writeDelta(callsDelta(entry))
					continue
				}
				s.writeChoice(callsDelta(entry), t.finishReason(), object{"usage": t.usageFields()})
			}
			if t.text != "" {
				s.writeTexts("content", t.text, nil)
				s.writeChoice(object{"content": ""}, t.finishReason(), object{"usage": t.usageFields()})
			}
			s.writeDone()
		},
	}
}

func mistralStrict(s *sent) []fault {
	var faults []fault
	extra := func(at string) {
		faults = append(faults, fault{http.StatusUnprocessableEntity, `"body",` + at})
	}
	s.findUnknown(slices.Concat(chatFields, []string{"top_p", "random_seed"}), func(name string) { extra(`"` + name + `"`) })
	s.findEchoes(func(i, call int, name string) {
		at := fmt.Sprintf(`"messages",%d,"assistant",`, i)
		if call >= 0 {
			at += fmt.Sprintf(`"tool_calls",%d,`, call)
		}
		extra(at + `"` + name + `"`)
	})
	before := ""
	for _, message := range s.chat.Messages {
		if message.Role == "user" && before == "tool" {
			faults = append(faults, newFault("Unexpected role 'user' after role 'tool'"))
		}
		before = message.Role
		for _, call := range message.ToolCalls {
			if !mistralID.MatchString(call.ID) {
				faults = append(faults, newFault("Tool call id was %s but must be a-z, A-Z, 0-9, with a length of 9.", call.ID))
			}
		}
	}
	if last := s.lastRole(); last == "assistant" || last == "system" {
		faults = append(faults, newFault("Expected last role User or Tool (or Assistant with prefix True) for serving but got %s", last))
	}
	return faults
}

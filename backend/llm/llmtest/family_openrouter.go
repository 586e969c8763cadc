package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

func openrouterProfile() profile {
	return profile{
		base:   "/api/v1",
		models: []string{"anthropic/claude-sonnet-4.5", "qwen/qwen3-coder:free"},
		list: func(models []string) any {
			data := make([]any, len(models))
			for i, model := range models {
				data[i] = object{
					"id": model, "canonical_slug": model, "name": model, "created": 1762900000, "description": "", "context_length": 200000,
					"architecture":         object{"input_modalities": []any{"text"}, "output_modalities": []any{"text"}},
					"pricing":              object{"prompt": "0.000003", "completion": "0.000015", "input_cache_read": "0.0000003"},
					"top_provider":         object{"context_length": 200000, "max_completion_tokens": 64000, "is_moderated": false},
					"supported_parameters": []any{"max_tokens", "reasoning", "tools", "tool_choice"},
				}
			}
			return object{"data": data}
		},
		// The list is for everybody.
		admit: func(*http.Request, string, Mode) *refusal { return nil },
		refusals: map[Mode]refusal{
			WrongKey:     newRefusal(401, `{"error":{"message":"User not found.","code":401}}`),
			QuotaUsed:    newRefusal(402, `{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 2100. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account","code":402,"metadata":{"provider_name":null}}}`),
			Overflow:     newRefusal(400, `{"error":{"message":"This endpoint's maximum context length is 200000 tokens. However, you requested about 250002 tokens (249000 of text input, 1002 of tool input). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.","code":400,"metadata":{"provider_name":null}}}`),
			Busy:         newRefusal(429, `{"error":{"message":"Rate limit exceeded: free-models-per-min. ","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"20","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"{reset}"},"provider_name":null}},"user_id":"user_test"}`).withHeader("X-Ratelimit-Limit", "20").withHeader("X-Ratelimit-Remaining", "0").withHeader("X-Ratelimit-Reset", "{reset}"),
			UnknownModel: newRefusal(400, `{"error":{"message":"{model} is not a valid model ID","code":400},"user_id":"user_test"}`),
		},
		refuse: sayingIn(`{"error":{"message":{message},"code":{status}}}`),
		strict: openrouterStrict,
		callID: func(n int, _ string) string { return fmt.Sprintf("toolu_bdrk_01%022d", n) },
		answer: openrouterAnswer,
	}
}

const openrouterFormat = "anthropic-claude-v1"

func openrouterAnswer(s *stream, t turn) {
	s.writeLine(": OPENROUTER PROCESSING")
	s.writeLine(": OPENROUTER PROCESSING")
	s.head["provider"] = "Anthropic"
	detail := func(fields object) []any {
		return []any{joinObjects(object{"type": "reasoning.text", "format": openrouterFormat, "index": 0}, fields)}
	}
	for _, piece := range splitHalves(t.thought) {
		s.writeDelta(object{"role": "assistant", "content": "", "reasoning": piece, "reasoning_details": detail(object{"text": piece})})
	}
	s.writeDelta(object{"role": "assistant", "content": "", "reasoning": nil, "reasoning_details": detail(object{"signature": signText(t.thought)})})
	for i, call := range t.calls {
		s.writeDelta(object{"role": "assistant", "content": nil, "tool_calls": []any{joinObjects(call.wholeCall(), object{"index": i})}})
	}
	s.writeTexts("content", t.text, object{"role": "assistant"})
	s.writeFinish(t.finishReason(), nil)
	// The usage comes with a choice that goes on, in form.
	s.writeChoice(object{"role": "assistant", "content": ""}, nil, object{"usage": joinObjects(t.detailedUsage(), object{"cost": 0.00042, "is_byok": false})})
	s.writeDone()
}

// openrouterStrict says that the reasoning that goes back, if it does, is as it was.
func openrouterStrict(s *sent) []fault {
	var faults []fault
	for i, message := range s.messages {
		for j, detail := range fieldsOf(message["reasoning_details"]) {
			var entry struct{ Type, Text, Signature, Format string }
			text, err := json.Marshal(detail)
			if err != nil || json.Unmarshal(text, &entry) != nil ||
				entry.Type != "reasoning.text" || entry.Format != openrouterFormat || entry.Signature != signText(entry.Text) {
				faults = append(faults, newFault("messages.%d.content.%d: Invalid `signature` in `thinking` block", i, j))
			}
		}
	}
	return faults
}

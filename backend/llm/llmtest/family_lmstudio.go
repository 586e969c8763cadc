package llmtest

import (
	"fmt"
	"strings"
)

// lmstudioProfile answers what it cannot do inside a stream, and has no word for
// being busy: it lets requests wait.
func lmstudioProfile() profile {
	const long = `{"error":{"message":"Trying to keep the first 14538 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input"}}`
	overflow := newRefusal(200, "event: error\ndata: "+long+"\n\n")
	overflow.contentType = "text/event-stream"
	return profile{
		base:   "/v1",
		models: []string{"qwen/qwen3-8b", "openai/gpt-oss-20b"},
		list:   newListing(object{"owned_by": "organization_owner"}),
		refusals: map[Mode]refusal{
			WrongKey:     newRefusal(401, `{"error":{"type":"invalid_request","code":"invalid_api_key","message":"Malformed LM Studio API token provided. Learn more at: https://lmstudio.ai/docs/developer/core/authentication."}}`),
			Overflow:     overflow,
			UnknownModel: newRefusal(404, `{"error":{"message":"Failed to load model \"{model}\". Error: Model does not exist.","type":"invalid_request_error","param":"model","code":"model_not_found"}}`),
		},
		refuse: sayingIn(`{"error":{message}}`),
		strict: func(s *sent) []fault {
			if strings.HasPrefix(string(s.chat.ToolChoice), "{") {
				return []fault{newFault("Invalid tool_choice type: 'object'. Supported string values: none, auto, required")}
			}
			return nil
		},
		callID: func(n int, _ string) string { return fmt.Sprintf("%09d", 100000000+n) },
		answer: func(s *stream, t turn) {
			s.head["system_fingerprint"] = t.model
			s.writeTexts("reasoning_content", t.thought, object{"role": "assistant"})
			s.writeFragments(t, 0, object{"type": "function"}, object{"name": ""})
			s.writeTexts("content", t.text, object{"role": "assistant"})
			s.writeFinish(t.finishReason(), nil)
			s.writeUsage(t, t.usageFields())
			s.writeDone()
		},
	}
}

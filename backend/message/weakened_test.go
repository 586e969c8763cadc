package message_test

import (
	"strings"
	"testing"

	"fairlead/backend/message"
)

func TestMOD05_ASmallWindowIsToldWithTheWaysToWidenIt(t *testing.T) {
	for server, ways := range map[string][]string{
		"ollama":   {"OLLAMA_CONTEXT_LENGTH=32768", "/set parameter num_ctx 32768"},
		"llamacpp": {"-c 32768", "--parallel"},
		"lmstudio": {"model's settings in LM Studio", "lms load NAME --context-length 32768"},
		"vllm":     {"--max-model-len", "a model that has more"},
		"":         {"another model", "context_window"},
	} {
		weaker := message.Weakened{What: message.WeakTools, Asked: "10", Sent: "6", Window: 4096, Server: server}
		for _, part := range append(ways, "only 4096 tokens at once", "offered 6 of 10 tools") {
			if !strings.Contains(weaker.String(), part) {
				t.Errorf("%s: %q is missing in %s", server, part, weaker)
			}
		}
		weaker.Sent = weaker.Asked
		if strings.Contains(weaker.String(), "offered") {
			t.Errorf("%s: all tools are offered: %s", server, weaker)
		}
	}
}

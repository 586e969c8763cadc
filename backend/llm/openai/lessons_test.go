package openai_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// everything is a request in which every field can be found that a server may refuse.
func everything() llm.Request {
	signed := tool("functions.ls:0", "ls", "{}", message.Result{Content: message.Text("a.txt")})
	signed.Tool.Extra = json.RawMessage(`{"google":{"thought_signature":"s"}}`)
	thinking := thought("hm")
	thinking.Details = json.RawMessage(`[{"type":"reasoning.text","text":"hm"}]`)
	return llm.Request{
		System:   "Be brief.",
		Messages: []message.Message{user("list"), assistant(thinking, signed), user("and?"), user("well?")},
		Tools: []llm.Tool{{Name: "ls", Parameters: json.RawMessage(
			`{"$schema":"x","type":"object","properties":{"p":{"type":["null","string"]}},"additionalProperties":false}`)}},
		Choice: llm.ChoiceNone, Sequential: true,
	}
}

// TestRET01_Lessons has a server refuse a request once, in a provider's words. The
// second request is without what was refused, and so is every later one.
func TestRET01_Lessons(t *testing.T) {
	warm := 0.7
	full := protocol.Config{Effort: llm.EffortLow, MaxTokens: 100, Temperature: &warm}
	with := func(dialect llm.Dialect) protocol.Config {
		config := full
		config.Dialect = dialect
		return config
	}
	for name, test := range map[string]struct {
		config protocol.Config
		status int
		said   string
		// without is in the first request and in none of the later ones, with the
		// other way round.
		without, with string
	}{
		"usage option":       {full, 400, "Unrecognized request argument supplied: stream_options", `"stream_options"`, ""},
		"length":             {full, 400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", `"max_tokens":100`, `"max_completion_tokens":100`},
		"length, old":        {with(llm.Dialect{MaxTokens: "max_completion_tokens"}), 422, "Extra inputs are not permitted: max_completion_tokens", `"max_completion_tokens"`, `"max_tokens":100`},
		"effort and tools":   {with(llm.Dialect{Effort: llm.EffortField}), 400, "Function tools with reasoning_effort are not supported in /v1/chat/completions. Please use /v1/responses or set reasoning_effort to 'none'.", `"low"`, `"reasoning_effort":"none"`},
		"tools, no effort":   {full, 400, "use /v1/responses or set reasoning_effort to 'none'", "", `"reasoning_effort":"none"`},
		"effort":             {with(llm.Dialect{Effort: llm.EffortField}), 400, "Unrecognized request argument supplied: reasoning_effort", `"reasoning_effort"`, ""},
		"temperature":        {full, 400, "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.", `"temperature"`, ""},
		"temperature is 1":   {full, 400, "invalid temperature: only 1 is allowed for this model", `"temperature"`, ""},
		"parallel":           {with(llm.Dialect{ParallelFlag: true}), 400, "parallel_tool_calls is not supported", `"parallel_tool_calls":false`, ""},
		"choice":             {full, 400, "tool_choice 'none' is not supported in thinking mode", `"tool_choice"`, ""},
		"reasoning demanded": {full, 400, "The `reasoning_content` in the thinking mode must be passed back to the API.", "", `"reasoning_content":"hm"`},
		"reasoning missing":  {full, 400, "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2", "", `"reasoning_content":"hm"`},
		"reasoning refused":  {with(llm.Dialect{Echo: llm.EchoContent}), 422, "Extra inputs are not permitted: messages.2.reasoning_content", `"reasoning_content"`, ""},
		"details refused":    {with(llm.Dialect{Echo: llm.EchoDetails}), 400, "Unknown name reasoning_details", `"reasoning_details"`, ""},
		"signature missing":  {full, 400, "Function call is missing a thought_signature in functionCall parts.", "", `"extra_content":{"google":{"thought_signature":"s"}}`},
		"signature refused":  {with(llm.Dialect{Signatures: true}), 400, "Unexpected field extra_content", `"extra_content"`, ""},
		"nine letters":       {full, 400, "Tool call id was functions.ls:0 but must be a-z, A-Z, 0-9, with a length of 9.", `"functions.ls:0"`, ""},
		"plain id":           {full, 400, "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", `"functions.ls:0"`, `"call_`},
		"long id":            {full, 400, "Invalid 'messages[2].tool_calls[0].id': string too long.", `"functions.ls:0"`, `"call_`},
		"system":             {full, 400, "System role not supported", `"role":"system"`, `Be brief.\n\nlist`},
		"turns":              {full, 400, "Conversation roles must alternate user/assistant", `{"role":"user","content":"well?"}`, `and?\n\nwell?`},
		"after a tool":       {full, 400, "Unexpected role 'user' after role 'tool'", `{"role":"user","content":"well?"}`, `(The results are above.)`},
		"schema":             {full, 400, `Unknown name "additionalProperties" at tools[0]`, `additionalProperties`, `"p":{"type":"string"}`},
	} {
		t.Run(name, func(t *testing.T) {
			refusal := fmt.Sprintf("status %d %q", test.status, `{"error":{"message":`+quotedStrings(test.said)+`,"type":"invalid_request_error"}}`)
			server := llmtest.Script(refusal + "\n---\ntext ok\n---\ntext ok")
			client := open(t, server, test.config)
			for range 2 {
				if _, err := client.Stream(t.Context(), everything(), quiet); err != nil {
					t.Fatal(err)
				}
			}
			requests := server.Requests()
			if len(requests) != 3 {
				t.Fatalf("%d requests, want 3", len(requests))
			}
			for i, request := range requests {
				body := string(request.Body)
				first := i == 0
				if test.without != "" && strings.Contains(body, test.without) != first {
					t.Errorf("request %d: %s in it is not %v: %s", i+1, test.without, first, body)
				}
				if test.with != "" && strings.Contains(body, test.with) == first {
					t.Errorf("request %d: %s in it is not %v: %s", i+1, test.with, !first, body)
				}
			}
		})
	}
}

func quotedStrings(text string) string {
	encoded, _ := json.Marshal(text) // text always encodes
	return string(encoded)
}

// TestRET01_NothingToLearn has servers refuse what cannot be changed, or not any more.
func TestRET01_NothingToLearn(t *testing.T) {
	for name, script := range map[string]string{
		"another refusal": `status 400 {"error":{"message":"no such thing"}}`,
		"not a 400":       `status 403 {"error":{"message":"stream_options is not allowed"}}`,
		"an overflow":     `status 400 {"error":{"message":"maximum context length is 100 tokens, stream_options","code":"context_length_exceeded"}}`,
	} {
		server := llmtest.Script(script)
		if _, err := open(t, server, protocol.Config{}).Stream(t.Context(), everything(), quiet); err == nil || len(server.Requests()) != 1 {
			t.Errorf("%s: error %v after %d requests", name, err, len(server.Requests()))
		}
	}
	// A server that refuses one thing whatever is sent, and one that wants a field and
	// refuses it in turn.
	refuse := `status 400 {"error":{"message":"stream_options is unknown"}}`
	turns := `status 400 {"error":{"message":"reasoning_content is missing"}}` + "\n---\n" +
		`status 400 {"error":{"message":"reasoning_content is not permitted"}}`
	for script, want := range map[string]int{refuse + "\n---\n" + refuse: 2, turns + "\n---\n" + turns: 3} {
		server := llmtest.Script(script)
		if _, err := open(t, server, protocol.Config{}).Stream(t.Context(), everything(), quiet); err == nil || len(server.Requests()) != want {
			t.Errorf("error %v after %d requests, want %d", err, len(server.Requests()), want)
		}
	}
}

// TestRET01_LessonsAreShared has runs side by side learn from one refusal each, and one
// after them.
func TestRET01_LessonsAreShared(t *testing.T) {
	const runs = 4
	refuse := `status 400 {"error":{"message":"stream_options is unknown"}}` + "\n---\n"
	server := llmtest.Script(strings.Repeat(refuse, runs) + strings.Repeat("text ok\n---\n", runs+1))
	client := open(t, server, protocol.Config{})
	var all sync.WaitGroup
	for range runs {
		all.Go(func() {
			// A late request has learned from the others already, and takes a
			// refusal that was meant for them.
			for range runs {
				if _, err := client.Stream(t.Context(), everything(), quiet); err == nil {
					return
				}
			}
			t.Error("a run was refused too often")
		})
	}
	all.Wait()
	if _, err := client.Stream(t.Context(), everything(), quiet); err != nil {
		t.Fatal(err)
	}
	requests := server.Requests()
	if last := requests[len(requests)-1]; strings.Contains(string(last.Body), "stream_options") {
		t.Errorf("not learned: %s", last.Body)
	}
}

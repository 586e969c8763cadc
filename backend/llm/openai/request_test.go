package openai_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// TestMSG06_Dialects looks for what a dialect puts into a request, and leaves out.
func TestMSG06_Dialects(t *testing.T) {
	warm := 0.5
	named := user("hello")
	named.Name = "Zoë B"
	asks := func(messages ...message.Message) llm.Request {
		return llm.Request{System: "Be brief.", Messages: messages, Tools: everything().Tools}
	}
	call := func(id string) message.Message { return assistant(tool(id, "ls", "{}", message.Result{})) }
	extra := func(id, extra string) message.Part {
		part := tool(id, "ls", "{}", message.Result{})
		part.Tool.Extra = json.RawMessage(extra)
		return part
	}
	none := asks(user("x"))
	none.Choice = llm.ChoiceNone
	one := asks(user("x"))
	one.Choice = "ls"
	sequential := asks(user("x"))
	sequential.Sequential = true
	details := thought("")
	details.Details = json.RawMessage(`[{"type":"reasoning.encrypted","data":"abc"}]`)
	for name, test := range map[string]struct {
		config protocol.Config
		req    llm.Request
		// want and never are parts of the body.
		want, never string
	}{
		"nothing":             {protocol.Config{}, asks(user("x")), `"stream":true`, `"user":`},
		"effort nobody takes": {protocol.Config{Effort: llm.EffortHigh}, asks(user("x")), `"stream":true`, "high"},
		"effort":              {protocol.Config{Effort: llm.EffortHigh, Dialect: llm.Dialect{Effort: llm.EffortField}}, asks(user("x")), `"reasoning_effort":"high"`, ""},
		"no effort":           {protocol.Config{Effort: llm.EffortOff, Dialect: llm.Dialect{Effort: llm.EffortField}}, asks(user("x")), `"reasoning_effort":"none"`, ""},
		"effort object":       {protocol.Config{Effort: llm.EffortLow, Dialect: llm.Dialect{Effort: llm.EffortObject}}, asks(user("x")), `"reasoning":{"effort":"low"}`, ""},
		"no effort object":    {protocol.Config{Effort: llm.EffortOff, Dialect: llm.Dialect{Effort: llm.EffortObject}}, asks(user("x")), `"reasoning":{"enabled":false}`, ""},
		"thinking":            {protocol.Config{Effort: llm.EffortMedium, Dialect: llm.Dialect{Effort: llm.EffortThinking}}, asks(user("x")), `"thinking":{"type":"enabled"}`, ""},
		"no thinking":         {protocol.Config{Effort: llm.EffortOff, Dialect: llm.Dialect{Effort: llm.EffortThinking}}, asks(user("x")), `"thinking":{"type":"disabled"}`, ""},
		"enabled":             {protocol.Config{Effort: llm.EffortLow, Dialect: llm.Dialect{Effort: llm.EffortEnable}}, asks(user("x")), `"enable_thinking":true`, ""},
		"template":            {protocol.Config{Effort: llm.EffortOff, Dialect: llm.Dialect{Effort: llm.EffortTemplate}}, asks(user("x")), `"chat_template_kwargs":{"enable_thinking":false}`, ""},
		"length":              {protocol.Config{MaxTokens: 7}, asks(user("x")), `"max_tokens":7`, ""},
		"length, new name":    {protocol.Config{MaxTokens: 7, Dialect: llm.Dialect{MaxTokens: "max_completion_tokens"}}, asks(user("x")), `"max_completion_tokens":7`, `"max_tokens"`},
		"temperature":         {protocol.Config{Temperature: &warm}, asks(user("x")), `"temperature":0.5`, ""},
		"fixed temperature":   {protocol.Config{Temperature: &warm, Dialect: llm.Dialect{FixedTemperature: true}}, asks(user("x")), `"stream":true`, `"temperature"`},
		"extra body": {protocol.Config{MaxTokens: 7, Body: map[string]json.RawMessage{
			"top_k": json.RawMessage("3"), "max_tokens": json.RawMessage("9"), "a": json.RawMessage(`{"b":[1]}`),
		}}, asks(user("x")), `"a":{"b":[1]},"max_tokens":9,"top_k":3`, `7`},
		"no usage":          {protocol.Config{Dialect: llm.Dialect{NoUsageOption: true}}, asks(user("x")), `"stream":true`, "stream_options"},
		"name":              {protocol.Config{Dialect: llm.Dialect{Names: true}}, asks(named), `"content":"hello","name":"Zo__B"`, ""},
		"name in the text":  {protocol.Config{}, asks(named), `"content":"Zoë B: hello"`, `"name":"Zo`},
		"no system":         {protocol.Config{Dialect: llm.Dialect{NoSystemRole: true}}, asks(user("x"), user("y")), `{"role":"user","content":"Be brief.\n\nx"},{"role":"user","content":"y"}`, `"system"`},
		"turns":             {protocol.Config{Dialect: llm.Dialect{TakeTurns: true}}, asks(user("x"), user("y"), call("a"), user("z")), `"content":"x\n\ny"`, ""},
		"turns after calls": {protocol.Config{Dialect: llm.Dialect{TakeTurns: true}}, asks(user("x"), call("a"), user("z")), `{"role":"assistant","content":"(The results are above.)"},{"role":"user","content":"z"}`, ""},
		"none":              {protocol.Config{}, none, `"tool_choice":"none"`, ""},
		"none, only auto":   {protocol.Config{Dialect: llm.Dialect{OnlyAuto: true}}, none, `"stream":true`, "tool"},
		"one":               {protocol.Config{}, one, `"tool_choice":{"type":"function","function":{"name":"ls"}}`, ""},
		"one, only auto":    {protocol.Config{Dialect: llm.Dialect{OnlyAuto: true}}, one, `"name":"ls"`, "tool_choice"},
		"one call":          {protocol.Config{Dialect: llm.Dialect{ParallelFlag: true}}, sequential, `"parallel_tool_calls":false`, ""},
		"one call, no flag": {protocol.Config{}, sequential, `"stream":true`, "parallel"},
		"ids as they are":   {protocol.Config{}, asks(user("x"), call("functions.ls:0")), `"tool_call_id":"functions.ls:0"`, ""},
		"plain ids":         {protocol.Config{Dialect: llm.Dialect{CallIDs: llm.PlainID}}, asks(user("x"), call("call_-1"), call("functions.ls:0")), `"tool_call_id":"call_-1"`, "functions.ls:0"},
		"nine letters":      {protocol.Config{Dialect: llm.Dialect{CallIDs: llm.NineID}}, asks(user("x"), call("abcDEF123"), call("call_1")), `"tool_call_id":"abcDEF123"`, "call_1"},
		"plain schema":      {protocol.Config{Dialect: llm.Dialect{PlainSchemas: true}}, asks(user("x")), `"parameters":{"properties":{"p":{"type":"string"}},"type":"object"}`, ""},
		"signatures": {
			protocol.Config{Dialect: llm.Dialect{Signatures: true}},
			asks(user("x"), assistant(extra("a", `{"google":{"thought_signature":"s"}}`), tool("b", "ls", "{}", message.Result{}))),
			`{"id":"a","type":"function","extra_content":{"google":{"thought_signature":"s"}},"function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function"`, "validator",
		},
		"signatures of others": {protocol.Config{Dialect: llm.Dialect{Signatures: true}}, asks(user("x"), call("a")), `"thought_signature":"skip_thought_signature_validator"`, ""},
		"no signatures":        {protocol.Config{}, asks(user("x"), assistant(extra("a", `{"google":1}`))), `"id":"a"`, "google"},
		"details":              {protocol.Config{Dialect: llm.Dialect{Echo: llm.EchoDetails}}, asks(user("x"), assistant(details, tool("a", "ls", "{}", message.Result{}))), `"reasoning_details":[{"type":"reasoning.encrypted","data":"abc"}]`, "reasoning_content"},
		"no details":           {protocol.Config{}, asks(user("x"), assistant(details, tool("a", "ls", "{}", message.Result{}))), `"id":"a"`, "abc"},
	} {
		t.Run(name, func(t *testing.T) {
			body := sent(t, test.config, test.req)
			if !strings.Contains(body, test.want) || test.never != "" && strings.Contains(body, test.never) {
				t.Errorf("want %s, never %s: %s", test.want, test.never, body)
			}
			if !json.Valid([]byte(body)) || strings.Contains(body, "fairlead:") {
				t.Errorf("not whole: %s", body)
			}
			if again := sent(t, test.config, test.req); again != body {
				t.Errorf("the same request became %s", again)
			}
		})
	}
}

// TestSEC05_ProvidersOwnFieldsAreRedacted puts a known key where a provider's own
// fields stand.
func TestSEC05_ProvidersOwnFieldsAreRedacted(t *testing.T) {
	secret := "sk-canary-1234567890abcdef"
	call := tool("a", "ls", "{}", message.Result{})
	call.Tool.Extra = json.RawMessage(`{"google":"` + secret + `"}`)
	thinking := thought("hm")
	thinking.Details = json.RawMessage(`[{"text":"` + secret + `"}]`)
	config := protocol.Config{APIKey: secret, Dialect: llm.Dialect{Signatures: true, Echo: llm.EchoDetails}}
	server := llmtest.Script("text ok")
	server.Key = secret
	req := llm.Request{Messages: []message.Message{user("x"), assistant(thinking, call)}}
	if _, err := open(t, server, config).Stream(t.Context(), req, quiet); err != nil {
		t.Fatal(err)
	}
	if body := string(server.Requests()[0].Body); strings.Contains(body, secret) || strings.Count(body, "[API key]") != 2 {
		t.Errorf("sent %s", body)
	}
}

// TestHeader sends fields of the head beside the protocol's.
func TestHeader(t *testing.T) {
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		if strings.HasSuffix(r.URL.Path, "/models") {
			_, _ = w.Write([]byte(`{"data":[]}`))
			return
		}
		_, _ = w.Write([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"))
	}))
	defer server.Close()
	config := protocol.Config{
		BaseURL: server.URL, Model: "m", Transport: server.Client().Transport,
		Header: http.Header{"Api-Key": {"k"}, "X-Team": {"tools"}},
	}
	client, err := openai.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Stream(t.Context(), hello, quiet); err != nil || got.Get("Api-Key") != "k" || got.Get("X-Team") != "tools" {
		t.Errorf("error %v, head %v", err, got)
	}
	got = nil
	if _, err := openai.ListModels(t.Context(), config); err != nil || got.Get("Api-Key") != "k" {
		t.Errorf("error %v, head %v", err, got)
	}
}

package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hello is the smallest request there is.
var hello = llm.Request{Messages: []message.Message{user("hi")}}

func user(text string) message.Message {
	return message.Message{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: text}}}
}

// open returns a client for a scripted server in memory.
func open(t *testing.T, server *llmtest.Server, config protocol.Config) *openai.Client {
	t.Helper()
	config.BaseURL, config.Transport = "http://scripted.invalid/v1", server.RoundTripper()
	if config.Model == "" {
		config.Model = "m"
	}
	client, err := openai.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// both runs a test in memory and over loopback HTTP.
func both(t *testing.T, script string, test func(t *testing.T, server *llmtest.Server, client *openai.Client)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		server := llmtest.Script(script)
		test(t, server, open(t, server, protocol.Config{}))
	})
	t.Run("loopback", func(t *testing.T) {
		server := llmtest.Script(script)
		listening := httptest.NewServer(server)
		defer listening.Close()
		client, err := openai.New(protocol.Config{BaseURL: listening.URL + "/v1", Model: "m", Transport: listening.Client().Transport})
		if err != nil {
			t.Fatal(err)
		}
		test(t, server, client)
	})
}

func quiet(llm.Delta) {}

func TestMSG04_Replies(t *testing.T) {
	object := func(text string) json.RawMessage { return json.RawMessage(text) }
	for _, test := range []struct {
		name, script string
		want         llm.Reply
	}{
		{"text", "reasoning hm\nchunk Hello\nchunk \" you\"\nusage 10 2 3 1", llm.Reply{
			Text: "Hello you", Reasoning: "hm", Finish: llm.FinishStop,
			Usage: &message.Usage{Prompt: 10, Completion: 2, Cached: 3, Reasoning: 1},
		}},
		{"calls", "text I look.\ncall a read {\"b\": 1.50, \"a\":1e2}\ncall b ls", llm.Reply{
			Text: "I look.", Finish: llm.FinishCalls,
			Calls: []message.Call{
				{ID: "a", Name: "read", Arguments: object(`{"b": 1.50, "a":1e2}`), Raw: `{"b": 1.50, "a":1e2}`},
				{ID: "b", Name: "ls", Arguments: object(`{}`)},
			},
		}},
		{"LOOP-03 calls with stop", "call a ls {}\nfinish stop", llm.Reply{
			Finish: llm.FinishCalls, Calls: []message.Call{{ID: "a", Name: "ls", Arguments: object(`{}`), Raw: `{}`}},
		}},
		{"LOOP-03 tool_calls without calls", "finish tool_calls", llm.Reply{Finish: llm.FinishStop}},
		{"LOOP-03 length", "text cut\ncall a write {\"x\":\"y\"}\nfinish length", llm.Reply{Text: "cut", Finish: llm.FinishLength}},
		{"length, then stop", `raw data: {"choices":[{"index":0,"delta":{"content":"cut"},"finish_reason":"length"}]}` + "\nraw", llm.Reply{Text: "cut", Finish: llm.FinishLength}},
		{"max_tokens", "text cut\ncall a write {\"x\":\"y\"}\nfinish max_tokens", llm.Reply{Text: "cut", Finish: llm.FinishLength}},
		{"MAX_TOKENS", "text cut\nfinish MAX_TOKENS", llm.Reply{Text: "cut", Finish: llm.FinishLength}},
		{"filter", "text cut\ncall a write {}\nfinish content_filter", llm.Reply{Text: "cut", Finish: llm.FinishFilter}},
		{"no finish but done", "text whole\nfinish none", llm.Reply{Text: "whole", Finish: llm.FinishStop}},
		{"empty usage at the end", `raw data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}` + "\nraw\nusage 0 0", llm.Reply{
			Finish: llm.FinishStop, Usage: &message.Usage{Prompt: 10, Completion: 2},
		}},
		{"bookkeeping that cannot be read", `raw data: {"choices":[{"index":0,"delta":{"content":"whole","tool_calls":[{"index":-1,"id":"a","function":{"name":"ls","arguments":""}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":-1,"completion_tokens":2,"prompt_tokens_details":[]}}` + "\nraw", llm.Reply{
			Text: "whole", Finish: llm.FinishCalls, Usage: &message.Usage{Completion: 2},
			Calls: []message.Call{{ID: "a", Name: "ls", Arguments: object(`{}`)}},
		}},
		{"refusal", `raw data: {"choices":[{"index":0,"delta":{"refusal":"No."}}]}` + "\nraw", llm.Reply{Text: "No.", Finish: llm.FinishStop}},
		{"first choice only", `raw data: {"choices":[{"index":1,"delta":{"content":"x"}}]}` + "\nraw", llm.Reply{Finish: llm.FinishStop}},
		{"MSG-05 repaired", `call a f {'path': "a",}`, llm.Reply{
			Finish: llm.FinishCalls,
			Calls:  []message.Call{{ID: "a", Name: "f", Arguments: object(`{"path": "a"}`), Raw: `{'path': "a",}`, Repaired: true}},
		}},
		{"MSG-05 cut arguments", `call a f {"path": "a","text":"half`, llm.Reply{
			Finish: llm.FinishCalls, Calls: []message.Call{{ID: "a", Name: "f", Raw: `{"path": "a","text":"half`}},
		}},
		{"MSG-05 no repair without a finish", "call a f {'path': \"a\",}\nfinish none", llm.Reply{
			Finish: llm.FinishCalls, Calls: []message.Call{{ID: "a", Name: "f", Raw: `{'path': "a",}`}},
		}},
		{"MSG-05 no object", `call a f [1]`, llm.Reply{
			Finish: llm.FinishCalls, Calls: []message.Call{{ID: "a", Name: "f", Raw: `[1]`}},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			both(t, test.script, func(t *testing.T, server *llmtest.Server, client *openai.Client) {
				var text, reasoning strings.Builder
				got, err := client.Stream(t.Context(), hello, func(d llm.Delta) {
					switch d.Kind {
					case llm.TextDelta:
						text.WriteString(d.Text)
					case llm.ReasoningDelta:
						reasoning.WriteString(d.Text)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("reply (-want +got):\n%s", diff)
				}
				if text.String() != got.Text || reasoning.String() != got.Reasoning {
					t.Errorf("deltas %q and %q are not the reply", text.String(), reasoning.String())
				}
				if up, down := client.Traffic(); up == 0 || down == 0 || len(server.Faults()) > 0 {
					t.Errorf("traffic %d up, %d down, faults %v", up, down, server.Faults())
				}
			})
		})
	}
}

func TestRET01_Failures(t *testing.T) {
	for _, test := range []struct {
		name, script, text string
		want               llm.Error
	}{
		{"refused", "status 429 {\"error\":{\"message\":\"slow\",\"code\":\"rate_limit_exceeded\"}}\nheader Retry-After: 7", "", llm.Error{
			Class: llm.RateLimited, Status: 429, Code: "rate_limit_exceeded", Message: "slow", Said: "slow", Hint: "try again later", Wait: 7 * time.Second,
		}},
		{"string", `status 401 {"error":"no key"}`, "", llm.Error{Class: llm.Auth, Status: 401, Message: "no key", Said: "no key", Hint: "check the API key"}},
		{"in the stream", "text half\nraw data: {\"error\":{\"message\":\"busy\",\"code\":503}}\nraw", "half", llm.Error{
			Class: llm.Overloaded, Status: 503, Message: "busy", Said: "busy", Hint: "try again later",
		}},
		{"cut", "text half\ncall a f {}\ncut", "half", llm.Error{
			Class: llm.Truncated, Message: "the answer stopped before its end", Hint: "try again",
		}},
		{"overflow told by the finish", "text half\nfinish model_context_window_exceeded", "half", llm.Error{
			Class: llm.ContextOverflow, Code: "model_context_window_exceeded",
			Message: "the conversation is longer than the model takes", Hint: "shorten the conversation or start a new one",
		}},
		{"failure told by the finish", "text half\ncall a f {}\nfinish error", "half", llm.Error{
			Class: llm.Server, Code: "error", Message: "the provider reports that its answer failed", Hint: "try again",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			both(t, test.script, func(t *testing.T, _ *llmtest.Server, client *openai.Client) {
				reply, err := client.Stream(t.Context(), hello, quiet)
				var failed *llm.Error
				if !errors.As(err, &failed) {
					t.Fatalf("error %v", err)
				}
				if diff := cmp.Diff(test.want, *failed); diff != "" {
					t.Errorf("error (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(llm.Reply{Text: test.text}, reply); diff != "" {
					t.Errorf("what came until then (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestRET01_MalformedChunk(t *testing.T) {
	both(t, "text half\nraw data: {\"id\":\"a\",\"choidata: {}\nraw", func(t *testing.T, _ *llmtest.Server, client *openai.Client) {
		reply, err := client.Stream(t.Context(), hello, quiet)
		var failed *llm.Error
		if !errors.As(err, &failed) || failed.Class != llm.Malformed || !failed.Retryable() || reply.Text != "half" {
			t.Errorf("%q, %v", reply.Text, err)
		}
	})
}

func TestRET01_NobodyListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	client, err := openai.New(protocol.Config{BaseURL: "http://" + listener.Addr().String(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Stream(t.Context(), hello, quiet)
	var failed *llm.Error
	if !errors.As(err, &failed) || failed.Class != llm.Network || !strings.Contains(failed.Hint, listener.Addr().String()) {
		t.Errorf("error %v", err)
	}
}

func TestContextCauseIsReturned(t *testing.T) {
	for _, script := range []string{"hang", "text half\nhang", "wait 1h", "raw : ping\nwait 1h"} {
		synctest.Test(t, func(t *testing.T) {
			stop := errors.New("stop")
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, stop)
			defer cancel()
			client := open(t, llmtest.Script(script), protocol.Config{})
			reply, err := client.Stream(ctx, hello, quiet)
			if err != stop {
				t.Errorf("%q: error %v, want the cause", script, err)
			}
			if strings.HasPrefix(script, "text") && reply.Text != "half" {
				t.Errorf("%q: reply %q", script, reply.Text)
			}
		})
	}
}

func TestLOOP07_CommentsAreActivity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := open(t, llmtest.Script("raw : ping\nwait 1m\nraw : ping\nwait 1m\ntext hi"), protocol.Config{})
		var heard []time.Duration
		start := time.Now()
		_, err := client.Stream(t.Context(), hello, func(d llm.Delta) {
			if at := time.Since(start); d.Kind == llm.Activity && !slices.Contains(heard, at) {
				heard = append(heard, at)
			}
		})
		if diff := cmp.Diff([]time.Duration{0, time.Minute, 2 * time.Minute}, heard); diff != "" || err != nil {
			t.Errorf("error %v, heard (-want +got):\n%s", err, diff)
		}
	})
}

func TestLOOP07_WhatIsHeldBackIsNoSilence(t *testing.T) {
	const call = `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":%q}}]}}]}` + "\n"
	piece := func(arguments string) string { return "raw " + strconv.Quote(fmt.Sprintf(call, arguments)) }
	for name, test := range map[string]struct {
		script []string
		held   int
	}{
		"comments and empty pieces": {[]string{"raw : ping", `chunk ""`, `reasoning ""`, "text hi"}, 0},
		"the pieces of a call":      {[]string{piece(""), piece("{"), piece("}")}, 3},
		"a call that only repeats":  {[]string{piece(""), piece(""), piece(""), piece("{}")}, 2},
		"text that may be a call":   {[]string{"chunk Well.", "chunk <tool_call>", `chunk {"name":`}, 2},
		"reasoning without text": {[]string{`raw "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_details\":` +
			`[{\"type\":\"reasoning.encrypted\",\"data\":\"x\"}]}}]}\n"`, "text hi"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			client := open(t, llmtest.Script(strings.Join(test.script, "\n")), protocol.Config{Dialect: llm.Dialect{WrittenCalls: true}})
			held := 0
			_, err := client.Stream(t.Context(), llm.Request{Messages: hello.Messages, Tools: []llm.Tool{{Name: "f", Parameters: json.RawMessage(`{"type":"object"}`)}}}, func(d llm.Delta) {
				if d.Call || d.Kind != llm.Activity && d.Text == "" {
					held++
				}
			})
			if held != test.held || err != nil {
				t.Errorf("%d pieces were held, want %d; error %v", held, test.held, err)
			}
		})
	}
}

func TestSEC05_KeyIsNeverShown(t *testing.T) {
	const key = "sk-0123456789abcdef"
	server := llmtest.Script(`status 401 {"error":{"message":"Incorrect API key provided: ` + key + `"}}`)
	server.Key = key
	client := open(t, server, protocol.Config{APIKey: key})
	_, err := client.Stream(t.Context(), llm.Request{Messages: []message.Message{user("is it " + key + "?")}}, quiet)
	if err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("error %v", err)
	}
	sent := server.Requests()[0]
	if !sent.Authorized || strings.Contains(string(sent.Body), key) {
		t.Errorf("sent %s, authorized %v", sent.Body, sent.Authorized)
	}
}

func TestShortKeysAreNoSecret(t *testing.T) {
	server := llmtest.Script("text hi")
	server.Key = "ollama"
	client := open(t, server, protocol.Config{APIKey: "ollama"})
	_, err := client.Stream(t.Context(), llm.Request{Messages: []message.Message{user("what is ollama?")}}, quiet)
	if err != nil || server.Requests()[0].Chat.Messages[0].Text() != "what is ollama?" {
		t.Errorf("error %v, sent %s", err, server.Requests()[0].Body)
	}
}

// TestModelsThatTheLibraryJudges sends names that the client library refuses by itself:
// the server decides.
func TestModelsThatTheLibraryJudges(t *testing.T) {
	for _, model := range []string{"gpt-6-astra", "gpt-5.4", "o3-mini", `gpt-"5"`} {
		warm := 0.5
		server := llmtest.Script("text hi")
		client := open(t, server, protocol.Config{Model: model, MaxTokens: 9, Temperature: &warm})
		req := hello
		req.Tools = []llm.Tool{{Name: "f", Parameters: json.RawMessage(`{"type":"object"}`)}}
		if _, err := client.Stream(t.Context(), req, quiet); err != nil {
			t.Errorf("%s: %v", model, err)
		}
		if got := server.Requests()[0].Chat.Model; got != model {
			t.Errorf("asked for %s, sent %s", model, got)
		}
	}
}

func TestBrokenSchema(t *testing.T) {
	req := hello
	req.Tools = []llm.Tool{{Name: "f", Parameters: json.RawMessage(`{`)}}
	_, err := open(t, llmtest.Script("text hi"), protocol.Config{}).Stream(t.Context(), req, quiet)
	var failed *llm.Error
	if !errors.As(err, &failed) || failed.Class != llm.Internal {
		t.Errorf("broken schema: error %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, config := range []protocol.Config{
		{Model: "m"},
		{Model: "m", BaseURL: "ftp://host"},
		{Model: "m", BaseURL: "http://"},
		{Model: "m", BaseURL: "host/v1"},
		{BaseURL: "http://host"},
	} {
		if _, err := openai.New(config); err == nil {
			t.Errorf("New(%+v) succeeded", config)
		}
	}
	if _, err := openai.New(protocol.Config{Model: "m", BaseURL: "https://host/v1", Transport: http.DefaultTransport}); err != nil {
		t.Error(err)
	}
}

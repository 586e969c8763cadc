package llmtest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

const key = "sk-test-0123456789abcdef"

// dialects are what the families want of a request.
var dialects = map[string]llm.Dialect{
	"openai": {
		CallIDs: llm.PlainID, Names: true, ParallelFlag: true, MaxTokens: "max_completion_tokens",
		FixedTemperature: true, Effort: llm.EffortField,
	},
	"anthropic":  {CallIDs: llm.PlainID},
	"gemini":     {Signatures: true, PlainSchemas: true, Effort: llm.EffortField},
	"deepseek":   {Echo: llm.EchoContent, Effort: llm.EffortThinking},
	"dashscope":  {Effort: llm.EffortEnable},
	"moonshot":   {Echo: llm.EchoContent, Effort: llm.EffortThinking, FixedTemperature: true},
	"zai":        {Effort: llm.EffortThinking},
	"mistral":    {CallIDs: llm.NineID, TakeTurns: true},
	"groq":       {Effort: llm.EffortField},
	"openrouter": {Echo: llm.EchoDetails, Effort: llm.EffortObject, ParallelFlag: true},
	"perplexity": {TakeTurns: true},
	"llamacpp":   {Effort: llm.EffortTemplate},
	"lmstudio":   {OnlyAuto: true},
	"vllm":       {Effort: llm.EffortTemplate},
}

// tools are on offer in every request. The schema has what some providers refuse.
var tools = []llm.Tool{{
	Name: "read_file", Description: "reads a file",
	Parameters: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["path"],"properties":{
		"path":{"type":"string","examples":["a.txt"]},"lines":{"type":["integer","null"]}}}`),
}}

// family returns the family of that name, which wants the key.
func family(t *testing.T, name string) *llmtest.Family {
	t.Helper()
	f, err := llmtest.NewFamily(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Key = key
	return f
}

// config leads to a family in memory, at its own path.
func config(f *llmtest.Family, name, model string) protocol.Config {
	temperature := 0.5
	config := protocol.Config{
		BaseURL: "http://family.invalid" + f.Base(), Transport: f.RoundTripper(), APIKey: key, Model: model,
		Dialect: dialects[name], Effort: llm.EffortHigh, MaxTokens: 4000, Temperature: &temperature,
	}
	if name == "anthropic" {
		// Only the list wants them.
		config.Header = http.Header{"X-Api-Key": {key}, "Anthropic-Version": {"2023-06-01"}}
	}
	return config
}

func open(t *testing.T, config protocol.Config) *openai.Client {
	t.Helper()
	client, err := openai.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// conversation is what the user and several models have said so far.
type conversation struct {
	messages []message.Message
	ids      map[string]bool
}

func (c *conversation) ask(text string) {
	c.messages = append(c.messages, message.Message{
		Role: message.User, Name: "ada", Parts: []message.Part{{Type: message.TextPart, Text: text}},
	})
}

// step asks the client for one reply, keeps it and gives each of its calls a result.
func (c *conversation) step(t *testing.T, client *openai.Client) llm.Reply {
	t.Helper()
	reply, err := client.Stream(t.Context(), llm.Request{System: "Be brief.", Messages: c.messages, Tools: tools}, func(llm.Delta) {})
	if err != nil {
		t.Fatalf("after %d messages: %v", len(c.messages), err)
	}
	said := message.Message{Role: message.Assistant, Parts: []message.Part{
		{Type: message.ReasoningPart, Text: reply.Reasoning, Details: reply.Details},
		{Type: message.TextPart, Text: reply.Text},
	}}
	for _, call := range reply.Calls {
		// The loop makes ids unique within a conversation.
		for c.ids[call.ID] {
			call.ID += "_2"
		}
		c.ids[call.ID] = true
		use := message.NewToolUse(call)
		use.State.Status, use.State.Output = message.Completed, &message.Result{Content: message.Text("a line")}
		said.Parts = append(said.Parts, message.Part{Type: message.ToolPart, Tool: use})
	}
	c.messages = append(c.messages, said)
	return reply
}

// round asks a question, which a family answers with calls first where its models
// make some.
func (c *conversation) round(t *testing.T, name string, client *openai.Client) {
	t.Helper()
	c.ask("What is in the file?")
	if name != "perplexity" {
		if reply := c.step(t, client); len(reply.Calls) == 0 || reply.Finish != llm.FinishCalls {
			t.Fatalf("%s made no call: %+v", name, reply)
		}
	}
	if reply := c.step(t, client); reply.Text != name+" is done." || len(reply.Calls) > 0 {
		t.Fatalf("%s said %+v", name, reply)
	}
}

func faultless(t *testing.T, f *llmtest.Family) {
	t.Helper()
	if faults := f.Faults(); len(faults) > 0 {
		t.Errorf("faults: %q", faults)
	}
}

// shows says which families tell their reasoning, and in which models.
func shows(name, model string) bool {
	switch name {
	case "openai", "anthropic", "gemini", "perplexity":
		return false
	case "mistral":
		return model == "magistral-medium-latest"
	}
	return true
}

func TestMSG07_RepliesOfEachFamily(t *testing.T) {
	for _, name := range llmtest.Families() {
		if name == "perplexity" {
			continue
		}
		for _, model := range family(t, name).Models() {
			t.Run(name+" "+model, func(t *testing.T) {
				f := family(t, name)
				f.Calls = 2
				client := open(t, config(f, name, model))
				talk := conversation{ids: map[string]bool{}}
				talk.ask("What is in the files?")
				first, second := talk.step(t, client), talk.step(t, client)
				faultless(t, f)
				compare(t, name, model, first, second)
			})
		}
	}
}

// compare reports whether the replies are a call of two files and a text, with what
// else the family tells.
func compare(t *testing.T, name, model string, first, second llm.Reply) {
	t.Helper()
	signed := first.Details
	for i, reply := range []*llm.Reply{&first, &second} {
		if known := reply.Usage != nil && reply.Usage.Prompt > 100 && reply.Usage.Completion == 20; known != (name != "anthropic") {
			t.Errorf("reply %d: usage %+v", i, reply.Usage)
		}
		reply.Usage, reply.Details = nil, nil
		for n := range reply.Calls {
			call := &reply.Calls[n]
			if signed := len(call.Extra) > 0; call.ID == "" || signed != (name == "gemini" && n == 0) {
				t.Errorf("call %+v", call)
			}
			call.ID, call.Extra = "", nil
		}
	}
	if (len(signed) > 0) != (name == "openrouter") {
		t.Errorf("details %s", signed)
	}
	want := []llm.Reply{{Finish: llm.FinishCalls}, {Text: name + " is done.", Finish: llm.FinishStop}}
	for n := range 2 {
		arguments := fmt.Sprintf(`{"path":"sample-%d.txt"}`, n)
		want[0].Calls = append(want[0].Calls, message.Call{Name: "read_file", Arguments: json.RawMessage(arguments), Raw: arguments})
	}
	if shows(name, model) {
		want[0].Reasoning, want[1].Reasoning = "I look at it first.", "It is told by the tool."
	}
	if diff := cmp.Diff(want, []llm.Reply{first, second}); diff != "" {
		t.Errorf("replies (-want +got):\n%s", diff)
	}
}

func TestMSG06_EachFamilyGoesOnWithEachOther(t *testing.T) {
	for _, one := range llmtest.Families() {
		from := family(t, one)
		from.Calls = 2
		first := open(t, config(from, one, from.Models()[0]))
		begun := conversation{ids: map[string]bool{}}
		begun.round(t, one, first)
		begun.ask("And now?")
		begun.step(t, first)
		for _, other := range llmtest.Families() {
			t.Run(one+" "+other, func(t *testing.T) {
				to := family(t, other)
				second := open(t, config(to, other, to.Models()[0]))
				talk := conversation{slices.Clone(begun.messages), maps.Clone(begun.ids)}
				if one == "perplexity" {
					talk.ask("And then?")
				}
				talk.step(t, second)
				talk.ask("And then?")
				talk.step(t, second)
				// A run that was stopped after its calls, and one that failed at once.
				talk.ask("Stop.")
				talk.ask("Or go on.")
				talk.step(t, second)
				if other == "perplexity" {
					talk.ask("And then?")
				}
				talk.step(t, first)
				faultless(t, to)
			})
		}
		faultless(t, from)
	}
}

// TestMSG06_WhatIsRefusedIsLearned talks to each family as to an endpoint that nobody
// knows, in a conversation that began elsewhere.
func TestMSG06_WhatIsRefusedIsLearned(t *testing.T) {
	for _, name := range llmtest.Families() {
		t.Run(name, func(t *testing.T) {
			f, elsewhere := family(t, name), family(t, "vllm")
			plain := config(f, name, f.Models()[0])
			plain.Dialect = llm.Dialect{}
			client := open(t, plain)
			talk := conversation{ids: map[string]bool{}}
			talk.round(t, "vllm", open(t, config(elsewhere, "vllm", elsewhere.Models()[0])))
			talk.round(t, name, client)
			talk.ask("And now?")
			talk.step(t, client)
			talk.ask("Stop.")
			talk.ask("Or go on.")
			talk.step(t, client)
			before := len(f.Faults())
			talk.round(t, name, client)
			if after := f.Faults(); len(after) > before {
				t.Errorf("refused again: %q", after[before:])
			}
		})
	}
}

func TestFamilyLists(t *testing.T) {
	for _, name := range llmtest.Families() {
		t.Run(name, func(t *testing.T) {
			f := family(t, name)
			names, err := openai.ListModels(t.Context(), config(f, name, ""))
			if name == "perplexity" {
				if failed := failure(t, err); failed.Class != llm.ModelNotFound || failed.Status != 404 {
					t.Errorf("a list that is not there: %v", err)
				}
				return
			}
			if err != nil || len(names) != len(f.Models()) {
				t.Fatalf("%v, %v", names, err)
			}
			for _, model := range names {
				talk := conversation{ids: map[string]bool{}}
				talk.round(t, name, open(t, config(f, name, model)))
			}
			if err := f.SetMode(llmtest.WrongKey); err != nil {
				t.Fatal(err)
			}
			_, err = openai.ListModels(t.Context(), config(f, name, ""))
			if name == "openrouter" {
				if err != nil {
					t.Errorf("a list for everybody: %v", err)
				}
			} else if failed := failure(t, err); failed.Class != llm.Auth || failed.Hint != "check the API key" {
				t.Errorf("a wrong key: %v", err)
			}
		})
	}
}

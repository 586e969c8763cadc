package llmtest_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
)

func failure(t *testing.T, err error) llm.Error {
	t.Helper()
	var failed *llm.Error
	if !errors.As(err, &failed) {
		t.Fatalf("error %v", err)
	}
	return *failed
}

// told is what the client has to find out about a refusal.
type told struct {
	class  llm.Class
	wait   time.Duration
	window int
}

// refusals are what each mode comes to, where that is not the same for all.
var refusals = map[string]map[llmtest.Mode]told{
	"openai":     {llmtest.Busy: {class: llm.RateLimited, wait: 1998 * time.Millisecond}, llmtest.Overflow: {window: 272000}},
	"anthropic":  {llmtest.Busy: {class: llm.RateLimited, wait: 9 * time.Second}, llmtest.Overflow: {window: 200000}},
	"gemini":     {llmtest.Busy: {class: llm.RateLimited, wait: 12500 * time.Millisecond}, llmtest.Overflow: {window: 1048576}, llmtest.QuotaUsed: {wait: 12500 * time.Millisecond}},
	"deepseek":   {llmtest.Overflow: {window: 131072}},
	"dashscope":  {llmtest.Busy: {class: llm.RateLimited}, llmtest.Overflow: {window: 129024}},
	"moonshot":   {llmtest.Overflow: {window: 262144}},
	"zai":        {llmtest.Busy: {class: llm.RateLimited}},
	"mistral":    {llmtest.QuotaUsed: {class: llm.Auth}, llmtest.Overflow: {window: 131072}},
	"groq":       {llmtest.Busy: {class: llm.RateLimited, wait: 3 * time.Second}, llmtest.QuotaUsed: {class: llm.RateLimited, wait: 864 * time.Second}},
	"xai":        {llmtest.Busy: {class: llm.RateLimited}, llmtest.Overflow: {window: 131072}},
	"openrouter": {llmtest.Busy: {class: llm.RateLimited, wait: 30 * time.Second}, llmtest.Overflow: {window: 200000}},
	"perplexity": {llmtest.Busy: {class: llm.RateLimited}},
	"llamacpp":   {llmtest.Overflow: {window: 16384}},
	"lmstudio":   {llmtest.Overflow: {window: 4096}},
	"vllm":       {llmtest.Overflow: {window: 40960}},
}

// usual is what a mode comes to where refusals says nothing of the class.
var usual = map[llmtest.Mode]llm.Class{
	llmtest.WrongKey: llm.Auth, llmtest.QuotaUsed: llm.Quota, llmtest.Overflow: llm.ContextOverflow,
	llmtest.Busy: llm.Overloaded, llmtest.UnknownModel: llm.ModelNotFound,
}

var hints = map[llm.Class]string{
	llm.Auth: "check the API key", llm.Quota: "add credit at the provider, or choose another model",
	llm.ContextOverflow: "shorten the conversation or start a new one", llm.Overloaded: "try again later",
	llm.RateLimited: "try again later", llm.ModelNotFound: "check the model's name and the base URL",
}

func TestRET01_RefusalsOfEachFamily(t *testing.T) {
	for _, name := range llmtest.Families() {
		for _, mode := range family(t, name).Modes()[1:] {
			t.Run(name+" "+string(mode), func(t *testing.T) {
				// In a bubble the clock stands still, so that waits are exact.
				synctest.Test(t, func(t *testing.T) { refused(t, name, mode) })
			})
		}
	}
}

func refused(t *testing.T, name string, mode llmtest.Mode) {
	f := family(t, name)
	if err := f.SetMode(mode); err != nil {
		t.Fatal(err)
	}
	talk := conversation{ids: map[string]bool{}}
	talk.ask("Are you there?")
	client := open(t, config(f, name, f.Models()[0]))
	_, err := client.Stream(t.Context(), llm.Request{Messages: talk.messages, Tools: tools}, func(llm.Delta) {})
	want := refusals[name][mode]
	if want.class == llm.Internal {
		want.class = usual[mode]
	}
	failed := failure(t, err)
	got := told{failed.Class, failed.Wait, failed.Window}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(told{})); diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if failed.Hint != hints[want.class] || failed.Message == "" {
		t.Errorf("%q; %q, want the hint %q", failed.Message, failed.Hint, hints[want.class])
	}
	if len(f.Requests()) != 1 {
		t.Errorf("%d requests, want 1", len(f.Requests()))
	}
	faultless(t, f)
}

func TestFamilyRefusesByItself(t *testing.T) {
	for _, name := range llmtest.Families() {
		f := family(t, name)
		talk := conversation{ids: map[string]bool{}}
		talk.ask("Are you there?")
		wrong := config(f, name, f.Models()[0])
		wrong.APIKey = "sk-test-wrong"
		_, err := open(t, wrong).Stream(t.Context(), llm.Request{Messages: talk.messages}, func(llm.Delta) {})
		if failed := failure(t, err); failed.Class != llm.Auth {
			t.Errorf("%s: a wrong key: %v", name, err)
		}
		_, err = open(t, config(f, name, "nobody-s-model")).Stream(t.Context(), llm.Request{Messages: talk.messages}, func(llm.Delta) {})
		if name == "llamacpp" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		} else if failed := failure(t, err); failed.Class != llm.ModelNotFound {
			t.Errorf("%s: an unknown model: %v", name, err)
		}
	}
}

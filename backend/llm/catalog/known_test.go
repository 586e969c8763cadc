package catalog_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"
	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
)

func TestProvidersAreSound(t *testing.T) {
	names := map[string]bool{}
	for _, p := range (catalog.Catalog{}).Providers() {
		found, err := catalog.Catalog{}.Find(p.Name)
		if diff := cmp.Diff(p, found); err != nil || diff != "" || p.Title == "" || names[p.Name] {
			t.Errorf("Find(%s) = %v\n%s", p.Name, err, diff)
		}
		names[p.Name] = true
		if p.Name == catalog.Demo {
			continue
		}
		for _, address := range append([]string{p.BaseURL}, p.Others...) {
			if clean, err := catalog.CleanURL(address); err != nil || clean != address {
				t.Errorf("%s: CleanURL(%s) = %s, %v", p.Name, address, clean, err)
			}
			if p.Local != (p.KeyEnv == "") || !p.Local && !strings.HasPrefix(address, "https://") {
				t.Errorf("%s: key %q, address %s", p.Name, p.KeyEnv, address)
			}
			if found := locate(t, catalog.Choice{BaseURL: address}); found.Provider.Name != p.Name || found.KeyEnv != p.KeyEnv {
				t.Errorf("%s is %s with the key in %q", address, found.Provider.Name, found.KeyEnv)
			}
		}
	}
	all := catalog.Catalog{}.Providers()
	if last := all[len(all)-1].Name; last != catalog.Demo {
		t.Errorf("%s is last", last)
	}
}

// The public list of models names providers too: an upgrade of it shows here.
func TestEveryProviderOfThePublicListIsKnown(t *testing.T) {
	compared := 0
	for _, listed := range embedded.GetAll() {
		address, err := url.Parse(listed.APIEndpoint)
		if listed.Type != catwalk.TypeOpenAICompat || listed.ID == catwalk.InferenceProviderCopilot ||
			err != nil || address.Scheme != "https" {
			continue
		}
		compared++
		known := slices.ContainsFunc(catalog.Catalog{}.Providers(), func(p catalog.Provider) bool {
			own, err := url.Parse(p.BaseURL)
			return err == nil && own.Host == address.Host && "$"+p.KeyEnv == listed.APIKey
		})
		if !known {
			t.Errorf("%s is at %s with the key in %s", listed.ID, listed.APIEndpoint, listed.APIKey)
		}
	}
	if compared < 15 {
		t.Errorf("%d providers compared", compared)
	}
}

func TestAKeyTellsItsProviderWhereItsBeginningDoes(t *testing.T) {
	for key, want := range map[string]string{
		"sk-or-v1-0123": "openrouter", "sk-ant-api03-0123": "anthropic", "sk-proj-0123": "openai", "gsk_0123": "groq",
		"xai-0123": "xai", "AIza0123": "gemini", "hf_0123": "huggingface", "csk-0123": "cerebras", "pplx-0123": "perplexity",
		"nvapi-0123": "nvidia", "fw_0123": "fireworks", "vck_0123": "vercel", "tgp_v1_0123": "together",
		"sk-0123": "", "": "", "SK-OR-0123": "", "0123.abcd": "",
	} {
		if p, ok := (catalog.Catalog{}).OfKey(key); p.Name != want || ok != (want != "") {
			t.Errorf("%s is of %q, %v; want %q", key, p.Name, ok, want)
		}
	}
	own := catalog.With([]catalog.Provider{{Name: "long", KeyPrefixes: []string{"sk-mine-"}}, {Name: "mine", KeyPrefixes: []string{"sk-"}}})
	for key, want := range map[string]string{"sk-0123": "mine", "sk-mine-0123": "long", "sk-or-0123": "openrouter"} {
		if p, _ := own.OfKey(key); p.Name != want {
			t.Errorf("%s is of %q, want the one with the longest beginning, %s", key, p.Name, want)
		}
	}
}

func TestSEC07_AProvidersKeyGoesToItsOtherHosts(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://dashscope-intl.aliyuncs.com/compatible-mode/v1":  {"DASHSCOPE_API_KEY", "dashscope@dashscope-intl.aliyuncs.com:443"},
		"https://dashscope-other.aliyuncs.com/compatible-mode/v1": {"", "dashscope@dashscope-other.aliyuncs.com:443"},
	} {
		found := locate(t, catalog.Choice{Provider: "dashscope", BaseURL: address})
		if found.KeyEnv != want[0] || found.Account != want[1] {
			t.Errorf("%s: key in %q, account %s", address, found.KeyEnv, found.Account)
		}
	}
}

func TestOfTwoProvidersAtOneHostTheAddressDecides(t *testing.T) {
	for address, want := range map[string]string{
		"https://opencode.ai/zen/v1": "opencode-zen", "https://opencode.ai/zen/go/v1": "opencode-go", "https://opencode.ai/v9": "opencode-zen",
	} {
		if found := locate(t, catalog.Choice{BaseURL: address}); found.Provider.Name != want {
			t.Errorf("%s is %s, want %s", address, found.Provider.Name, want)
		}
	}
}

func TestOnesOwnProvidersAreChosenLikeTheKnown(t *testing.T) {
	own := catalog.Provider{
		Name: "lab", Title: "Lab", BaseURL: "https://lab.example/v1", KeyEnv: "LAB_KEY", Speaks: "openai", Own: true,
		Dialect: llm.Dialect{MaxTokens: "max_completion_tokens"}, Window: 32_768,
	}
	providers := catalog.With([]catalog.Provider{own, {Name: "late", BaseURL: "https://api.openai.com/v1", Own: true}})
	found, err := providers.Choose(catalog.Choice{Provider: "Lab", Model: "gpt-5-lab"}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if found.BaseURL != own.BaseURL || found.KeyEnv != "LAB_KEY" || !found.KeyRequired || found.Account != "lab@lab.example:443" {
		t.Errorf("endpoint %+v", found)
	}
	if !found.Dialect.FixedTemperature || found.Dialect.MaxTokens != "max_completion_tokens" {
		t.Errorf("dialect %+v", found.Dialect)
	}
	if facts, ok := found.Facts(); !ok || facts.Window != 32_768 {
		t.Errorf("facts %+v, %v", facts, ok)
	}
	found, err = providers.Locate(catalog.Choice{BaseURL: "https://lab.example/v2"}, nothing)
	if err != nil || found.Provider.Name != "lab" {
		t.Errorf("by its host: %s, %v", found.Provider.Name, err)
	}
	found, err = providers.Locate(catalog.Choice{BaseURL: "https://api.openai.com/v1"}, nothing)
	if err != nil || found.Provider.Name != "openai" {
		t.Errorf("an own one at a known address: %s, %v", found.Provider.Name, err)
	}
	if _, err := (catalog.Catalog{}).Find("lab"); err == nil {
		t.Error("another catalog knows it")
	}
	if first := providers.Providers()[0].Name; first != "lab" {
		t.Errorf("%s is first", first)
	}
}

func TestMSG06_TheDialectIsTheProvidersAndTheModels(t *testing.T) {
	for _, test := range []struct {
		provider, model string
		want            llm.Dialect
	}{
		{"openai", "gpt-4.1", llm.Dialect{
			CallIDs: llm.PlainID, Names: true, ParallelFlag: true, MaxTokens: "max_completion_tokens", Effort: llm.EffortField,
		}},
		{"openai", "o3-mini", llm.Dialect{
			CallIDs: llm.PlainID, Names: true, ParallelFlag: true, MaxTokens: "max_completion_tokens", Effort: llm.EffortField,
			FixedTemperature: true, Efforts: llm.EffortSet(llm.EffortLow, llm.EffortMedium, llm.EffortHigh),
		}},
		{"moonshot", "kimi-k2-0905-preview", llm.Dialect{
			Echo: llm.EchoContent, Effort: llm.EffortThinking, Marks: llm.MarkThink | llm.MarkKimi,
		}},
		{"moonshot", "kimi-k2.5", llm.Dialect{
			Echo: llm.EchoContent, Effort: llm.EffortThinking, FixedTemperature: true, Marks: llm.MarkThink | llm.MarkKimi,
		}},
		{"mistral", "mistral-large-2411", llm.Dialect{
			CallIDs: llm.NineID, TakeTurns: true, Echo: llm.EchoParts, Marks: llm.MarkMistral,
		}},
		{"vllm", "openai/gpt-oss-20b", llm.Dialect{
			Echo: llm.EchoReasoning, Effort: llm.EffortTemplate, EffortBeside: true, Marks: llm.MarkHarmony,
			Efforts: llm.EffortSet(llm.EffortLow, llm.EffortMedium, llm.EffortHigh),
		}},
		{"groq", "any", llm.Dialect{}},
	} {
		found := locate(t, catalog.Choice{Provider: test.provider, Model: test.model})
		if diff := cmp.Diff(test.want, found.Dialect); diff != "" {
			t.Errorf("%s at %s: %s", test.model, test.provider, diff)
		}
	}
	if body := locate(t, catalog.Choice{Provider: "minimax"}).Body; string(body["reasoning_split"]) != "true" {
		t.Errorf("body of MiniMax: %s", body)
	}
}

func TestMOD01_TheProtocolIsTheFamilysAtItsMaker(t *testing.T) {
	for _, test := range []struct {
		choice catalog.Choice
		want   llm.Protocol
	}{
		{catalog.Choice{Provider: "openai", Model: "gpt-5.5"}, llm.Responses},
		{catalog.Choice{Provider: "openai", Model: "o3-mini"}, llm.Responses},
		{catalog.Choice{BaseURL: "https://eu.api.openai.com/v1", Model: "gpt-5.3-codex"}, llm.Responses},
		{catalog.Choice{Provider: "openai", Model: "gpt-4.1"}, llm.ChatCompletions},
		{catalog.Choice{Provider: "openai", BaseURL: "http://127.0.0.1:9/v1", Model: "gpt-5.5"}, llm.ChatCompletions},
		{catalog.Choice{BaseURL: "https://host.example/v1", Model: "gpt-5.5"}, llm.ChatCompletions},
		{catalog.Choice{Provider: "anthropic", Model: "claude-sonnet-4-6"}, llm.Messages},
		{catalog.Choice{Provider: "openrouter", Model: "anthropic/claude-sonnet-4.6"}, llm.ChatCompletions},
		{catalog.Choice{Provider: "ollama", Model: "gpt-oss:20b"}, llm.ChatCompletions},
	} {
		if got := locate(t, test.choice).Protocol; got != test.want {
			t.Errorf("%+v is asked over %s, want %s", test.choice, got, test.want)
		}
	}
}

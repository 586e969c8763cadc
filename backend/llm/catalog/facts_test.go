package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
)

func facts(t *testing.T, choice catalog.Choice) (catalog.Facts, bool) {
	t.Helper()
	return locate(t, choice).Facts()
}

func TestFactsComeFromThePublicList(t *testing.T) {
	for _, test := range []struct {
		choice catalog.Choice
		want   catalog.Facts
	}{
		{ // its address is a variable in the list
			catalog.Choice{Provider: "anthropic", Model: "claude-sonnet-4-6"},
			catalog.Facts{
				Window: 1_000_000, MaxOutput: 64_000, Price: &message.Price{Prompt: 3, Completion: 15, Cached: 0.3},
				Reasons: true, Efforts: []llm.Effort{llm.EffortLow, llm.EffortMedium, llm.EffortHigh, llm.EffortMax},
			},
		},
		{ // the price of the cache is in the other field
			catalog.Choice{BaseURL: "https://api.openai.com/v1", Model: "gpt-5.5"},
			catalog.Facts{
				Window: 1_050_000, MaxOutput: 128_000, Price: &message.Price{Prompt: 5, Completion: 30, Cached: 0.5},
				Reasons: true, Efforts: []llm.Effort{llm.EffortLow, llm.EffortMedium, llm.EffortHigh, llm.EffortXHigh},
			},
		},
		{ // no price of the cache
			catalog.Choice{Provider: "openrouter", Model: "ai21/jamba-large-1.7"},
			catalog.Facts{Window: 256_000, MaxOutput: 2048, Price: &message.Price{Prompt: 2, Completion: 8, Cached: 2}},
		},
		{catalog.Choice{Provider: "moonshot", Model: "moonshot-v1-8k"}, catalog.Facts{Window: 8_192}},
		{catalog.Choice{Provider: "ollama", Model: "claude-sonnet-4-6"}, catalog.Facts{Price: &message.Price{}}},
		{catalog.Choice{BaseURL: "http://127.0.0.1:9/v1", Model: "m"}, catalog.Facts{Price: &message.Price{}}},
	} {
		got, ok := facts(t, test.choice)
		if diff := cmp.Diff(test.want, got); diff != "" || !ok {
			t.Errorf("%+v: %v %s", test.choice, ok, diff)
		}
	}
}

func TestMOD02_TheWindowOfAFamilyCountsWhereNobodySaysMore(t *testing.T) {
	for _, test := range []struct {
		choice catalog.Choice
		window int
	}{
		{catalog.Choice{BaseURL: "https://host.example/v1", Model: "gpt-5.5"}, 400_000},
		{catalog.Choice{Provider: "openai", Model: "gpt-5.5"}, 1_050_000},
		{catalog.Choice{Provider: "ollama", Model: "qwen3:8b"}, 0}, // it is asked
	} {
		if got, _ := facts(t, test.choice); got.Window != test.window {
			t.Errorf("%+v: a window of %d, want %d", test.choice, got.Window, test.window)
		}
	}
}

func TestWhatIsNotKnownIsNoFact(t *testing.T) {
	for _, choice := range []catalog.Choice{
		{Provider: "openai", Model: "no-such-model"},
		{Provider: "moonshot", Model: "no-such-model"},
		{Provider: "nvidia", Model: "no-such-model"},
		{BaseURL: "https://host.example/v1", Model: "no-such-model"},
		{Provider: "demo"},
	} {
		if got, ok := facts(t, choice); ok {
			t.Errorf("%+v: %+v", choice, got)
		}
	}
}

// A price of 0 in the list means that it says none.
func TestNoListedPriceIsNothing(t *testing.T) {
	seen := 0
	for _, p := range (catalog.Catalog{}).Providers() {
		for _, model := range catalog.Listed(p.Name) {
			got, ok := facts(t, catalog.Choice{Provider: p.Name, Model: model})
			if !ok || got.Window < 0 || got.MaxOutput < 0 {
				t.Errorf("%s at %s: %+v, %v", model, p.Name, got, ok)
			}
			if price := got.Price; price != nil && (price.Prompt <= 0 || price.Completion <= 0 || price.Cached <= 0 || price.Cached > price.Prompt) {
				t.Errorf("%s at %s costs %+v", model, p.Name, *price)
			}
			seen++
		}
	}
	if seen < 500 {
		t.Errorf("%d models are listed", seen)
	}
}

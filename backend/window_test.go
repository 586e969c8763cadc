package backend_test

import (
	"errors"
	"os"
	"testing"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

// located is a provider's model, which is not asked anything.
func located(t *testing.T, provider, model string) catalog.Endpoint {
	t.Helper()
	endpoint, err := catalog.Catalog{}.Locate(catalog.Choice{Provider: provider, Model: model}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint
}

func TestAModelsWindowIsWhatWasLearnedElseWhatIsKnown(t *testing.T) {
	b, _ := open(t)
	endpoint := located(t, "moonshot", "moonshot-v1-8k")
	if tokens := b.Facts(endpoint).Window; tokens != 8192 {
		t.Errorf("known beforehand: %d", tokens)
	}
	if err := settings.LearnWindow(b.Folders.State, endpoint.BaseURL, endpoint.Model, 7000); err != nil {
		t.Fatal(err)
	}
	if tokens := b.Facts(endpoint).Window; tokens != 7000 {
		t.Errorf("learned: %d", tokens)
	}
	endpoint.Model = "no-such-model"
	if tokens := b.Facts(endpoint).Window; tokens != 0 {
		t.Errorf("not known: %d", tokens)
	}
}

// TestLOOP05_ABudgetOfMoneyNeedsAPrice begins conversations whose runs may cost no more
// than a dollar.
func TestLOOP05_ABudgetOfMoneyNeedsAPrice(t *testing.T) {
	b, _ := open(t)
	for model, known := range map[string]bool{"gpt-4o": true, "no-such-model": false} {
		t.Setenv("OPENAI_API_KEY", "sk-canary-0000000000")
		task := tour(t, t.TempDir())
		task.Endpoint, task.Limits = located(t, "openai", model), session.Limits{MaxSteps: 1, BudgetUSD: 1}
		conversation, err := b.Begin(t.Context(), task)
		if fault, refused := errors.AsType[*catalog.UsageError](err); refused == known || refused && fault.Hint == "" {
			t.Errorf("%s: %v", model, err)
		}
		if conversation != nil {
			if err := conversation.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

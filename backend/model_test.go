package backend_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
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

// TestLOOP05_ABudgetOfMoneyNeedsAPrice begins conversations whose runs may cost no more
// than a dollar.
func TestLOOP05_ABudgetOfMoneyNeedsAPrice(t *testing.T) {
	b, _ := open(t)
	for model, known := range map[string]bool{"gpt-4o": true, "no-such-model": false} {
		t.Setenv("OPENAI_API_KEY", "sk-canary-0000000000")
		task := tour(t, t.TempDir())
		task.Endpoint, task.Limits = located(t, "openai", model), message.Limits{MaxSteps: 1, BudgetUSD: 1}
		conversation, err := b.OpenConversation(t.Context(), task)
		if fault, refused := errors.AsType[*catalog.UsageError](err); refused == known || refused && fault.Hint == "" {
			t.Errorf("%s: %v", model, err)
		}
		if conversation != nil {
			if err := conversation.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}
	}
}

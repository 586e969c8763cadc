package models_test

import (
	"testing"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/settings"
)

func TestAModelsWindowIsWhatWasLearnedElseWhatIsKnown(t *testing.T) {
	m, dir := open(t)
	endpoint := locate(t, catalog.Choice{Provider: "moonshot", Model: "moonshot-v1-8k"})
	if tokens := m.Facts(endpoint).Window; tokens != 8192 {
		t.Errorf("known beforehand: %d", tokens)
	}
	if err := settings.LearnWindow(dir, endpoint.BaseURL, endpoint.Model, 7000); err != nil {
		t.Fatal(err)
	}
	if tokens := m.Facts(endpoint).Window; tokens != 7000 {
		t.Errorf("learned: %d", tokens)
	}
	endpoint.Model = "no-such-model"
	if tokens := m.Facts(endpoint).Window; tokens != 0 {
		t.Errorf("not known: %d", tokens)
	}
}

package models_test

import (
	"errors"
	"net/http/httptest"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/models"
	"fairlead/backend/secret"
)

// TestUI06_EveryFamilyIsTested tests a model of each family of providers, in each of
// its moods, with what the catalog says of that provider.
func TestUI06_EveryFamilyIsTested(t *testing.T) {
	classes := map[llmtest.Mode]llm.Class{
		llmtest.WrongKey: llm.Auth, llmtest.QuotaUsed: llm.Quota, llmtest.UnknownModel: llm.ModelNotFound,
		llmtest.Overflow: llm.ContextOverflow,
	}
	for _, name := range llmtest.Families() {
		t.Run(name, func(t *testing.T) {
			m, dir := open(t)
			family, err := llmtest.NewFamily(name)
			if err != nil {
				t.Fatal(err)
			}
			family.Key = canary
			server := httptest.NewServer(family)
			defer server.Close()
			for _, mode := range family.Modes() {
				class, errs := classes[mode]
				if !errs && mode != llmtest.Well || mode == llmtest.QuotaUsed && (name == "mistral" || name == "groq") {
					continue // busy is for runs; those two say of a used up allowance what they say of another thing
				}
				if err := family.SetMode(mode); err != nil {
					t.Fatal(err)
				}
				endpoint := locate(t, catalog.Choice{Provider: name, BaseURL: server.URL + family.Base(), Model: family.Models()[0]})
				tested, err := m.Test(t.Context(), endpoint, secret.NewKey(canary))
				if err == nil {
					err = tested.ProbeErr
				}
				refused, _ := errors.AsType[*llm.Error](err)
				switch {
				case errs && (refused == nil || refused.Class != class || refused.Hint == ""):
					t.Errorf("%s: %v", mode, err)
				case mode == llmtest.Well && (err != nil || tested.Tools != models.ToolsCalled && name != "perplexity"):
					t.Errorf("well: %+v, %v", tested, err)
				}
			}
			for _, fault := range family.Faults() {
				t.Error(fault)
			}
			noCanary(t, dir)
		})
	}
}

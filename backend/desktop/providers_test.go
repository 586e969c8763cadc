package desktop_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/desktop"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

func TestMSG07_AProviderOfOnesOwnIsAddedUsedAndRemoved(t *testing.T) {
	const canary = "sk-canary-0123456789"
	t.Setenv("FAIRLEAD_TEST_KEY", canary)
	h := newHand()
	h.presses <- desktop.Yes // when it is added
	h.presses <- desktop.Yes // and after it was removed
	s := open(t, "call c1 ping {}", h)
	s.model.Key = canary
	models := service[*desktop.Models](s)
	lab := desktop.OwnProvider{Name: "lab", Title: "The lab", BaseURL: s.baseURL, KeyEnv: "FAIRLEAD_TEST_KEY", Body: `{"top_k": 5}`}
	if _, err := models.SaveProvider(lab); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("FAIRLEAD_TEST_KEY") != "" {
		t.Error("SEC-01: programs that the window starts inherit its key")
	}
	providers, err := models.Providers()
	if err != nil || !providers[0].Own || providers[0].Name != "lab" || !providers[0].NeedsKey {
		t.Fatalf("providers %+v, %v", providers, err)
	}
	tested, err := models.Test(desktop.ModelChoice{Provider: "lab", Model: "scripted"})
	if err != nil || !tested.Known || tested.Tools != "called" || tested.ToolsFault != nil {
		t.Errorf("test: %+v, %v", tested, err)
	}
	chosen, err := models.Use(desktop.ModelChoice{Provider: "lab", Model: "scripted"})
	if err != nil || chosen.Title != "The lab" || chosen.KeySource != secret.FromEnvironment {
		t.Errorf("use: %+v, %v", chosen, err)
	}
	lab.Headers = []desktop.Header{{Name: "X-B", Value: "2"}, {Name: "X-A", Value: "{key}"}}
	if _, err := models.SaveProvider(lab); err != nil {
		t.Errorf("once more: %v", err)
	}
	slices.Reverse(lab.Headers) // they come in the order of their names
	lab.Body = `{"top_k":5}`
	own, err := models.OwnProviders()
	if diff := cmp.Diff([]desktop.OwnProvider{lab}, own); err != nil || diff != "" {
		t.Errorf("own providers: %v %s", err, diff)
	}
	if _, err := models.SaveProvider(desktop.OwnProvider{Name: "x", BaseURL: s.baseURL, Body: "[]"}); code(t, err) != desktop.CodeUsage {
		t.Errorf("a body that is none: %v", err)
	}
	if _, err := models.RemoveProvider("lab"); err != nil {
		t.Fatal(err)
	}
	if providers, err := models.Providers(); err != nil || slices.ContainsFunc(providers, func(p desktop.Provider) bool { return p.Own }) {
		t.Errorf("providers %+v, %v", providers, err)
	}
	if model := s.state().Model; model != nil {
		t.Errorf("the model of a provider that is gone is chosen: %+v", model)
	}
	path := filepath.Join(s.folders.Config, settings.FileName)
	if err := os.WriteFile(path, []byte("modle = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := models.SaveProvider(lab); code(t, err) != desktop.CodeUsage {
		t.Errorf("a broken file: %v", err)
	}
}

func TestEV06_TheProvidersTravelAtOnce(t *testing.T) {
	s := open(t, "", nil)
	providers, err := service[*desktop.Models](s).Providers()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(providers)
	if err != nil || len(text) > 8192 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if last := providers[len(providers)-1]; last.Name != "venice" {
		t.Errorf("the last is %+v, although they fit", last)
	}
}

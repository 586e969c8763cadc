package models_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/secret"
)

func TestSEC05_AMissingKeyIsNamedAndAKnownOneRedacted(t *testing.T) {
	t.Setenv("FAIRLEAD_TEST_KEY", "")
	m, _ := open(t)
	endpoint := locate(t, catalog.Choice{BaseURL: "http://127.0.0.1:1/v1", KeyEnv: "FAIRLEAD_TEST_KEY"})
	var missing *catalog.UsageError
	if err := begin(m, endpoint); !errors.As(err, &missing) || !strings.Contains(missing.Message, "FAIRLEAD_TEST_KEY is not set") {
		t.Fatalf("got %v", err)
	}
	t.Setenv("FAIRLEAD_TEST_KEY", "two words")
	var wrong *secret.KeyError
	if err := begin(m, endpoint); !errors.As(err, &wrong) {
		t.Fatalf("got %v", err)
	}
	t.Setenv("FAIRLEAD_TEST_KEY", canary)
	if err := begin(m, endpoint); err != nil {
		t.Fatal(err)
	}
	if shown := m.redactor.String("key " + canary); strings.Contains(shown, "canary") {
		t.Errorf("shown %q", shown)
	}
}

func TestSEC01_WithoutAKeyringAKeyIsHeldForThisSession(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the keyring of this system cannot be taken away")
	}
	t.Setenv("OPENAI_API_KEY", "")
	m, dir := open(t)
	endpoint := locate(t, catalog.Choice{Provider: "openai"})
	var missing *catalog.UsageError
	if err := begin(m, endpoint); !errors.As(err, &missing) || !strings.Contains(missing.Message, "no keyring is running") ||
		!strings.Contains(missing.Hint, "window") {
		t.Fatalf("got %v", err)
	}
	if err := begin(m, locate(t, catalog.Choice{BaseURL: "https://host.example/v1"})); err != nil {
		t.Errorf("an endpoint that needs no key: %v", err)
	}
	key := secret.NewKey(canary)
	var absent *secret.KeyringError
	if err := m.SaveKey(t.Context(), endpoint, key); !errors.As(err, &absent) || absent.Kind != secret.Absent {
		t.Errorf("SaveKey: %v", err)
	}
	if err := m.HoldKey(endpoint, key); err != nil {
		t.Fatal(err)
	}
	if err := begin(m, endpoint); err != nil {
		t.Errorf("with a held key: %v", err)
	}
	found, source, err := m.FindKey(t.Context(), endpoint, secret.Background)
	if err != nil || source != secret.FromSession || found.Reveal() != canary {
		t.Errorf("FindKey: from %s, %v", source, err)
	}
	if err := m.ForgetKey(t.Context(), endpoint); err != nil {
		t.Error(err)
	}
	if err := begin(m, endpoint); !errors.As(err, &missing) {
		t.Errorf("after ForgetKey: %v", err)
	}
	noCanary(t, dir)
}

func TestSEC07_NoKeyIsKeptForAnAddressWithoutHTTPS(t *testing.T) {
	m, _ := open(t)
	endpoint := locate(t, catalog.Choice{BaseURL: "http://192.0.2.1/v1"})
	var refused *catalog.UsageError
	if err := m.SaveKey(t.Context(), endpoint, secret.NewKey(canary)); !errors.As(err, &refused) {
		t.Errorf("SaveKey: %v", err)
	}
	if err := m.HoldKey(endpoint, secret.NewKey(canary)); !errors.As(err, &refused) {
		t.Errorf("HoldKey: %v", err)
	}
	if _, err := m.Test(t.Context(), endpoint, secret.NewKey(canary)); !errors.As(err, &refused) {
		t.Errorf("Test: %v", err)
	}
}

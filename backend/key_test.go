package backend_test

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/secret"
)

const canary = "sk-canary-0123456789"

// withoutBus keeps a test on Linux away from the keyring of whoever runs it.
func withoutBus(t *testing.T) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
}

func locate(t *testing.T, choice catalog.Choice) catalog.Endpoint {
	t.Helper()
	if choice.Model == "" {
		choice.Model = "any"
	}
	endpoint, err := catalog.Catalog{}.Locate(choice, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint
}

// begin opens a conversation with an endpoint and closes it.
func begin(t *testing.T, b *backend.Backend, endpoint catalog.Endpoint) error {
	t.Helper()
	task := tour(t, t.TempDir())
	task.Endpoint = endpoint
	conversation, err := b.Begin(t.Context(), task)
	if err != nil {
		return err
	}
	return conversation.Close()
}

func TestSEC05_AMissingKeyIsNamedAndAKnownOneRedacted(t *testing.T) {
	t.Setenv("FAIRLEAD_TEST_KEY", "")
	b, _ := open(t)
	endpoint := locate(t, catalog.Choice{BaseURL: "http://127.0.0.1:1/v1", KeyEnv: "FAIRLEAD_TEST_KEY"})
	var missing *catalog.UsageError
	if err := begin(t, b, endpoint); !errors.As(err, &missing) || !strings.Contains(missing.Message, "FAIRLEAD_TEST_KEY is not set") {
		t.Fatalf("got %v", err)
	}
	t.Setenv("FAIRLEAD_TEST_KEY", "two words")
	var wrong *secret.KeyError
	if err := begin(t, b, endpoint); !errors.As(err, &wrong) {
		t.Fatalf("got %v", err)
	}
	t.Setenv("FAIRLEAD_TEST_KEY", canary)
	if err := begin(t, b, endpoint); err != nil {
		t.Fatal(err)
	}
	if shown := b.Redactor.String("key " + canary); strings.Contains(shown, "canary") {
		t.Errorf("shown %q", shown)
	}
}

func TestSEC01_WithoutAKeyringAKeyIsHeldForThisSession(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the keyring of this system cannot be taken away")
	}
	t.Setenv("OPENAI_API_KEY", "")
	b, dir := open(t)
	endpoint := locate(t, catalog.Choice{Provider: "openai"})
	var missing *catalog.UsageError
	if err := begin(t, b, endpoint); !errors.As(err, &missing) || !strings.Contains(missing.Message, "no keyring is running") ||
		!strings.Contains(missing.Hint, "window") {
		t.Fatalf("got %v", err)
	}
	if err := begin(t, b, locate(t, catalog.Choice{BaseURL: "https://host.example/v1"})); err != nil {
		t.Errorf("an endpoint that needs no key: %v", err)
	}
	key := secret.NewKey(canary)
	var absent *secret.KeyringError
	if err := b.SaveKey(t.Context(), endpoint, key); !errors.As(err, &absent) || absent.Kind != secret.Absent {
		t.Errorf("SaveKey: %v", err)
	}
	if err := b.HoldKey(endpoint, key); err != nil {
		t.Fatal(err)
	}
	if err := begin(t, b, endpoint); err != nil {
		t.Errorf("with a held key: %v", err)
	}
	found, source, err := b.FindKey(t.Context(), endpoint, secret.Background)
	if err != nil || source != secret.FromSession || found.Reveal() != canary {
		t.Errorf("FindKey: from %s, %v", source, err)
	}
	if err := b.ForgetKey(t.Context(), endpoint); err != nil {
		t.Error(err)
	}
	if err := begin(t, b, endpoint); !errors.As(err, &missing) {
		t.Errorf("after ForgetKey: %v", err)
	}
	noCanary(t, dir)
}

func TestSEC07_NoKeyIsKeptForAnAddressWithoutHTTPS(t *testing.T) {
	b, _ := open(t)
	endpoint := locate(t, catalog.Choice{BaseURL: "http://192.0.2.1/v1"})
	var refused *catalog.UsageError
	if err := b.SaveKey(t.Context(), endpoint, secret.NewKey(canary)); !errors.As(err, &refused) {
		t.Errorf("SaveKey: %v", err)
	}
	if err := b.HoldKey(endpoint, secret.NewKey(canary)); !errors.As(err, &refused) {
		t.Errorf("HoldKey: %v", err)
	}
	if _, err := b.TestModel(t.Context(), endpoint, secret.NewKey(canary)); !errors.As(err, &refused) {
		t.Errorf("TestModel: %v", err)
	}
}

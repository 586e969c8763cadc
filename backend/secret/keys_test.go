package secret_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fairlead/backend/secret"
)

// local is a place that has nothing to do with the system's keyring.
var local = secret.KeyPlace{Variable: "FAIRLEAD_TEST_KEY", Account: "ollama@localhost:11434", Local: true}

func find(t *testing.T, keys *secret.Keys, place secret.KeyPlace) (string, secret.Source, error) {
	t.Helper()
	key, source, err := keys.Find(t.Context(), place, secret.Background)
	return key.Reveal(), source, err
}

func TestKeysAreFoundInOrder(t *testing.T) {
	t.Setenv("FAIRLEAD_TEST_KEY", "")
	keys := secret.NewKeys()
	_, _, err := find(t, keys, local)
	if missing, ok := errors.AsType[*secret.NoKeyError](err); !ok || missing.Keyring != nil {
		t.Errorf("no key: %v", err)
	}
	t.Setenv("FAIRLEAD_TEST_KEY", " "+canary+"\n")
	if key, source, err := find(t, keys, local); key != canary || source != secret.FromEnvironment || err != nil {
		t.Errorf("in the environment: %s, %v", source, err)
	}
	keys.Hold(local.Account, secret.NewKey("sk-canary-held"))
	if key, source, err := find(t, keys, local); key != "sk-canary-held" || source != secret.FromSession || err != nil {
		t.Errorf("held: %s, %v", source, err)
	}
	if err := keys.Forget(t.Context(), local.Account); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FAIRLEAD_TEST_KEY", "two canaries")
	_, _, err = find(t, keys, local)
	if _, ok := errors.AsType[*secret.KeyError](err); !ok || strings.Contains(err.Error(), "canaries") {
		t.Errorf("a variable that holds no key: %v", err)
	}
}

func TestSEC07_HeldKeyIsForItsAccountOnly(t *testing.T) {
	keys := secret.NewKeys()
	keys.Hold("openai@api.openai.com:443", secret.NewKey(canary))
	for _, other := range []secret.Account{"openai@api.openai.com:8443", "openai@proxy.example:443", "api.openai.com:443@api.openai.com:443", ""} {
		place := secret.KeyPlace{Account: other, Local: true}
		if _, source, err := find(t, keys, place); err == nil {
			t.Errorf("%s: found in the %s", other, source)
		}
	}
}

func TestFindEndsWithItsContext(t *testing.T) {
	gone := errors.New("the window is closed")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	place := secret.KeyPlace{Account: account}
	if _, _, err := secret.NewKeys().Find(ctx, place, secret.Visible); !errors.Is(err, gone) {
		t.Errorf("error = %v", err)
	}
}

func TestParseKeyNamesNoVariable(t *testing.T) {
	if key, err := secret.ParseKey(" " + canary + "\r\n"); err != nil || key.Reveal() != canary {
		t.Errorf("key = %v, %v", key.Reveal() == canary, err)
	}
	for text, unset := range map[string]bool{" ": true, "sk canary": false} {
		_, err := secret.ParseKey(text)
		fault, ok := errors.AsType[*secret.KeyError](err)
		if !ok || fault.Unset != unset || fault.Name != "" || strings.Contains(err.Error(), "canary") {
			t.Errorf("ParseKey(%q): %v", text, err)
		}
	}
}

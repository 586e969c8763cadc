package secret_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"fairlead/backend/secret"
)

const canary = "sk-canary-0123456789"

func TestSEC01_KeyIsNeverShown(t *testing.T) {
	key := secret.NewKey(canary)
	type hidden struct{ key secret.Key }
	type open struct{ Key secret.Key }
	var shown strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%p"} {
		fmt.Fprintf(&shown, verb+"\n", key)
		fmt.Fprintf(&shown, verb+"\n", &key)
		fmt.Fprintf(&shown, verb+"\n", hidden{key})
		fmt.Fprintf(&shown, verb+"\n", open{key})
		fmt.Fprintf(&shown, verb+"\n", []secret.Key{key})
	}
	text, err := json.Marshal(map[string]any{"a": key, "b": open{key}, "c": &key})
	if err != nil {
		t.Fatal(err)
	}
	shown.Write(text)
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", key, "in", open{key})
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", key, "in", open{key})
	shown.Write(log.Bytes())
	// Not everything asks in fmt's order.
	shown.WriteString(key.String() + key.GoString() + key.LogValue().String())
	for _, form := range []string{"canary", "63616e617279", "63616E617279"} {
		if strings.Contains(shown.String(), form) {
			t.Errorf("the key is shown as %s:\n%s", form, shown.String())
		}
	}
	if key.Reveal() != canary || (secret.Key{}).Reveal() != "" {
		t.Error("Reveal does not give the value")
	}
}

func TestKeyFromEnvironment(t *testing.T) {
	tests := []struct {
		name, value string
		ok          bool
	}{
		{"plain", canary, true},
		{"with a line end", canary + "\r\n", true},
		{"absent", "", false},
		{"blank", " \n", false},
		{"with a space inside", "sk-canary 0123456789", false},
		{"with a line end inside", "sk-canary\n0123456789", false},
		{"with a curly quote", "“" + canary + "”", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("FAIRLEAD_TEST_KEY", test.value)
			key, err := secret.KeyFromEnvironment("FAIRLEAD_TEST_KEY")
			if test.ok {
				if err != nil || key.Reveal() != canary {
					t.Errorf("key = %q, error %v", key.Reveal(), err)
				}
				return
			}
			if _, ok := errors.AsType[*secret.KeyError](err); !ok {
				t.Fatalf("error = %v", err)
			}
			if !strings.Contains(err.Error(), "FAIRLEAD_TEST_KEY") || strings.Contains(err.Error(), "canary") {
				t.Errorf("error = %v", err)
			}
		})
	}
}

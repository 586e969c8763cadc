// Package secret finds and saves API keys, in memory, in environment variables and in
// the system's keyring, and keeps them out of everything else: a Key cannot be printed,
// and a Redactor replaces those that are known in what leaves the process.
package secret

import (
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
)

// Redacted stands where a key was. It needs no escaping in JSON or in a shell's
// double quotes.
const Redacted = "[redacted key]"

// Key is an API key. However it is printed, logged or encoded, its value stays
// hidden; only Reveal gives it away. The zero Key is no key.
type Key struct {
	// value is a pointer because fmt prints the unexported fields of other types
	// without asking their methods; of a pointer it prints the address.
	value *string
}

// NewKey returns a key with the given value.
func NewKey(value string) Key { return Key{value: &value} }

// KeyError is why a text gave no key. It never holds the value.
type KeyError struct {
	// Name is the environment variable; empty for a text from elsewhere.
	Name string
	// Unset says that there was no text at all.
	Unset bool
	// Reason is what is wrong with it.
	Reason string
}

func (e *KeyError) Error() string {
	if e.Name == "" {
		return "read key: " + e.Reason
	}
	return fmt.Sprintf("read key from %s: %s", e.Name, e.Reason)
}

// KeyFromEnvironment reads the key in the environment variable with that name, as
// ParseKey does.
func KeyFromEnvironment(name string) (Key, error) {
	return parseKey(name, os.Getenv(name), "the variable is not set; set it to your key")
}

// ParseKey reads a key as the user gave it, white space around it left out. What
// cannot stand in an HTTP header is refused with a *KeyError.
func ParseKey(text string) (Key, error) {
	return parseKey("", text, "there is none; paste your key")
}

func parseKey(name, text, absent string) (Key, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Key{}, &KeyError{Name: name, Unset: true, Reason: absent}
	}
	for _, r := range text {
		if r <= ' ' || r > '~' {
			return Key{}, &KeyError{Name: name, Reason: "the value has a character that no key has; copy the key again"}
		}
	}
	return NewKey(text), nil
}

// Reveal returns the value, for the one place that sends it.
func (k Key) Reveal() string {
	if k.value == nil {
		return ""
	}
	return *k.value
}

// String implements fmt.Stringer.
func (k Key) String() string { return Redacted }

// GoString implements fmt.GoStringer.
func (k Key) GoString() string { return Redacted }

// Format implements fmt.Formatter for every verb.
func (k Key) Format(state fmt.State, _ rune) { fmt.Fprint(state, Redacted) }

// MarshalText implements encoding.TextMarshaler, for JSON too.
func (k Key) MarshalText() ([]byte, error) { return []byte(Redacted), nil }

// LogValue implements slog.LogValuer.
func (k Key) LogValue() slog.Value { return slog.StringValue(Redacted) }

// keyBeginnings are how API keys begin that can be told by it.
var keyBeginnings = []string{
	"sk-", "gsk_", "xai-", "AIza", "hf_", "csk-", "pplx-", "nvapi-", "fw_", "vck_", "tgp_", "ghp_", "github_pat_", "eyJ",
}

// LooksLikeKey reports whether a text has a word in it that begins as API keys do.
func LooksLikeKey(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		return slices.ContainsFunc(keyBeginnings, func(beginning string) bool { return strings.HasPrefix(word, beginning) })
	})
}

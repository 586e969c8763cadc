package catalog_test

import (
	"errors"
	"strings"
	"testing"

	"fairlead/backend/llm/catalog"
)

func TestCleanURL(t *testing.T) {
	tests := []struct{ in, want string }{
		{"https://host.example/v1", "https://host.example/v1"},
		{" https://host.example/v1/ ", "https://host.example/v1"},
		{"https://host.example/v1/chat/completions", "https://host.example/v1"},
		{"https://host.example/v1/chat/completions/", "https://host.example/v1"},
		{"https://host.example/chat/completions", "https://host.example"},
		{"HTTPS://Host.Example:8443", "https://host.example:8443"},
		{"http://[::1]:8080/v1", "http://[::1]:8080/v1"},
		{"https://host.example/a%2Fb/v1", "https://host.example/a%2Fb/v1"},
		{"", ""},
		{"localhost:11434/v1", ""},
		{"host.example/v1", ""},
		{"ftp://host.example", ""},
		{"http:///v1", ""},
		{"https://canary:canary@host.example/v1", ""},
		{"https://canary@host.example:x/v1", ""},
		{"https://host.example/v1?key=canary", ""},
		{"https://host.example/v1#canary", ""},
	}
	for _, test := range tests {
		got, err := catalog.CleanURL(test.in)
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("CleanURL(%q) = %q, %v; want %q", test.in, got, err, test.want)
		}
		if err == nil {
			continue
		}
		if usage, ok := errors.AsType[*catalog.UsageError](err); !ok || usage.Hint == "" || strings.Contains(err.Error(), "canary") {
			t.Errorf("CleanURL(%q): error %v", test.in, err)
		}
	}
}

func FuzzCleanURL(f *testing.F) {
	for _, seed := range []string{"https://h/v1/", "http://[::1]:1/chat/completions", "https://a@b", "//h", "https://h/%zz"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once, err := catalog.CleanURL(raw)
		if err != nil {
			return
		}
		if twice, err := catalog.CleanURL(once); err != nil || (twice != once && !strings.Contains(once, "completions")) {
			t.Errorf("CleanURL(%q) = %q, then %q, %v", raw, once, twice, err)
		}
	})
}

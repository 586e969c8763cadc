package settings_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

func TestCFG01_OnesOwnProvidersAreRead(t *testing.T) {
	file, err := settings.ReadFile(write(t, `
model = "m"

[providers.lab-2]
title = " The lab "
base_url = "https://lab.example/v1"
api_key_env = "LAB_KEY"
dialect = "vllm"
headers = { api-key = "{key}", X-Team = "tools" }
written_calls = true
protocol = "responses"
family = "qwen"
context_window = 32_768

[providers.lab-2.body]
top_p = 0.5
stop = ["END"]
options = { deep = true, n = 1 }

[presets.shell]
timeout = 5

[providers.a]
base_url = "http://localhost:5000/v1"
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []settings.OwnProvider{
		{
			Name: "lab-2", Title: "The lab", BaseURL: "https://lab.example/v1", KeyEnv: "LAB_KEY", Dialect: "vllm",
			Headers: map[string]string{"api-key": "{key}", "X-Team": "tools"},
			Body: map[string]json.RawMessage{
				"top_p": json.RawMessage("0.5"), "stop": json.RawMessage(`["END"]`), "options": json.RawMessage(`{"deep":true,"n":1}`),
			},
			WrittenCalls: true, Protocol: "responses", Family: "qwen", ContextWindow: 32_768,
		},
		{Name: "a", BaseURL: "http://localhost:5000/v1"},
	}
	if diff := cmp.Diff(want, file.Providers()); diff != "" {
		t.Error(diff)
	}
	if len(file.ToolPresets()) != 1 {
		t.Errorf("presets: %v", file.ToolPresets())
	}
}

func TestCFG01_AFaultOfAnOwnProviderIsNamedWithItsLine(t *testing.T) {
	const head = "[providers.lab]\nbase_url = 'https://lab.example/v1'\n"
	for _, test := range []struct{ name, content, at, reason string }{
		{"no table", "providers = 1\n", ":1:1:", "must be tables by name"},
		{"an array", "[[providers]]\nx = 1\n", ":1:3:", "must be tables by name"},
		{"a value for a table", "[providers]\nlab = 1\n", ":2:1:", "providers.lab: must be a table"},
		{"no address", "[providers.lab]\ntitle = 'Lab'\n", ":1:2:", "providers.lab: base_url is missing"},
		{"a known name", "x.y = 1\n[providers.openai]\n", ":1:1:", "unknown key"},
		{"the name of a known provider", "[providers.openai]\nbase_url = 'https://a.example'\n", ":1:2:", "openai is a known provider"},
		{"the tour", "[providers.demo]\nbase_url = 'https://a.example'\n", ":1:2:", "demo is a known provider"},
		{"capitals", "[providers.Lab]\nbase_url = 'https://a.example'\n", ":1:2:", "lower-case letters"},
		{"no name", "[providers.'']\nbase_url = 'https://a.example'\n", ":1:2:", "1 to 40 characters"},
		{"unknown key", head + "key = 'x'\n", ":3:1:", `unknown key "key"; the keys are title, base_url`},
		{"no web address", "[providers.lab]\nbase_url = 'lab.example'\n", ":2:1:", "base_url must be an address that begins with http://"},
		{"a password", "[providers.lab]\nbase_url = 'https://a:canary@lab.example'\n", ":2:1:", "cannot have a name or password"},
		{"a query", "[providers.lab]\nbase_url = 'https://lab.example?key=canary'\n", ":2:1:", "cannot have a ? or # part"},
		{"a key for its variable", head + "api_key_env = 'sk-canary'\n", ":3:1:", "the name of an environment variable"},
		{"an unknown dialect", head + "\ndialect = 'lisp'\n", ":4:1:", "dialect must be one of openai, anthropic"},
		{"the tour's dialect", head + "dialect = 'demo'\n", ":3:1:", "dialect must be one of"},
		{"text for a number", head + "context_window = '1'\n", ":3:1:", "context_window must be a whole number"},
		{"no window", head + "context_window = 0\n", ":3:1:", "from 1 to 100000000"},
		{"text for true", head + "written_calls = 'yes'\n", ":3:1:", "written_calls must be true or false"},
		{"a long title", head + "title = '" + strings.Repeat("x", 61) + "'\n", ":3:1:", "1 to 60 bytes"},
		{"headers that are none", head + "headers = ['a']\n", ":3:1:", "headers must be a table"},
		{"a header of another type", head + "headers = { a = 1 }\n", ":3:1:", `header "a" must be text`},
		{"no name of a header", head + "headers = { 'a b' = 'x' }\n", ":3:1:", `"a b" is not the name of a header`},
		{"a header of Fairlead's own", head + "headers = { Content-Type = 'x' }\n", ":3:1:", "Content-Type is set by Fairlead"},
		{"a header in the subtable", head + "\n[providers.lab.headers]\nX-A = 'x'\nHost = 'x'\n", ":4:2:", "Host is set by Fairlead"},
		{"two lines in a header", head + `headers = { a = "x\ny" }` + "\n", ":3:1:", "plain ASCII"},
		{"a key in a header", head + "headers = { Authorization = 'Bearer sk-canary-1' }\n", ":3:1:", "looks like a key"},
		{"a key in a plain header", head + "headers = { X-Team = 'gsk_canary' }\n", ":3:1:", "looks like a key"},
		{"a key beside its mark", head + "headers = { X-Team = '{key} gsk_canary' }\n", ":3:1:", "looks like a key"},
		{"a header for a key without one", head + "headers = { X-Api-Key = 'canary' }\n", ":3:1:", "must have {key}"},
		{"the same in capitals", head + "headers = { AUTHORIZATION = 'canary' }\n", ":3:1:", "must have {key}"},
		{"a body that is none", head + "body = 'x'\n", ":3:1:", "body must be a table"},
		{"a field of Fairlead's own", head + "body = { tool_choice = 'auto' }\n", ":3:1:", `body cannot have "tool_choice"`},
		{"a key in the body", head + "body = { token = 'sk-canary' }\n", ":3:1:", "looks like a key"},
		{"a number that JSON lacks", head + "body = { top_p = nan }\n", ":3:1:", `field "top_p" of body cannot be sent`},
		{"in a line of its own", "providers = { lab = { base_url = 'x' } }\n", ":1:1:", "base_url must be an address"},
		{"by dotted keys", "max_steps = 5\nproviders.lab.base_url = 'x'\n", ":2:1:", "base_url must be an address"},
		{"the second of two", head + "[providers.b]\nbase_url = 'x'\n", ":4:1:", "providers.b: base_url"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file, err := settings.ReadFile(write(t, test.content))
			fault, ok := errors.AsType[*settings.FileError](err)
			if !ok {
				t.Fatalf("error %v is no *FileError", err)
			}
			text := fault.Error()
			if !strings.Contains(text, settings.FileName+test.at) || !strings.Contains(text, test.reason) {
				t.Errorf("error %q does not name %q and %q", text, test.at, test.reason)
			}
			if strings.Contains(text, "canary") || strings.Contains(text, "\n") {
				t.Errorf("error %q shows a key or has several lines", text)
			}
			if len(file.Providers()) > 0 {
				t.Errorf("a broken file has providers: %v", file.Providers())
			}
		})
	}
}

// The settings know the names and the keys of the providers without the catalog: both
// must say the same.
func TestCFG01_TheSettingsKnowTheCatalogsProviders(t *testing.T) {
	var names []string
	for _, p := range (catalog.Catalog{}).Providers() {
		names = append(names, p.Name)
		for _, prefix := range p.KeyPrefixes {
			if !secret.LooksLikeKey("Bearer " + prefix + "0123") {
				t.Errorf("%s… of %s does not look like a key", prefix, p.Name)
			}
		}
	}
	known := append(settings.KnownProviders(), catalog.Demo)
	slices.Sort(names)
	slices.Sort(known)
	if diff := cmp.Diff(names, known); diff != "" {
		t.Error(diff)
	}
}

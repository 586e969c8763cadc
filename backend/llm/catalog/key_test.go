package catalog_test

import (
	"errors"
	"strings"
	"testing"

	"fairlead/backend/llm/catalog"
)

func TestSEC07_AKeyNeedsHTTPSOrThisComputer(t *testing.T) {
	for address, allowed := range map[string]bool{
		"https://host.example/v1":  true,
		"http://localhost:1234/v1": true,
		"http://127.0.0.1:1234/v1": true,
		"http://[::1]:1234/v1":     true,
		"http://host.example/v1":   false,
		"http://192.168.1.5/v1":    false,
		"http://localhost.example": false,
	} {
		endpoint, err := catalog.Catalog{}.Locate(catalog.Choice{BaseURL: address}, nothing)
		if err != nil {
			t.Errorf("%s: an endpoint without a key is refused: %v", address, err)
			continue
		}
		if err := endpoint.CheckKey(); (err == nil) != allowed || (endpoint.Account != "") != allowed {
			t.Errorf("%s: CheckKey = %v, account %q", address, err, endpoint.Account)
		}
		if strings.Contains(address, "http://") && allowed != endpoint.Loopback() {
			t.Errorf("%s: Loopback = %v", address, endpoint.Loopback())
		}
	}
}

func TestAKeyIsRequiredWhereOneWasAskedFor(t *testing.T) {
	for _, test := range []struct {
		choice catalog.Choice
		want   bool
	}{
		{catalog.Choice{Provider: "openai"}, true},
		{catalog.Choice{BaseURL: "https://api.openai.com/v1"}, false},
		{catalog.Choice{BaseURL: "https://host.example/v1", KeyEnv: "MY_KEY"}, true},
		{catalog.Choice{Provider: "openai", BaseURL: "https://proxy.example/v1"}, false},
		{catalog.Choice{Provider: "ollama"}, false},
	} {
		endpoint, err := catalog.Catalog{}.Locate(test.choice, nothing)
		if err != nil || endpoint.KeyRequired != test.want {
			t.Errorf("%+v: KeyRequired = %v, %v", test.choice, endpoint.KeyRequired, err)
		}
	}
}

func TestCLI01_NoKeySaysWhatToDo(t *testing.T) {
	for _, test := range []struct {
		name, provider, keyEnv, keyring string
		message, hint                   string
	}{
		{
			"a provider's own", "deepseek", "", "no keyring is running",
			"no key for DeepSeek: no keyring is running, and the environment variable DEEPSEEK_API_KEY is not set",
			"set DEEPSEEK_API_KEY to your key, name another variable with --api-key-env, or save the key in the window",
		},
		{
			"not asked", "openai", "MY_KEY", "",
			"no key for OpenAI: the environment variable MY_KEY is not set",
			"set MY_KEY to your key, or name another variable with --api-key-env",
		},
		{
			"a key for its name", "openai", "gsk_canary0123", "",
			"no key for OpenAI: the variable named with --api-key-env is not set",
			"give the name of an environment variable that holds the key, not the key",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			endpoint, err := catalog.Catalog{}.Locate(catalog.Choice{Provider: test.provider, KeyEnv: test.keyEnv}, nothing)
			if err != nil {
				t.Fatal(err)
			}
			var usage *catalog.UsageError
			if !errors.As(error(endpoint.NoKey(test.keyring)), &usage) || usage.Message != test.message || usage.Hint != test.hint {
				t.Errorf("message %q\nhint    %q", usage.Message, usage.Hint)
			}
		})
	}
}

func TestUI06_OllamaIsFoundWhereItSaysItIs(t *testing.T) {
	const usual = "http://localhost:11434/v1"
	for host, want := range map[string]string{
		"":                            usual,
		"127.0.0.1":                   "http://127.0.0.1:11434/v1",
		"127.0.0.1:1234":              "http://127.0.0.1:1234/v1",
		" \"localhost:1234\" ":        "http://localhost:1234/v1",
		"localhost:99999":             "http://localhost:11434/v1",
		":1234":                       "http://127.0.0.1:1234/v1",
		"0.0.0.0":                     "http://127.0.0.1:11434/v1",
		"0.0.0.0:1234":                "http://127.0.0.1:1234/v1",
		"[::]:1234":                   "http://127.0.0.1:1234/v1",
		"::1":                         "http://[::1]:11434/v1",
		"[::1]:1234":                  "http://[::1]:1234/v1",
		"http://[::1]":                "http://[::1]/v1",
		"http://localhost":            "http://localhost/v1",
		"https://localhost:1234/api/": "https://localhost:1234/api/v1",
		"localhost/api":               "http://localhost:11434/api/v1",
		"gpu.example:11434":           usual,
		"192.168.1.5":                 usual,
		"localhost.example":           usual,
		"unix:///run/ollama.sock":     usual,
		"http://%zz":                  usual,
	} {
		getenv := func(name string) string {
			if name == "OLLAMA_HOST" {
				return host
			}
			return ""
		}
		endpoint, err := catalog.Catalog{}.Locate(catalog.Choice{Provider: "ollama"}, getenv)
		if err != nil || endpoint.BaseURL != want || endpoint.Provider.BaseURL != want {
			t.Errorf("OLLAMA_HOST=%s: %s, %v; want %s", host, endpoint.BaseURL, err, want)
		}
		if clean, err := catalog.CleanURL(endpoint.BaseURL); err != nil || clean != endpoint.BaseURL {
			t.Errorf("OLLAMA_HOST=%s: CleanURL(%s) = %s, %v", host, endpoint.BaseURL, clean, err)
		}
		given := catalog.Choice{Provider: "ollama", BaseURL: "http://localhost:5/v1"}
		if endpoint, err := (catalog.Catalog{}).Locate(given, getenv); err != nil || endpoint.BaseURL != given.BaseURL {
			t.Errorf("OLLAMA_HOST=%s goes before a given address: %s, %v", host, endpoint.BaseURL, err)
		}
	}
}

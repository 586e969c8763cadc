package catalog_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm/catalog"
)

// locate finds the endpoint of a choice that names one.
func locate(t *testing.T, choice catalog.Choice) catalog.Endpoint {
	t.Helper()
	endpoint, err := catalog.Catalog{}.Locate(choice, nothing)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint
}

// nothing is an environment without variables.
func nothing(string) string { return "" }

func TestSEC07_ChooseDecidesWhereAKeyGoes(t *testing.T) {
	type want struct{ Provider, BaseURL, KeyEnv, Account string }
	tests := []struct {
		name   string
		choice catalog.Choice
		want   want
	}{
		{"own key to own host", catalog.Choice{Provider: "openai"}, want{"openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "openai@api.openai.com:443"}},
		{"capitals", catalog.Choice{Provider: "OpenAI"}, want{"openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "openai@api.openai.com:443"}},
		{
			"own key to the same host written otherwise",
			catalog.Choice{Provider: "openai", BaseURL: "https://API.openai.com:443/v2/"},
			want{"openai", "https://api.openai.com:443/v2", "OPENAI_API_KEY", "openai@api.openai.com:443"},
		},
		{
			"own key to no other host",
			catalog.Choice{Provider: "openai", BaseURL: "https://proxy.example/v1"},
			want{"openai", "https://proxy.example/v1", "", "openai@proxy.example:443"},
		},
		{
			"own key to no host that only begins alike",
			catalog.Choice{Provider: "openai", BaseURL: "https://api.openai.com.example/v1"},
			want{"openai", "https://api.openai.com.example/v1", "", "openai@api.openai.com.example:443"},
		},
		{
			"own key to no other port",
			catalog.Choice{Provider: "openai", BaseURL: "https://api.openai.com:8443/v1"},
			want{"openai", "https://api.openai.com:8443/v1", "", "openai@api.openai.com:8443"},
		},
		{
			"own key to no other port in the clear",
			catalog.Choice{Provider: "openai", BaseURL: "http://api.openai.com/v1"},
			want{"openai", "http://api.openai.com/v1", "", ""},
		},
		{
			"named key to a given address",
			catalog.Choice{BaseURL: "https://proxy.example/v1", KeyEnv: "MY_KEY"},
			want{"", "https://proxy.example/v1", "MY_KEY", "proxy.example:443@proxy.example:443"},
		},
		{
			"named key instead of the provider's own",
			catalog.Choice{Provider: "openai", KeyEnv: "MY_KEY"},
			want{"openai", "https://api.openai.com/v1", "MY_KEY", "openai@api.openai.com:443"},
		},
		{
			"named key to this computer",
			catalog.Choice{BaseURL: "http://127.0.0.1:8080/v1", KeyEnv: "MY_KEY"},
			want{"", "http://127.0.0.1:8080/v1", "MY_KEY", "127.0.0.1:8080@127.0.0.1:8080"},
		},
		{
			"named key to this computer by IPv6",
			catalog.Choice{BaseURL: "http://[::1]:8080/v1", KeyEnv: "MY_KEY"},
			want{"", "http://[::1]:8080/v1", "MY_KEY", "[::1]:8080@[::1]:8080"},
		},
		{"any endpoint without a key", catalog.Choice{BaseURL: "http://192.168.1.5:8000/v1"}, want{"", "http://192.168.1.5:8000/v1", "", ""}},
		{"a provider by its address", catalog.Choice{BaseURL: "https://api.openai.com/v1"}, want{"openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "openai@api.openai.com:443"}},
		{"a provider by its address with a path", catalog.Choice{BaseURL: "https://api.deepseek.com/v1"}, want{"deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", "deepseek@api.deepseek.com:443"}},
		{"local", catalog.Choice{Provider: "ollama"}, want{"ollama", "http://localhost:11434/v1", "", "ollama@localhost:11434"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.choice.Model = " m "
			endpoint, err := catalog.Catalog{}.Choose(test.choice, nothing)
			if err != nil {
				t.Fatal(err)
			}
			if endpoint.Model != "m" {
				t.Errorf("model = %q", endpoint.Model)
			}
			got := want{endpoint.Provider.Name, endpoint.BaseURL, endpoint.KeyEnv, endpoint.Account}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCLI01_ChoiceThatLeadsNowhere(t *testing.T) {
	tests := []struct {
		name          string
		choice        catalog.Choice
		message, hint string
	}{
		{"nothing", catalog.Choice{}, "no model is chosen", "--provider demo"},
		{"a model alone", catalog.Choice{Model: "m"}, "no model is chosen", "--base-url URL"},
		{"unknown", catalog.Choice{Provider: "olama"}, `unknown provider "olama"`, "did you mean ollama?"},
		{"unlike any", catalog.Choice{Provider: "zzzzzz"}, `unknown provider "zzzzzz"`, "give one of openai, anthropic"},
		{"no model", catalog.Choice{Provider: "openai"}, "no model is named for OpenAI", "--model NAME"},
		{"no local model", catalog.Choice{Provider: "ollama"}, "no model is named for Ollama", "`ollama list`"},
		{"no model there", catalog.Choice{BaseURL: "http://host.example"}, "no model is named for host.example:80", "--model NAME"},
		{
			"key in the clear",
			catalog.Choice{BaseURL: "http://192.168.1.5/v1", Model: "m", KeyEnv: "MY_KEY"},
			"the key in MY_KEY is not sent to 192.168.1.5", "use https://",
		},
		{
			"a key for its name, in the clear",
			catalog.Choice{BaseURL: "http://192.168.1.5/v1", Model: "m", KeyEnv: "gsk_canary0123"},
			"the key in the variable named with --api-key-env is not sent", "use https://",
		},
		{"bad address", catalog.Choice{Provider: "openai", BaseURL: "api.openai.com", Model: "m"}, "base URL", "http://localhost:8080/v1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			endpoint, err := catalog.Catalog{}.Choose(test.choice, nothing)
			usage, ok := errors.AsType[*catalog.UsageError](err)
			if !ok {
				t.Fatalf("endpoint %+v, error %v", endpoint, err)
			}
			if !strings.Contains(usage.Message, test.message) || !strings.Contains(usage.Hint, test.hint) {
				t.Errorf("error %q, hint %q", usage.Message, usage.Hint)
			}
			if strings.Contains(err.Error(), "canary") {
				t.Errorf("the key is shown: %v", err)
			}
		})
	}
}

func TestUI06_TourNeedsNothing(t *testing.T) {
	for _, choice := range []catalog.Choice{
		{Provider: "demo"},
		{Provider: "demo", BaseURL: "https://proxy.example/v1", Model: "m", KeyEnv: "MY_KEY"},
	} {
		endpoint, err := catalog.Catalog{}.Choose(choice, nothing)
		if err != nil {
			t.Fatal(err)
		}
		if endpoint.Provider.Name != catalog.Demo || endpoint.BaseURL != "" || endpoint.KeyEnv != "" || endpoint.Account != "" {
			t.Errorf("endpoint = %+v", endpoint)
		}
	}
}

func TestEndpointsAreTheSameWhereModelPlaceAndKeyAre(t *testing.T) {
	one := locate(t, catalog.Choice{Provider: "minimax", Model: "m"})
	for _, test := range []struct {
		choice catalog.Choice
		same   bool
	}{
		{catalog.Choice{BaseURL: "https://api.minimax.io/v1/", Model: "m"}, true},
		{catalog.Choice{Provider: "minimax", Model: "n"}, false},
		{catalog.Choice{Provider: "minimax", BaseURL: "https://api.minimaxi.com/v1", Model: "m"}, false},
		{catalog.Choice{Provider: "minimax", Model: "m", KeyEnv: "OTHER_KEY"}, false},
		{catalog.Choice{Provider: "openai", BaseURL: "https://api.minimax.io/v1", Model: "m"}, false},
	} {
		if same := one.Same(locate(t, test.choice)); same != test.same {
			t.Errorf("%+v: %v", test.choice, same)
		}
	}
}

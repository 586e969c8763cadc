package doctor

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

func TestCLI02_DoctorListsTheProvidersThatMatter(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"data":[]}`))
	}))
	defer server.Close()
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	for _, p := range (catalog.Catalog{}).Providers() {
		if p.KeyEnv != "" {
			t.Setenv(p.KeyEnv, "")
		}
	}
	t.Setenv("GROQ_API_KEY", "gsk_canary0123")
	t.Setenv("XAI_API_KEY", "two words")
	folder := t.TempDir()
	text := `provider = "vllm"
base_url = "` + server.URL + `/v1"
[providers.lab]
base_url = "https://lab.example/v1"
api_key_env = "FAIRLEAD_LAB_KEY"
[providers.here]
base_url = "` + server.URL + `/v1"
[providers.open]
base_url = "https://open.example/v1"
`
	if err := os.WriteFile(filepath.Join(folder, settings.FileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := settings.ReadFile(folder)
	if err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(server.URL, "http://")
	found := map[string]Finding{}
	for _, f := range providerFindings(t.Context(), file, lookup{secret.NewKeys(), false}) {
		found[f.Name] = f
		if strings.Contains(f.Detail, "canary") {
			t.Errorf("the key is shown: %+v", f)
		}
	}
	for name, want := range map[string][2]string{
		"vllm":      {"ok", "vLLM answers at " + host},
		"here":      {"ok", "here answers at " + host},
		"lab":       {"missing", "set FAIRLEAD_LAB_KEY"},
		"open":      {"ok", "reached at open.example:443"},
		"groq":      {"ok", "key found in GROQ_API_KEY"},
		"xai":       {"broken", "XAI_API_KEY"},
		"ollama":    {"missing", "nothing answers at 127.0.0.1:1"},
		"demo":      {"ok", "needs no key"},
		"providers": {"ok", "openai, anthropic, gemini"},
	} {
		if got := found[name]; string(got.State) != want[0] || !strings.Contains(got.Detail, want[1]) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, name := range []string{"openai", "venice"} {
		if _, ok := found[name]; ok {
			t.Errorf("%s has a line of its own", name)
		}
	}
}

func TestCLI02_DoctorSaysWhatIsWrongWithTheChosenProvider(t *testing.T) {
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	for _, test := range []struct{ provider, baseURL, state, detail string }{
		{"olama", "", "broken", "did you mean ollama?"},
		{"", "https://host.example/v1", "ok", "reached at host.example:443"},
	} {
		t.Setenv("FAIRLEAD_PROVIDER", test.provider)
		t.Setenv("FAIRLEAD_BASE_URL", test.baseURL)
		found := providerFindings(t.Context(), settings.File{}, lookup{secret.NewKeys(), false})
		if got := found[0]; got.Name != "provider" || string(got.State) != test.state || !strings.Contains(got.Detail, test.detail) {
			t.Errorf("%+v: %+v", test, got)
		}
	}
}

package settings_test

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/settings"
)

func TestCFG01_CallsComeFromTheEnvironmentElseFromTheFile(t *testing.T) {
	calls, err := settings.File{}.Calls()
	if diff := cmp.Diff(settings.Calls{}, calls); err != nil || diff != "" {
		t.Errorf("nothing said: %v\n%s", err, diff)
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	file, err := settings.ReadFile(write(t, `reasoning_effort = "low"
max_output_tokens = 4_000
temperature = 1
proxy = "socks5://localhost:1080"
ca_file = `+strconv.Quote(ca)))
	if err != nil {
		t.Fatal(err)
	}
	temperature := 1.0
	want := settings.Calls{Effort: "low", MaxTokens: 4000, Temperature: &temperature, Proxy: "socks5://localhost:1080", CAFile: ca}
	calls, err = file.Calls()
	if diff := cmp.Diff(want, calls); err != nil || diff != "" {
		t.Errorf("file: %v\n%s", err, diff)
	}
	t.Setenv("FAIRLEAD_TEMPERATURE", "0.25")
	t.Setenv("FAIRLEAD_MAX_OUTPUT_TOKENS", "0")
	t.Setenv("FAIRLEAD_REASONING_EFFORT", "lots")
	t.Setenv("FAIRLEAD_PROXY", "http://me:canary@proxy.example")
	temperature, want.MaxTokens = 0.25, 0
	calls, err = file.Calls()
	if diff := cmp.Diff(want, calls); err != nil || diff != "" {
		t.Errorf("environment: %v\n%s", err, diff)
	}
}

package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestINJ01_TheFileHoldsValuesForParametersOfTools(t *testing.T) {
	folder := t.TempDir()
	text := "version = 1\nmax_steps = 7\n\n[presets.shell]\ntimeout = 30\n\n[defaults.search_files]\nglob = \"*.go\"\ncontext = 2\n[presets.read_file]\n"
	if err := os.WriteFile(filepath.Join(folder, FileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := ReadFile(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := ToolValues{"shell": {"timeout": json.RawMessage("30")}, "read_file": {}}
	if diff := cmp.Diff(want, file.ToolPresets()); diff != "" {
		t.Errorf("presets (-want +got):\n%s", diff)
	}
	want = ToolValues{"search_files": {"glob": json.RawMessage(`"*.go"`), "context": json.RawMessage("2")}}
	if diff := cmp.Diff(want, file.ToolDefaults()); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
	if steps, _ := file.Lookup("max_steps"); steps != "7" {
		t.Errorf("max_steps is %q", steps)
	}
}

func TestINJ01_MalformedTablesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"presets = 3":                     "presets must be tables by tool",
		"[presets]\nshell = 3":            "presets.shell must be a table of parameters",
		"[other.shell]\ntimeout = 3":      `unknown key "other"`,
		"[defaults.shell]\nx = inf":       "defaults.shell.x cannot be given to a tool",
		"[presets.shell]\na = 1\n[[x]]\n": `unknown key "x"`,
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, FileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

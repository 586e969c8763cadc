package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/settings"
)

func write(t *testing.T, content string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, settings.FileName), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestCFG01_FileGivesOptionsTheirValues(t *testing.T) {
	file, err := settings.ReadFile(write(t, `
version = 1
provider = "openai"
base_url = " https://example.com/v1 "
model = "模型-1"
api_key_env = "MY_KEY_2"
mode = "single"
approve = "writes"
log_level = "debug"
max_steps = 500
attempts = 1
parallel = 4
run_timeout = "5m"
step_timeout = "90s"
tool_timeout = "1m30s"
confirm_timeout = "24h"
continue_on_error = false
budget = 1_000_000_000
context_window = 0
doom_detection = true
compaction = false
continue_message = true
instructions = """
Answer in French.
Run the tests.
"""
`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"provider": "openai", "base_url": "https://example.com/v1", "model": "模型-1",
		"api_key_env": "MY_KEY_2", "mode": "single", "approve": "writes", "log_level": "debug",
		"max_steps": "500", "attempts": "1", "parallel": "4", "run_timeout": "5m",
		"step_timeout": "90s", "tool_timeout": "1m30s", "confirm_timeout": "24h",
		"continue_on_error": "false", "budget": "1000000000", "context_window": "0", "doom_detection": "true",
		"compaction": "false", "continue_message": "true", "instructions": "Answer in French.\nRun the tests.",
	}
	got := map[string]string{}
	for flag := range want {
		got[flag], _ = file.Lookup(flag)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCFG01_NoFileAndUnsetKeysSayNothing(t *testing.T) {
	absent, err := settings.ReadFile(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	some, err := settings.ReadFile(write(t, "\ufeffmodel = \"m\"\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if value, ok := some.Lookup("model"); value != "m" || !ok {
		t.Errorf("model = %q, %t", value, ok)
	}
	for _, file := range []settings.File{absent, some} {
		if value, ok := file.Lookup("max_steps"); ok {
			t.Errorf("max_steps = %q although no file says so", value)
		}
	}
}

func TestCFG01_BrokenFileIsNamedWithLineAndReason(t *testing.T) {
	tests := []struct{ name, content, at, reason string }{
		{"syntax", "max_steps = 5\nmodel = \n", ":2:9:", "unexpected character"},
		{"unknown key", "version = 1\n  max_step = 5\n", ":2:3:", `unknown key "max_step"`},
		{"unknown table", "[limits]\nmax_steps = 5\n", ":1:2:", `unknown key "limits"`},
		{"a table for a number", "[max_steps]\n", ":1:2:", "max_steps must be a whole number"},
		{"the first of two", "parallel = 0\nnope = 1\n", ":1:1:", "parallel must be a whole number from 1 to 64"},
		{"twice", "model = 'a'\nmodel = 'b'\n", ":2:", "model"},
		{"later version", "version = 2\n", ":1:1:", "version must be 1"},
		{"too small", "max_steps = 0\n", ":1:1:", "from 1 to 500, not 0"},
		{"too large", "max_steps = 501\n", ":1:1:", "from 1 to 500, not 501"},
		{"text for a number", "max_steps = '5'\n", ":1:1:", "max_steps must be a whole number"},
		{"number for a duration", "run_timeout = 90\n", ":1:1:", `run_timeout must be a duration in quotes, such as "90s"`},
		{"no unit", "run_timeout = '90'\n", ":1:1:", "run_timeout must be a duration up to 24h"},
		{"negative", "run_timeout = '-1s'\n", ":1:1:", "run_timeout must be a duration"},
		{"longer than a day", "run_timeout = '24h1s'\n", ":1:1:", "run_timeout must be a duration"},
		{"a word that is none", "mode = 'chat'\n", ":1:1:", `mode must be one of react, single, not "chat"`},
		{"approve all", "approve = 'all'\n", ":1:1:", "all is given for one run only"},
		{"text for true", "continue_on_error = 'no'\n", ":1:1:", "continue_on_error must be true or false"},
		{"a budget that is none", "budget = -1\n", ":1:1:", "budget must be a whole number from 0 to 1000000000, not -1"},
		{"a window that is none", "context_window = 100_000_001\n", ":1:1:", "context_window must be a whole number from 0 to 100000000"},
		{"the flag for the key", "no_doom = true\n", ":1:1:", `unknown key "no_doom"`},
		{"long instructions", "instructions = '" + strings.Repeat("x", 16<<10+1) + "'\n", ":1:1:", "instructions must have at most 16384 bytes, not 16385"},
		{"an effort that is none", "reasoning_effort = 'most'\n", ":1:1:", "reasoning_effort must be one of off, minimal, low, medium, high, xhigh, max"},
		{"a reply that is too long", "max_output_tokens = 1_000_001\n", ":1:1:", "max_output_tokens must be a whole number from 0 to 1000000"},
		{"too hot", "temperature = 2.1\n", ":1:1:", `temperature must be a number from 0 to 2, not "2.1"`},
		{"below freezing", "temperature = -1\n", ":1:1:", "temperature must be a number from 0 to 2"},
		{"no number", "temperature = nan\n", ":1:1:", "temperature must be a number from 0 to 2"},
		{"text for any number", "temperature = '1'\n", ":1:1:", "temperature must be a number"},
		{"little memory", "command_memory = 63\n", ":1:1:", "command_memory must be a whole number from 64 to 1073741824, not 63, or 0"},
		{"no money", "budget_usd = 0\n", ":1:1:", "budget_usd must be a number from 0.001 to 1000000"},
		{"a proxy that is none", "proxy = 'proxy.example:3128'\n", ":1:1:", "proxy must be an address that begins with http://, https:// or socks5://"},
		{"a proxy with a password", "proxy = 'http://me:canary@proxy.example'\n", ":1:1:", "HTTPS_PROXY"},
		{"a proxy with a path", "proxy = 'http://proxy.example/x'\n", ":1:1:", "a host and a port"},
		{"a short path", "ca_file = 'ca.pem'\n", ":1:1:", "ca_file must be the full path of a file"},
		{"a float", "attempts = 1.5\n", ":1:1:", "attempts must be a whole number"},
		{"not UTF-8", "model = '\xff'\n", ":1:10:", "invalid UTF-8"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folder := write(t, test.content)
			file, err := settings.ReadFile(folder)
			if _, ok := errors.AsType[*settings.FileError](err); !ok {
				t.Fatalf("error %v is no *FileError", err)
			}
			text := err.Error()
			if !strings.Contains(text, filepath.Join(folder, settings.FileName)+test.at) || !strings.Contains(text, test.reason) {
				t.Errorf("error %q does not name %q and %q", text, test.at, test.reason)
			}
			if strings.Contains(text, "\n") {
				t.Errorf("error has several lines: %q", text)
			}
			if value, ok := file.Lookup("max_steps"); ok {
				t.Errorf("a broken file still sets max_steps to %s", value)
			}
			if after, _ := os.ReadFile(filepath.Join(folder, settings.FileName)); string(after) != test.content {
				t.Error("the broken file was changed")
			}
		})
	}
}

func TestSEC01_KeyInPlaceOfItsNameIsNotShown(t *testing.T) {
	_, err := settings.ReadFile(write(t, `api_key_env = "sk-canary-0123456789"`))
	if err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("error = %v", err)
	}
}

func TestCFG01_UnreadableFileIsAnError(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, settings.FileName), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := settings.ReadFile(folder)
	fault, ok := errors.AsType[*settings.FileError](err)
	if !ok || fault.Line != 0 || strings.Count(err.Error(), folder) != 1 {
		t.Errorf("error = %v", err)
	}
	if _, err := settings.ReadFile(write(t, strings.Repeat("#", 1<<20+1))); err == nil {
		t.Error("a file of more than 1 MiB was read")
	}
}

func TestCheckHoldsFlagsToTheSameRange(t *testing.T) {
	tests := []struct {
		key, value string
		ok         bool
	}{
		{"max_steps", "500", true},
		{"max_steps", "501", false},
		{"approve", "all", true},
		{"approve", "yes", false},
		{"run_timeout", "10ms", true},
		{"run_timeout", "0s", false},
		{"log_level", "trace", false},
		{"model", "anything", true},
		{"budget", "0", true},
		{"budget", "1000000001", false},
		{"context_window", "100000000", true},
		{"context_window", "-1", false},
		{"doom_detection", "yes", true},
		{"compaction", "maybe", false},
		{"instructions", strings.Repeat("é", 8<<10), true},
		{"instructions", strings.Repeat("é", 8<<10) + ".", false},
	}
	for _, test := range tests {
		if err := settings.Check(test.key, test.value); (err == nil) != test.ok {
			t.Errorf("Check(%s, %s) = %v", test.key, test.value, err)
		}
	}
}

func FuzzReadFile(f *testing.F) {
	for _, seed := range []string{"version = 1", "[a]\nb=1", "a.b = 1", "x = [", "\"max_steps\" = 3", "[[model]]", "''=1"} {
		f.Add(seed)
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, content string) {
		if err := os.WriteFile(filepath.Join(folder, settings.FileName), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := settings.ReadFile(folder)
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("error has several lines: %q", err)
		}
	})
}

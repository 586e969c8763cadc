package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/settings"
)

func TestUI13_ASettingIsWrittenAndNothingElseChanges(t *testing.T) {
	for _, test := range []struct{ name, before, key, value, after string }{
		{"a new file", "", "max_steps", "60", "max_steps = 60\n"},
		{"in its place", "# mine\nmax_steps   =   10 # enough\nmodel = 'm'\n", "max_steps", "60", "# mine\nmax_steps   =   60 # enough\nmodel = 'm'\n"},
		{"a quoted key", "\"max_steps\"=1_0", "max_steps", "0x14", "\"max_steps\"=20"},
		{"a text of several lines", "instructions = '''\na = b\n''' # mine\nparallel = 1\n", "instructions", "Be brief.", "instructions = \"Be brief.\" # mine\nparallel = 1\n"},
		{"several lines", "", "instructions", "One \"a\\b\"\ntwo\t\x7f", "instructions = \"\"\"\nOne \\\"a\\\\b\\\"\ntwo\\t\\u007F\"\"\"\n"},
		{"several lines on Windows", "parallel = 1\r\n", "instructions", "One\ntwo", "parallel = 1\r\ninstructions = \"One\\ntwo\"\r\n"},
		{"before tables", "# head\nparallel = 1\n\n# shell\n[presets.shell]\nparallel = 2\n", "attempts", "3", "# head\nparallel = 1\nattempts = 3\n\n# shell\n[presets.shell]\nparallel = 2\n"},
		{"only tables", "# shell\n[presets.shell]\n", "attempts", "3", "attempts = 3\n# shell\n[presets.shell]\n"},
		{"a mark", "\ufeffparallel = 1", "attempts", "3", "\ufeffparallel = 1\nattempts = 3\n"},
		{"a number", "", "temperature", "0.50", "temperature = 0.5\n"},
		{"a whole number for one", "temperature = 0.1\n", "temperature", "1", "temperature = 1\n"},
		{"a switch", "compaction = true # c\r\n", "compaction", "false", "compaction = false # c\r\n"},
		{"a duration", "", "run_timeout", "90s", "run_timeout = \"90s\"\n"},
		{"removed", "# a\nmax_steps = 10\n\nmodel = 'm'\n", "max_steps", "", "# a\n\nmodel = 'm'\n"},
		{"removed beside a comment", "max_steps = 10   # enough for me\nmodel = 'm'\n", "max_steps", " ", "# enough for me\nmodel = 'm'\n"},
		{"removed over several lines", "instructions = '''\n# a\nb'''\n# c\n", "instructions", "", "# c\n"},
		{"removed at the end", "model = 'm'\nmax_steps = 1", "max_steps", "", "model = 'm'\n"},
		{"not there", "model = 'm'", "max_steps", "", "model = 'm'"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := write(t, test.before)
			if err := settings.Set(folder, test.key, test.value); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.after, content(t, folder)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUI13_AValueThatTheFileCannotHaveIsRefused(t *testing.T) {
	const before = "# mine\nmax_steps = 10\n"
	folder := write(t, before)
	for _, test := range []struct{ key, value, reason string }{
		{"max_steps", "0", "from 1 to 500"},
		{"max_steps", "many", "max_steps must be a whole number"},
		{"approve", "all", "for one run only"},
		{"compaction", "perhaps", "true or false"},
		{"temperature", "3", "from 0 to 2"},
		{"run_timeout", "3", "such as 90s"},
		{"instructions", "\xff", "no text"},
		{"api_key_env", "sk-1", "not a key"},
		{"version", "1", "no setting version"},
	} {
		err := settings.Set(folder, test.key, test.value)
		if _, ok := errors.AsType[*settings.ValueError](err); !ok || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s = %s: %v", test.key, test.value, err)
		}
	}
	if text := content(t, folder); text != before {
		t.Errorf("the file was changed: %q", text)
	}
	broken := write(t, "max_steps = 10\nmodle = 'm'\n")
	if fault, ok := errors.AsType[*settings.FileError](settings.Set(broken, "max_steps", "20")); !ok || fault.Line != 2 {
		t.Errorf("a broken file: %v", fault)
	}
}

func TestUI13_TheListSaysWhereValuesComeFrom(t *testing.T) {
	t.Setenv("FAIRLEAD_NO_DOOM", "yes")
	file, err := settings.ReadFile(write(t, "max_steps = 10\ndoom_detection = true\n"))
	if err != nil {
		t.Fatal(err)
	}
	list := file.With(map[string]string{"parallel": "2"}).List()
	find := func(key string) settings.Entry {
		return list[slices.IndexFunc(list, func(e settings.Entry) bool { return e.Key == key })]
	}
	for _, want := range []settings.Entry{
		{Key: "max_steps", Kind: "whole", Choices: []string{}, Low: 1, High: 500, Default: "50", Value: "10", From: settings.FromFile, Variable: "FAIRLEAD_MAX_STEPS"},
		{Key: "doom_detection", Kind: "switch", Choices: []string{}, Default: "true", Value: "false", From: settings.FromVariable, Variable: "FAIRLEAD_NO_DOOM"},
		{Key: "parallel", Kind: "whole", Choices: []string{}, Low: 1, High: 64, Default: "8", Value: "2", From: settings.FromFlag, Variable: "FAIRLEAD_PARALLEL"},
		{Key: "approve", Kind: "text", Choices: []string{"ask", "preview", "draft", "writes", "none"}, Default: "ask", Value: "ask", From: settings.FromDefault, Variable: "FAIRLEAD_APPROVE"},
	} {
		if diff := cmp.Diff(want, find(want.Key)); diff != "" {
			t.Error(diff)
		}
	}
	if len(list) != len(settings.Options()) {
		t.Errorf("%d of %d settings", len(list), len(settings.Options()))
	}
}

// Whatever a file says, a setting that is written is read again, and one that was not there
// and is taken out leaves the file as it was, but for the end of its last line.
func FuzzSet(f *testing.F) {
	for _, seed := range []string{
		"", "# x", "model='m'\r\n", "instructions='''\n#\n''' # c\nparallel=1", "\ufeff[presets.shell]\n", "\"instructions\" = \"a\"", "providers={}\n# c\n",
		"parallel = 1 # \"\"\"\n[defaults.x]\ninstructions='a'",
	} {
		f.Add(seed, "one\ntwo\r\"\"\"\\")
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, before, value string) {
		if err := os.WriteFile(filepath.Join(folder, settings.FileName), []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		old, broken := settings.ReadFile(folder)
		if err := settings.Set(folder, "instructions", value); err != nil {
			if text := content(t, folder); text != before {
				t.Fatalf("refused (%v), and %q became %q", err, before, text)
			}
			return
		}
		if broken != nil {
			t.Fatalf("a broken file was changed: %q", before)
		}
		file, err := settings.ReadFile(folder)
		if got, _ := file.Lookup("instructions"); err != nil || got != strings.TrimSpace(value) {
			t.Fatalf("%q in %q is read as %q, %v", value, content(t, folder), got, err)
		}
		if _, was := old.Lookup("instructions"); was {
			return
		}
		if err := settings.Set(folder, "instructions", ""); err != nil {
			t.Fatal(err)
		}
		if text := content(t, folder); text != before && strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r") != before {
			t.Fatalf("%q became %q", before, text)
		}
	})
}

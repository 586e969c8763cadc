package settings_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/settings"
)

// content reads the settings file in a folder.
func content(t *testing.T, folder string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, settings.FileName))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func lab() settings.OwnProvider {
	return settings.OwnProvider{
		Name: "lab", Title: `The "lab"`, BaseURL: "https://lab.example/v1", KeyEnv: "LAB_KEY", Dialect: "vllm",
		Headers: map[string]string{"api-key": "{key}", "X-Team": "tools"},
		Body: map[string]json.RawMessage{
			"top_p": json.RawMessage("0.5"), "n": json.RawMessage("9007199254740993"), "stop": json.RawMessage(`["END"]`),
			"provider": json.RawMessage(`{"order":["a","b"],"rules":[{"x":1},{"y":false}]}`),
		},
		WrittenCalls: true, Protocol: "messages", Family: "claude", ContextWindow: 32_768,
	}
}

const labBlock = `[providers.lab]
title = 'The "lab"'
base_url = 'https://lab.example/v1'
api_key_env = 'LAB_KEY'
dialect = 'vllm'
headers = {X-Team = 'tools', api-key = '{key}'}
body = {n = 9007199254740993, provider = {order = ['a', 'b'], rules = [{x = 1}, {y = false}]}, stop = ['END'], top_p = 0.5}
written_calls = true
protocol = 'messages'
family = 'claude'
context_window = 32768
`

func TestCFG01_AnOwnProviderIsAddedAndNothingElseChanges(t *testing.T) {
	for name, before := range map[string]string{
		"an empty file": "",
		"keys":          "# mine\nmodel   =   'm' # the best\n\n\n",
		"no last line":  "model = 'm'",
		"tables":        "[presets.shell]\ntimeout = 5\n",
		"its table":     "[providers]\n",
		"others":        "[providers.a]\nbase_url = 'https://a.example'\n[providers.b]\nbase_url = 'https://b.example'\n",
		"a like name":   "[providers.lab-2]\nbase_url = 'https://a.example'\n",
		"Windows":       "# mine\r\nmodel = 'm'\r\n",
		"a mark":        "\ufeffmodel = 'm'\n",
		"blank":         "\n\n",
		"a comment":     "# all by default",
		"a lone table":  "[providers]\nlab-2 = {base_url = 'https://a.example'}\n",
	} {
		t.Run(name, func(t *testing.T) {
			folder := write(t, before)
			old, err := settings.ReadFile(folder)
			if err != nil {
				t.Fatal(err)
			}
			if err := settings.AddProvider(folder, lab()); err != nil {
				t.Fatal(err)
			}
			text := content(t, folder)
			if !strings.HasPrefix(text, before) || !strings.HasSuffix(strings.ReplaceAll(text, "\r\n", "\n"), labBlock) {
				t.Errorf("after %q:\n%s", before, text)
			}
			if windows := strings.Contains(before, "\r"); windows != strings.Contains(text, "\r") || windows && strings.Count(text, "\r\n") != strings.Count(text, "\n") {
				t.Errorf("line ends changed: %q", text)
			}
			file, err := settings.ReadFile(folder)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(append(old.Providers(), lab()), file.Providers()); diff != "" {
				t.Error(diff)
			}
			if err := settings.RemoveProvider(folder, "lab"); err != nil {
				t.Fatal(err)
			}
			if text := content(t, folder); text != before && text != before+"\n" {
				t.Errorf("without it again %q, was %q", text, before)
			}
		})
	}
}

func TestCFG01_AnOwnProviderIsRemovedAndNothingElseChanges(t *testing.T) {
	const a = "[providers.a]\nbase_url = 'https://a.example'\n"
	for _, test := range []struct{ name, before, after string }{
		{"alone", a, ""},
		{"first", a + "\n# about b\n[providers.b]\nbase_url = 'https://b.example'\n", "\n# about b\n[providers.b]\nbase_url = 'https://b.example'\n"},
		{"comments inside and below", "parallel = 1\n\n[providers.a] # mine\n# inside\nbase_url = 'https://a.example' # end\n# below\n\n[presets.shell]\n", "parallel = 1\n\n# below\n\n[presets.shell]\n"},
		{"its own tables", a + "\n[providers.a.headers]\nX-A = 'b'\n\n[presets.shell]\n\n[providers.a.body]\nx = 1\n", "\n[presets.shell]\n"},
		{"lines like others inside a text", "[providers.a]\nbase_url = 'https://a.example'\nbody.x = '''\n[providers.b]\n# no comment'''\n# below\n", "# below\n"},
		{"letters of several bytes", "# é模\n[providers.a] # é\nbase_url = 'https://a.example'\ntitle = '模'\n", "# é模\n"},
		{"Windows", "\ufeffcompaction = true\r\n\r\n[providers.a]\r\nbase_url = 'https://a.example'\r\n\r\n[presets.shell]\r\n", "\ufeffcompaction = true\r\n\r\n[presets.shell]\r\n"},
		{"quoted", "[ 'providers' . \"a\" ]\nbase_url = 'https://a.example'", ""},
		{"its table stays", "[providers]\n" + a, "[providers]\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := write(t, test.before)
			if err := settings.RemoveProvider(folder, "a"); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.after, content(t, folder)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCFG01_AnOwnProviderTakesThePlaceOfTheOneWithItsName(t *testing.T) {
	const a, b = "[providers.a]\nbase_url = 'https://a.example'\n", "# about b\n[providers.b] # b\nbase_url = 'https://b.example'\n# end\n"
	folder := write(t, "# mine\n\n[providers.lab] # old\n# old\nbase_url = 'https://old.example'\n# below\n\n"+a+"\n[providers.lab.body]\nx = 1\n\n"+b)
	if err := settings.AddProvider(folder, lab()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("# mine\n\n"+labBlock+"# below\n\n"+a+"\n"+b, content(t, folder)); diff != "" {
		t.Error(diff)
	}
	file, err := settings.ReadFile(folder)
	if err != nil || len(file.Providers()) != 3 || file.Providers()[0].BaseURL != lab().BaseURL {
		t.Errorf("%+v, %v", file.Providers(), err)
	}
}

func TestCFG01_AFileThatCannotBeChangedSafelyIsLeft(t *testing.T) {
	remove := func(folder string) error { return settings.RemoveProvider(folder, "a") }
	add := func(folder string) error { return settings.AddProvider(folder, lab()) }
	for _, test := range []struct {
		name, content string
		change        func(folder string) error
		line          int
		reason        string
	}{
		{"dotted keys", "parallel = 1\nproviders.a.base_url = 'https://a.example'\n", remove, 2, "not written as a table of its own, [providers.a]"},
		{"dotted in its table", "[providers]\na.base_url = 'https://a.example'\n", remove, 2, "by hand"},
		{"in a line", "[providers]\na = {base_url = 'https://a.example'}\n", remove, 2, "by hand"},
		{"all in a line", "# x\nproviders = {a = {base_url = 'https://a.example'}}\n", remove, 2, "by hand"},
		{"not there", "parallel = 1\n", remove, 0, "there is no provider a"},
		{"no space", "# x\nproviders = {a = {base_url = 'https://a.example'}}\n", add, 2, "by hand"},
		{"there already by dotted keys", "\nproviders.lab.base_url = 'https://a.example'\n", add, 2, "by hand"},
		{"a known name", "", func(folder string) error {
			return settings.AddProvider(folder, settings.OwnProvider{Name: "openai", BaseURL: "https://a.example"})
		}, 0, "openai is a known provider"},
		{"no address", "", func(folder string) error { return settings.AddProvider(folder, settings.OwnProvider{Name: "lab"}) }, 0, "base_url must be an address"},
		{"a name that ends its line", "", func(folder string) error {
			return settings.AddProvider(folder, settings.OwnProvider{Name: "lab]\nparallel=1\n#", BaseURL: "https://a.example"})
		}, 0, "lower-case letters"},
		{"null", "", func(folder string) error {
			return settings.AddProvider(folder, settings.OwnProvider{
				Name: "lab", BaseURL: "https://a.example", Body: map[string]json.RawMessage{"x": json.RawMessage("[null]")},
			})
		}, 0, "no word for null"},
		{"a change of more", "[providers.b]\nbase_url = 'https://b.example'\n", settings.ChangeMore, 1, "no space for a change"},
		{"too large", "#" + strings.Repeat("x", 1<<20-10) + "\n", add, 0, "no space"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := write(t, test.content)
			err := test.change(folder)
			refused, ok := errors.AsType[*settings.EditError](err)
			if !ok || refused.Line != test.line || !strings.Contains(err.Error(), test.reason) {
				t.Errorf("error %v", err)
			}
			if text := content(t, folder); text != test.content {
				t.Errorf("the file was changed: %q", text)
			}
		})
	}
}

func TestCFG01_AFileWithAFaultIsNotChanged(t *testing.T) {
	const broken = "modle = 'm'\n[providers.a]\nbase_url = 'https://a.example'\n"
	folder := write(t, broken)
	for _, err := range []error{settings.AddProvider(folder, lab()), settings.RemoveProvider(folder, "a")} {
		if fault, ok := errors.AsType[*settings.FileError](err); !ok || fault.Line != 1 {
			t.Errorf("error %v", err)
		}
	}
	if text := content(t, folder); text != broken {
		t.Errorf("the file was changed: %q", text)
	}
}

func TestCFG01_ANewFileIsForThisUserAndAnOldOneKeepsItsModeAndItsLink(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "config")
	if err := settings.AddProvider(folder, lab()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, settings.FileName)
	if text := content(t, folder); text != labBlock {
		t.Errorf("a new file: %s", text)
	}
	if runtime.GOOS == "windows" {
		return
	}
	mode := func(path string, want os.FileMode) {
		t.Helper()
		info, err := os.Lstat(path)
		if err != nil || info.Mode() != want {
			t.Errorf("%s: mode %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
	mode(path, 0o600)
	behind := filepath.Join(t.TempDir(), "dotfile")
	if err := os.Rename(path, behind); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(behind, 0o640); err != nil {
		t.Fatal(err)
	}
	sandboxtest.Link(t, behind, path)
	if err := settings.RemoveProvider(folder, "lab"); err != nil {
		t.Fatal(err)
	}
	mode(behind, 0o640)
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(behind)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// Whatever a file says, a provider that is added and removed leaves it as it was, but
// for the end of its last line; and whatever is refused leaves it whole.
func FuzzEditing(f *testing.F) {
	for _, seed := range []string{
		"", "# x", "model='m'\r\n", "[providers.a]\nbase_url='https://a.example'\n", "[providers]\n", "providers={}\n",
		"[providers.a]\nbase_url='https://a.example' # c\n# d\n\n[providers.a.body]\nx='''\n#\n'''\n\n",
		"providers.a.base_url='https://a.example'", "\ufeff[presets.shell]\n\n\n", "[presets]\n[providers.a]\n\tbase_url=\"https://a.example\"\n[presets.x]",
	} {
		f.Add(seed)
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, before string) {
		path := filepath.Join(folder, settings.FileName)
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		old, err := settings.ReadFile(folder)
		broken := err != nil
		err = settings.AddProvider(folder, lab())
		if err != nil {
			if text := content(t, folder); text != before {
				t.Fatalf("refused (%v), and %q became %q", err, before, text)
			}
		}
		if broken {
			if err == nil {
				t.Fatalf("a broken file was changed: %q", before)
			}
			return
		}
		if err == nil {
			if err := settings.RemoveProvider(folder, "lab"); err != nil {
				t.Fatalf("%q: %v", content(t, folder), err)
			}
			if text := content(t, folder); text != before && strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r") != before {
				t.Fatalf("%q became %q", before, text)
			}
		}
		for _, p := range old.Providers() {
			was := content(t, folder)
			other := lab()
			other.Name = p.Name
			if err := settings.AddProvider(folder, other); err != nil && content(t, folder) != was {
				t.Fatalf("refused (%v), and %q became %q", err, was, content(t, folder))
			}
			was = content(t, folder)
			if err := settings.RemoveProvider(folder, p.Name); err != nil && content(t, folder) != was {
				t.Fatalf("refused (%v), and %q became %q", err, was, content(t, folder))
			}
			if _, err := settings.ReadFile(folder); err != nil {
				t.Fatalf("without %s: %v", p.Name, err)
			}
		}
	})
}

package mcp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

func TestEXT01_PastedDefinitions(t *testing.T) {
	files := Definition{Name: "files", Kind: KindStdio, Command: "npx", Args: []string{"-y", "@scope/files@1.2.3", "."}}
	for name, text := range map[string]string{
		"mcpServers":      `{"mcpServers":{"files":{"command":"npx","args":["-y","@scope/files@1.2.3","."]}}}`,
		"servers":         `{"inputs":[],"servers":{"files":{"type":"stdio","command":"npx","args":["-y","@scope/files@1.2.3","."]}}}`,
		"mcp.servers":     `{"mcp":{"servers":{"files":{"command":"npx","args":["-y","@scope/files@1.2.3","."]}}}}`,
		"mcp":             `{"mcp":{"files":{"type":"local","command":["npx","-y","@scope/files@1.2.3","."]}}}`,
		"context_servers": `{"context_servers":{"files":{"command":"npx","args":["-y","@scope/files@1.2.3","."]}}}`,
		"a map":           `{"files":{"command":"npx","args":["-y","@scope/files@1.2.3","."]}}`,
		"one":             `{"command":"npx","args":["-y","@scope/files@1.2.3","."]}`,
		"a part":          `"files":{"command":"npx","args":["-y","@scope/files@1.2.3","."]},`,
		"comments":        "\uFEFF// of mine\n{\"mcpServers\": {/* one */\n\"Files\": {\"command\":\"npx\", // run\n\"args\":[\"-y\",\"@scope/files@1.2.3\",\".\",],},},}",
	} {
		got, err := Parse(text, "files")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := []Pasted{{Definition: files, Values: map[string]string{}, HeaderValues: map[string]string{}}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestSEC01_ValuesAreNotInTheDefinition(t *testing.T) {
	got, err := Parse(`{"mcpServers":{
		"a b!":{"command":"srv","args":["--root","${workspaceFolder}"],"env":{"KEY":"sk-secret","N":1,"EMPTY":"","REF":"${env:REF}"},
			"cwd":"${workspaceFolder}","alwaysAllow":["x"],"autoApprove":true,"trust\u200b":1,"disabled":false},
		"web":{"url":"https://example.org/mcp","headers":{"Authorization":"Bearer ${input:t}","X-Key":"sk-other"}}}}`, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []Pasted{{
		Definition: Definition{Name: "a-b", Kind: KindStdio, Command: "srv", Args: []string{"--root", "${workspaceFolder}"}, Variables: []string{"EMPTY", "KEY", "N", "REF"}},
		Values:     map[string]string{"KEY": "sk-secret", "N": "1"}, HeaderValues: map[string]string{},
		Needs:    []string{`a value for "${workspaceFolder}"`, `the variable "EMPTY"`, `the variable "REF"`},
		NotTaken: []string{`"alwaysAllow"`, `"autoApprove"`, `"disabled"`, `"trust\u{200b}"`},
	}, {
		Definition: Definition{Name: "web", Kind: KindHTTP, URL: "https://example.org/mcp", Headers: []string{"Authorization", "X-Key"}},
		Values:     map[string]string{}, HeaderValues: map[string]string{"X-Key": "sk-other"},
		Needs: []string{`the header "Authorization"`},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := got[0].Definition.Check(); err == nil || !strings.Contains(err.Error(), "needs a value") {
		t.Errorf("a definition with a reference: %v", err)
	}
	for _, p := range got {
		if p.Refused != nil {
			t.Error(p.Refused)
		}
	}
}

func TestEXT01_RefusedDefinitions(t *testing.T) {
	for text, words := range map[string]string{
		`{"command":"docker","args":["run","-i","x"]}`:                 "docker has its own service",
		`{"command":"/usr/bin/podman","args":["run","x"]}`:             "podman has its own service",
		`{"command":"C:\\Program Files\\Docker\\docker.exe"}`:          "docker has its own service",
		`{"command":"sh","args":["-c","exec docker run x"]}`:           "docker has its own service",
		`{"command":"env","args":["A=b","nerdctl","run"]}`:             "nerdctl has its own service",
		`{"command":"x","url":"https://example.org"}`:                  "no command, arguments or variables",
		`{"command":"x","headers":{"A":"b"}}`:                          "no headers",
		`{"command":"x","cwd":"/etc"}`:                                 `it wants to start in "/etc"`,
		`{"command":"x","cwd":".."}`:                                   "it wants to start in",
		`{"command":"x","env":{"LD_PRELOAD":"/tmp/x.so"}}`:             "decides what runs",
		`{"command":"x","env":{"node_options":"--require=/tmp/x"}}`:    "decides what runs",
		`{"command":"x","env":{"A B":"c"}}`:                            "no name of a variable",
		`{"command":"x","env":{"A":{}}}`:                               "which is no text",
		`{"command":"x","args":"y","type":"websocket"}`:                "no way to reach a server",
		`{"command":"x","args":[1]}`:                                   "its args is not what it should be",
		`{"command":"x","args":["` + strings.Repeat("y", 5000) + `"]}`: "longer than 4096",
		`{"command":"","args":[]}`:                                     "it names no command",
		`{"url":"ftp://example.org"}`:                                  "no address",
		`{"url":"https://u:p@example.org"}`:                            "a user name or a password",
		`{"url":"https://example.org?api_key=x"}`:                      "holds a secret in",
		`{"url":"https://example.org#x"}`:                              "after #",
		`{"url":"https://example.org","headers":{"Host":"x"}}`:         `the header "Host" cannot be set`,
		`{"url":"https://example.org","headers":{"A\nB":"x"}}`:         "cannot be set",
		`{"url":"https://example.org","env":{"A":"x"}}`:                "no command, arguments or variables",
	} {
		got, err := Parse(text, "s")
		if err != nil || len(got) != 1 || got[0].Refused == nil || !strings.Contains(got[0].Refused.Error(), words) {
			t.Errorf("%s: %+v, %v, want %q", text, got, err, words)
		}
	}
	for text, words := range map[string]string{
		``: "no JSON", `[]`: "no JSON", `{}`: "names no server", `{"a":1}`: "names no server", `{"mcpServers":{}}`: "names no server",
		`command = "x"`: "no JSON", `{"command":`: "no JSON", strings.Repeat("x", 300<<10): "longer than 256 KiB",
		`{"mcpServers":{"a":{"command":"x"},"b":"y"}}`: "names no server",
	} {
		if got, err := Parse(text, "s"); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%.50s: %+v, %v, want %q", text, got, err, words)
		}
	}
	if got, err := Parse(`{"a b":{"command":"x"},"A-B":{"command":"y"}}`, ""); err != nil || got[1].Refused == nil {
		t.Errorf("two of one name: %+v, %v", got, err)
	}
	if got, err := Parse(`{"command":"x"}`, "🙂"); err != nil || got[0].Refused == nil {
		t.Errorf("no name: %+v, %v", got, err)
	}
}

func TestEXT01_FetchingDefinitions(t *testing.T) {
	for line, want := range map[string]Fetch{
		"npx -y @scope/pkg@1.2.3 --root .":          {"npx", "@scope/pkg@1.2.3", "", []string{"--root", "."}},
		"npx --yes --package=a@1 -- prog x":         {"npx", "a@1", "prog", []string{"x"}},
		"npx -p a@1 prog":                           {"npx", "a@1", "prog", []string{}},
		`C:\node\npx.cmd pkg`:                       {"npx", "pkg", "", []string{}},
		"cmd /c npx -y pkg":                         {"npx", "pkg", "", []string{}},
		"env A=b npx pkg":                           {"npx", "pkg", "", []string{}},
		"npm exec -- pkg a":                         {"npm exec", "pkg", "", []string{"a"}},
		"npm --silent x pkg":                        {"npm exec", "pkg", "", []string{}},
		"bunx pkg":                                  {"bunx", "pkg", "", []string{}},
		"bun x pkg":                                 {"bunx", "pkg", "", []string{}},
		"pnpm dlx pkg":                              {"pnpm dlx", "pkg", "", []string{}},
		"yarn dlx pkg":                              {"yarn dlx", "pkg", "", []string{}},
		"uvx mcp-server-git --repository .":         {"uvx", "mcp-server-git", "", []string{"--repository", "."}},
		"uvx --from git+https://example.org/x prog": {"uvx", "git+https://example.org/x", "prog", []string{}},
		"uvx --with dep --python 3.12 pkg":          {"uvx", "pkg", "", []string{}},
		"uv tool run pkg":                           {"uv tool run", "pkg", "", []string{}},
		"pipx run --spec a==1 prog":                 {"pipx run", "a==1", "prog", []string{}},
		"npx":                                       {"npx", "", "", nil},
	} {
		words := strings.Fields(line)
		got, ok := Definition{Command: words[0], Args: words[1:]}.Fetches()
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%s: %v %s", line, ok, diff)
		}
	}
	for _, line := range []string{"node server.js", "uv run x", "npm start", "pnpm x", "python -m x", "yarn x", "my-npx x", "cmd /c"} {
		words := strings.Fields(line)
		if got, ok := (Definition{Command: words[0], Args: words[1:]}).Fetches(); ok {
			t.Errorf("%s fetches %+v", line, got)
		}
	}
}

func TestDefinitionHashNamesWhatRuns(t *testing.T) {
	base := Definition{Name: "a", Kind: KindStdio, Command: "x", Args: []string{"b", "c"}, Variables: []string{"V"}}
	seen := map[string]bool{base.Hash(): true}
	for _, change := range []func(*Definition){
		func(d *Definition) { d.Name = "b" },
		func(d *Definition) { d.Command = "y" },
		func(d *Definition) { d.Args = []string{"b c"} },
		func(d *Definition) { d.Args = []string{"b"} },
		func(d *Definition) { d.Kind = KindHTTP },
		func(d *Definition) { d.URL = "u" },
		func(d *Definition) { d.Variables = []string{"W"} },
		func(d *Definition) { d.Headers = []string{"H"} },
	} {
		d := base
		change(&d)
		if hash := d.Hash(); seen[hash] {
			t.Errorf("%+v has the hash of another", d)
		} else {
			seen[hash] = true
		}
	}
	if text := (Definition{Kind: KindStdio, Command: "x", Args: []string{"a b", "it's", "", "\u202e\n"}}).String(); text != `x 'a b' 'it'\''s' '' '\u{202e}\u{a}'` {
		t.Error(text)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"mcpServers":{"a":{"command":"npx","args":["-y","p"],"env":{"K":"v"}}}}`, `{"url":"https://x.org","headers":{"A":"${input:b}"}}`,
		`"a":{"command":["docker","run"]},`, "// c\n{/* */\"a\":{\"command\":\"x\",},}", `{"mcp":{"servers":{"a":{"url":"http://[::1]:1/","type":"sse"}}}}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found, err := Parse(text, "name")
		if err != nil {
			if message.Inline(err.Error()) != err.Error() {
				t.Errorf("%q has hidden characters", err)
			}
			return
		}
		for _, p := range found {
			d := p.Definition
			if p.Refused == nil && len(p.Needs) == 0 {
				if err := d.Check(); err != nil {
					t.Errorf("%q gives a definition that is refused: %v", text, err)
				}
			}
			shown := d.String() + strings.Join(p.Needs, "") + strings.Join(p.NotTaken, "")
			if p.Refused != nil {
				shown += p.Refused.Error()
			}
			if message.Inline(shown) != shown {
				t.Errorf("%q is shown with hidden characters: %q", text, shown)
			}
			d.Fetches()
		}
	})
}

func FuzzPlainJSON(f *testing.F) {
	f.Add(`{"a":"// no","b":[1,/* x */2,],} // end`)
	f.Add(`"\"/*`)
	f.Fuzz(func(t *testing.T, text string) {
		// What is JSON stays as it is, but for commas that are not there and white space.
		if plain := string(plainJSON([]byte(text))); isJSON(text) && plain != strings.TrimPrefix(text, "\uFEFF") {
			t.Errorf("%q became %q", text, plain)
		}
	})
}

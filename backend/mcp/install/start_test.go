package install

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"

	"github.com/google/go-cmp/cmp"
)

// installedBy makes an install of the package @s/server with files, by their names in its
// folder.
func installedBy(t *testing.T, files map[string]string) Installed {
	t.Helper()
	in := Installed{Record: Record{
		Request: Request{Ecosystem: NPM, Packages: []Package{{Name: "@s/server"}}}, Package: "@s/server", Version: "1.0.0",
	}, Name: "s-server-1.0.0-0", Dir: t.TempDir()}
	for name, text := range files {
		path := filepath.Join(in.Dir, "node_modules/@s/server", filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return in
}

func TestEXT01_TheProgramIsFoundAsNPXFindsIt(t *testing.T) {
	tests := []struct {
		name, bin, asked string
		want             program
	}{
		{"text", `"main.js"`, "", program{path: "main.js"}},
		{"text by its name", `"./main.js"`, "server", program{path: "main.js"}},
		{"only one", `{"other": "lib/x.mjs"}`, "", program{path: "lib/x.mjs"}},
		{"same file", `{"a": "main.js", "b": "main.js"}`, "", program{path: "main.js"}},
		{"its name", `{"a": "lib/x.mjs", "server": "main.js"}`, "", program{path: "main.js"}},
		{"named", `{"a": "lib/x.mjs", "server": "main.js"}`, "a", program{path: "lib/x.mjs"}},
		{"options", `"options"`, "", program{path: "options", options: []string{"--no-warnings"}}},
		{"path of node", `"plain"`, "", program{path: "plain", options: []string{}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := installedBy(t, map[string]string{
				"package.json": `{"name": "@s/server", "bin": ` + test.bin + `}`, "main.js": "1", "lib/x.mjs": "#!/usr/bin/env node\n",
				"options": "#!/usr/bin/env -S node --no-warnings\n", "plain": "#!/usr/bin/node\n",
			})
			in.Request.Program = test.asked
			got, err := in.program()
			must(t, err)
			if want := "node_modules/@s/server/" + test.want.path; got.path != want || strings.Join(got.options, " ") != strings.Join(test.want.options, " ") {
				t.Errorf("%+v, want %s", got, want)
			}
		})
	}
}

func TestEXT01_ProgramsOutsideTheirPackageAreRefused(t *testing.T) {
	tests := []struct{ name, manifest, asked, want string }{
		{"above", `{"bin": "../../../../../../../../etc/passwd"}`, "", "is not started"},
		{"absolute", `{"bin": "/etc/passwd"}`, "", ""},
		{"neighbour", `{"bin": "../leaf/main.js"}`, "", "is not started"},
		{"through a link", `{"bin": "link/main.js"}`, "", "is not started"},
		{"missing", `{"bin": "none.js"}`, "", "does not have the file"},
		{"folder", `{"bin": "lib"}`, "", "is no file"},
		{"other shell", `{"bin": "run.sh"}`, "", "not one of Node.js"},
		{"other name", `{"bin": {"server": "main.js"}}`, "other", `has no program other: it has ["server"]`},
		{"none", `{}`, "", "has no program of its name"},
		{"which", `{"bin": {"a": "main.js", "b": "run.sh"}}`, "", `name one of ["a" "b"] with --package=@s/server NAME`},
		{"escapes", `{"bin": "\u001b[31m.js"}`, "", `"\x1b[31m.js"`},
		{"number", `{"bin": 7}`, "", "read what programs @s/server has"},
		{"no manifest", `[`, "", "read what programs @s/server has"},
		{"large manifest", strings.Repeat(" ", mostRecord+1), "", "more than"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := installedBy(t, map[string]string{"package.json": test.manifest, "main.js": "", "run.sh": "#!/bin/sh\n", "lib/x.js": "", "../leaf/main.js": ""})
			if test.name == "through a link" {
				sandboxtest.Link(t, t.TempDir(), filepath.Join(in.Dir, "node_modules/@s/server/link"))
			}
			in.Request.Program = test.asked
			_, err := in.program()
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Error(err)
			}
		})
	}
}

func TestEXT01_ItStartsWithNodeAlone(t *testing.T) {
	in := installedBy(t, map[string]string{"package.json": `{"bin": "main.js"}`, "main.js": "#!/usr/bin/env node --a\n"})
	programs := t.TempDir()
	node := filepath.Join(programs, "node")
	if runtime.GOOS == "windows" {
		node += ".exe"
	}
	must(t, os.WriteFile(node, nil, 0o700))
	t.Setenv("PATH", programs)
	got, err := in.Command([]string{"b", "c d"})
	must(t, err)
	want := Start{Argv: []string{node, "--a", filepath.Join(in.Dir, "node_modules", "@s", "server", "main.js"), "b", "c d"}, Dir: in.Dir}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := in.Command(nil, programs); err == nil || !strings.Contains(err.Error(), "Node.js was not found in PATH (PATH is ") {
		t.Error(err)
	}
}

package install

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEXT01_DefinitionsThatFetchAreRecognised(t *testing.T) {
	npm := func(launcher, name, version, program string, args ...string) Request {
		return Request{Launcher: launcher, Ecosystem: NPM, Packages: []Package{{name, version}}, Program: program, Args: args}
	}
	python := func(launcher, name, version, program string, args ...string) Request {
		r := npm(launcher, name, version, program, args...)
		r.Ecosystem = PyPI
		return r
	}
	two := npm("npx", "a", "", "a", "x")
	two.Packages = append(two.Packages, Package{"@s/b", "2"})
	with := python("uvx", "server", "", "")
	with.Packages = append(with.Packages, Package{"numpy", "1.0"})
	tests := []struct {
		line []string
		want Request
	}{
		{[]string{"npx", "-y", "@s/server", "/home/ada"}, npm("npx", "@s/server", "", "", "/home/ada")},
		{[]string{"npx", "server@1.2.3", "--yes", "--", "-p"}, npm("npx", "server", "1.2.3", "", "--yes", "--", "-p")},
		{[]string{"npx", "--yes", "--", "@s/server@latest"}, npm("npx", "@s/server", "latest", "")},
		{[]string{"npx", "server@^1.2 || >=3"}, npm("npx", "server", "^1.2 || >=3", "")},
		{[]string{"npx", "-p", "server@1", "start", "-c"}, npm("npx", "server", "1", "start", "-c")},
		{[]string{"npx", "--package=a", "-p", "@s/b@2", "a", "x"}, two},
		{[]string{"/usr/local/bin/npx", "server"}, npm("npx", "server", "", "")},
		{[]string{`C:\Program Files\nodejs\NPX.CMD`, "server"}, npm("npx", "server", "", "")},
		{[]string{"npx.exe", "server"}, npm("npx", "server", "", "")},
		{[]string{"npm", "exec", "--", "server", "--port", "1"}, npm("npm exec", "server", "", "", "--port", "1")},
		{[]string{"npm", "exec", "server", "--", "--port"}, npm("npm exec", "server", "", "", "--port")},
		{[]string{"npm", "-y", "x", "server", "a"}, npm("npm x", "server", "", "", "a")},
		{[]string{"npm", "exec", "--package=a", "--", "run-a", "-x"}, npm("npm exec", "a", "", "run-a", "-x")},
		{[]string{"pnpm", "dlx", "server", "-x"}, npm("pnpm dlx", "server", "", "", "-x")},
		{[]string{"pnpm", "--package=a", "dlx", "run-a"}, npm("pnpm dlx", "a", "", "run-a")},
		{[]string{"pnpm", "--package", "a", "dlx", "run-a"}, npm("pnpm dlx", "a", "", "run-a")},
		{[]string{"yarn", "dlx", "-q", "server"}, npm("yarn dlx", "server", "", "")},
		{[]string{"bunx", "server@2"}, npm("bunx", "server", "2", "")},
		{[]string{"bun", "x", "server"}, npm("bun x", "server", "", "")},
		{[]string{"cmd", "/c", "npx", "-y", "server"}, npm("npx", "server", "", "")},
		{[]string{`C:\Windows\System32\cmd.exe`, "/d", "/s", "/C", "npx -y server x"}, npm("npx", "server", "", "", "x")},
		{[]string{"env", "npx", "server"}, npm("npx", "server", "", "")},
		{[]string{"/usr/bin/env", "uvx", "server"}, python("uvx", "server", "", "")},
		{[]string{"node", "/usr/lib/node_modules/npm/bin/npx-cli.js", "-y", "server"}, npm("npx", "server", "", "")},
		{[]string{"node", "/usr/lib/node_modules/npm/bin/npm-cli.js", "exec", "--", "server"}, npm("npm exec", "server", "", "")},
		{[]string{"uvx", "mcp-server-git@1.0", "--repository", "."}, python("uvx", "mcp-server-git", "1.0", "", "--repository", ".")},
		{[]string{"uvx", "--from", "pkg[cli]==1.2", "run-it"}, python("uvx", "pkg[cli]", "1.2", "run-it")},
		{[]string{"uvx", "--with", "numpy==1.0", "server"}, with},
		{[]string{"uv", "tool", "run", "server"}, python("uv tool run", "server", "", "")},
		{[]string{"uv", "-q", "tool", "run", "--from=a", "b"}, python("uv tool run", "a", "", "b")},
		{[]string{"pipx", "run", "--spec", "a==1", "b", "c"}, python("pipx run", "a", "1", "b", "c")},
		{[]string{"python3", "-m", "pipx", "run", "a"}, python("pipx run", "a", "", "")},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.line, " "), func(t *testing.T) {
			got, is, err := Recognise(test.line[0], test.line[1:])
			if err != nil || !is {
				t.Fatal(is, err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEXT01_WhatCannotBePinnedIsRefusedWithWhatToWrite(t *testing.T) {
	tests := []struct{ line, want string }{
		{"npx github:ada/server", "write NAME or NAME@VERSION"},
		{"npx ada/server", "write NAME or NAME@VERSION"},
		{"npx git+https://example.test/a.git", "write NAME"},
		{"npx https://example.test/a.tgz", "write NAME"},
		{"npx ./server", "write NAME"},
		{"npx ../server", "write NAME"},
		{"npx /home/ada/server", "write NAME"},
		{"npx server@file:../x", "write server@VERSION"},
		{"npx server@npm:other@1", "write NAME"},
		{"npx server@https://example.test/x", "write server@VERSION"},
		{"npx server@", "write server@VERSION"},
		{"npx \x1b[31mred", "write NAME"},
		{"npx -c server", "write npx PACKAGE@VERSION"},
		{"npx --call=server", "write npx"},
		{"npx --registry=http://example.test server", "write npx"},
		{"npx --yes=true server", "write npx"},
		{"npx", "names no package"},
		{"npx -y", "names no package"},
		{"npx -p", "without a package"},
		{"npx -p server", "names no package"},
		{"npx -p server ./bin", "write the one that the package brings"},
		{"npm exec server --port 1", "write -- before the package"},
		{"pnpm dlx -c server", "write pnpm dlx"},
		{"bunx --bun server", "write bunx"},
		{"uvx --from git+https://example.test/a.git server", "write NAME or NAME==VERSION"},
		{"uvx ./server", "write NAME"},
		{"uvx --python 3.12 server", "write uvx"},
		{"pipx run https://example.test/a.py", "write NAME"},
		{"pipx run script.py", "write NAME"},
		{"env A=b npx server", "variables as those of the definition"},
		{"cmd /c npx server&calc", "write NAME"},
		{"cmd /c npx server a&calc", `write "npx" as the command`},
	}
	for _, test := range tests {
		t.Run(test.line, func(t *testing.T) {
			words := strings.Split(test.line, " ")
			_, is, err := Recognise(words[0], words[1:])
			var refused *RefusedError
			if !is || !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("%t, %v", is, err)
			}
		})
	}
}

func TestEXT01_LinesOfAShellAreRefused(t *testing.T) {
	tests := []struct {
		command string
		args    []string
		want    string
	}{
		{"sh", []string{"-c", "npx -y server /home/ada"}, `write "npx" as the command and ["-y" "server" "/home/ada"] as its arguments`},
		{"/bin/bash", []string{"-lc", "source ~/.nvm/nvm.sh && npx server"}, "the rest as its arguments"},
		{"zsh", []string{"-c", "exec /usr/bin/uvx server"}, "cannot be pinned"},
		{"sh", []string{"-c", "npm -y exec server"}, "cannot be pinned"},
		{"powershell.exe", []string{"-Command", "npx.cmd server"}, "cannot be pinned"},
	}
	for _, test := range tests {
		_, is, err := Recognise(test.command, test.args)
		if !is || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %q: %t, %v", test.command, test.args, is, err)
		}
	}
}

func TestEXT01_OtherCommandsAreNotRecognised(t *testing.T) {
	for _, line := range []string{
		"", "node server.js", "/home/ada/server npx", "npm run npx", "npm", "pnpm exec server", "bun run x", "uv run server.py", "uv tool list",
		"pipx list", "python server.py", "python -m server", "env", "env A=b server", "cmd /c dir", "cmd", "sh script.sh npx", "sh -c echo", "npx2 server", "mynpx server",
	} {
		words := strings.Split(line, " ")
		if got, is, err := Recognise(words[0], words[1:]); is || err != nil {
			t.Errorf("%q: %+v, %v", line, got, err)
		}
	}
	if _, is, _ := Recognise("sh", []string{"-c", "npm run x"}); is {
		t.Error("a script of a package is taken for a fetch")
	}
}

func FuzzRecognise(f *testing.F) {
	for _, line := range []string{"npx\x00-y\x00@s/a@1", "cmd\x00/c\x00npx a", "env\x00env\x00env\x00npx\x00a", "uvx\x00--from\x00a[b]==1\x00c", "npm\x00exec\x00--\x00a", "sh\x00-c\x00npx a"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, "\x00")
		request, is, err := Recognise(words[0], words[1:])
		if err != nil {
			var refused *RefusedError
			if !is || !errors.As(err, &refused) || strings.ContainsAny(err.Error(), "\x1b\r\n\x00") {
				t.Errorf("%t, %q", is, err)
			}
			return
		}
		if !is {
			return
		}
		for _, p := range request.Packages {
			if strings.HasPrefix(p.Name, "-") || strings.ContainsAny(p.String(), "\x1b\r\n:\\'\"$&;\x00") || strings.Contains(p.Name, "..") && strings.Contains(p.Name, "/..") {
				t.Errorf("%q", p)
			}
		}
		if len(request.Packages) == 0 || strings.ContainsAny(request.Program, "/\\ ") {
			t.Errorf("%+v", request)
		}
	})
}

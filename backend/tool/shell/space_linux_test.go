package shell_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/tool/shell"
)

// confine has the tools' commands confined as well as the system can. It skips the
// test where it cannot.
func confine(t *testing.T, o *shell.Options) {
	t.Helper()
	sandboxtest.NeedsLimited(t)
	system := sandbox.Inspect(t.Context(), sandboxtest.Program("fairlead"), nil)
	if system.Level == message.LevelNone {
		t.Fatal(system.Why)
	}
	space, err := system.Open(sandbox.Place{
		Workspace: o.Folder.Path(), Private: filepath.Join(t.TempDir(), "private"), Home: os.Getenv("HOME"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := space.Close(); err != nil {
			t.Error(err)
		}
	})
	o.Level, o.Confinement = always(system.Level), system.Sentence
	o.Jobs = process.NewJobs(process.JobsOptions{Space: opened(space)})
}

func TestSEC02_WhatCannotBeConfinedIsNotRun(t *testing.T) {
	b := open(t, func(o *shell.Options) { confine(t, o) })
	refused := func(id, line string, texts ...string) {
		t.Helper()
		results := []message.Result{b.run(t, "shell", command(t, line))}
		// A start tells of it where that is known by then.
		if result := b.run(t, "shell_start", command(t, line)); !result.Success() {
			results = append(results, result)
		}
		b.await(t, id)
		results = append(results, b.run(t, "shell_status", fmt.Sprintf(`{"processId":%q}`, id)))
		for _, result := range results {
			for _, text := range append(texts, "was not run") {
				wantFailure(t, result, text)
			}
		}
	}
	refused("p1", "true "+strings.Repeat("x", 200<<10), "write the command to a file and run that")
	if err := os.RemoveAll(b.Folder.Path()); err != nil {
		t.Fatal(err)
	}
	refused("p2", "true")
}

func TestTOOL03_ServersAreReachedByLaterCommands(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b := open(t, func(o *shell.Options) { confine(t, o) })
	const serve = `exec python3 -c '
import http.server
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
open("port.new", "w").write(str(server.server_port))
import os
os.rename("port.new", "port")
server.serve_forever()'`
	const fetch = `until [ -e port ]; do sleep 0.01; done; curl -sS -o /dev/null -w '%{http_code}' http://127.0.0.1:$(cat port)/`
	if reason := needs("python3", "curl")(); reason != "" {
		t.Skip(reason)
	}
	result := b.run(t, "shell_start", command(t, serve))
	if !result.Success() {
		t.Fatal(result.Text())
	}
	result = b.run(t, "shell", command(t, fetch))
	if result.Text() != "200" {
		t.Errorf("got %q", result.Text())
	}
	result = b.run(t, "shell_kill", `{"processId":"p1"}`)
	if !result.Success() || !strings.HasPrefix(result.Text(), "p1 is killed: ") {
		t.Errorf("got %q", result.Text())
	}
}

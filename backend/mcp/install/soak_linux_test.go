package install

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/process"
	"fairlead/backend/sandbox"
)

// real are servers of the public registry that need neither the network nor install scripts.
var real = []struct {
	line string
	// args are what it is started with. WORKSPACE is its workspace.
	args []string
}{
	{"npx -y @modelcontextprotocol/server-filesystem", []string{"WORKSPACE"}},
	{"npx -y @modelcontextprotocol/server-memory", nil},
	{"npx -y @modelcontextprotocol/server-everything", []string{"stdio"}},
	{"npx -y @modelcontextprotocol/server-sequential-thinking@2026.8.31", nil},
	{"npx -y @modelcontextprotocol/server-pdf@2.0.4", []string{"--stdio"}},
	{"npx -y @coo-quack/calc-mcp@2.1.1", nil},
}

func TestEXT01_RealServersStartWithoutTheNetwork(t *testing.T) {
	if os.Getenv("FAIRLEAD_SOAK") == "" {
		t.Skip("only with FAIRLEAD_SOAK, because it uses the network")
	}
	if _, found := process.Find("npm"); !found {
		t.Skip("this system has no npm")
	}
	t.Setenv("HOME", t.TempDir())
	i, _ := newInstaller(t)
	for _, test := range real {
		t.Run(test.line, func(t *testing.T) {
			began := time.Now()
			offer, err := tryResolve(t, i, test.line)
			if err != nil && strings.Contains(err.Error(), "ENOTFOUND") {
				t.Skip("this system does not reach the registry:", err)
			}
			must(t, err)
			resolved := time.Since(began)
			in, err := i.Install(t.Context(), offer, false)
			must(t, err)
			installed := time.Since(began) - resolved
			began = time.Now()
			must(t, in.Verify(t.Context()))
			quick := time.Since(began)
			must(t, in.verifyContents(t.Context()))
			whole := time.Since(began) - quick
			t.Logf("%s: %d packages, scripts %q, other hosts %q, own size %d; resolved in %s, installed in %s: %d files, %d bytes; looked at in %s, read in %s",
				offer.Main(), offer.Count, offer.Scripts, offer.OtherHosts, offer.Bytes, resolved, installed, in.Files, in.Bytes, quick, whole)
			answer, err := initialize(t, in, test.args)
			must(t, err)
			t.Logf("it answers %.300s", answer)
		})
	}
}

// initialize starts a server confined, without the network, and returns its answer to the first
// request of the protocol. A shell that writes it and waits stands before the server, because confined
// commands have no input.
func initialize(t *testing.T, in Installed, args []string) (string, error) {
	t.Helper()
	workspace, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for n, arg := range args {
		if arg == "WORKSPACE" {
			args[n] = workspace
		}
	}
	start, err := in.Command(args)
	must(t, err)
	line, err := commandLine(start.Argv, false)
	must(t, err)
	const request = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	// The first line of JSON ends it all; tail -f keeps the input open meanwhile.
	line = `printf '%s\n' '` + request + `' >request; tail -n +1 -f request | { ` + line + ` 2>errors; echo ended; } | grep --line-buffered -m1 -e '^{' -e '^ended'; cat errors >&2`
	space, err := full().Open(sandbox.Place{Workspace: workspace, Private: filepath.Join(t.TempDir(), "private"), Home: os.Getenv("HOME"), Read: []string{in.Dir}})
	must(t, err)
	defer space.Close()
	// The shell's pipe would stay open as long as the server does.
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	exit, err := process.Run(ctx, process.Command{Line: line, Dir: workspace, Space: space, Output: func(text string) {
		if strings.Contains(text, "\n") {
			stop()
		}
	}})
	text := exit.Text.Head
	var answer struct {
		ID     int `json:"id"`
		Result struct {
			ServerInfo struct{ Name, Version string }
		}
	}
	first, _, _ := strings.Cut(text, "\n")
	if json.Unmarshal([]byte(first), &answer) != nil || answer.ID != 1 || answer.Result.ServerInfo.Name == "" {
		return "", fmt.Errorf("no answer: %q: %w", text, err)
	}
	return first, nil
}

func TestEXT01_InstallsAreBounded(t *testing.T) {
	if os.Getenv("FAIRLEAD_SOAK") == "" {
		t.Skip("only with FAIRLEAD_SOAK, because it takes minutes")
	}
	many := func(version string, files int) pack {
		p := server(nil)
		p.version = version
		for n := range files {
			p.files[fmt.Sprintf("f%d/%d.js", n/1000, n)] = ""
		}
		return p
	}
	serve(t, many("1.0.0", 100_000), many("2.0.0", mostFiles))
	i, _ := newInstaller(t)
	in, err := i.Install(t.Context(), resolve(t, i, "npx server@1.0.0"), false)
	must(t, err)
	began := time.Now()
	must(t, in.Verify(t.Context()))
	t.Logf("%d files looked at in %s", in.Files, time.Since(began))
	must(t, i.Remove(t.Context(), in.Name))
	_, err = i.Install(t.Context(), resolve(t, i, "npx server@2.0.0"), false)
	refused(t, err, "it takes too much: more than 200000 files")
	nothingCame(t, i)
}

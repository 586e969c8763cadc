package shell_test

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
)

// served runs each line as a server with a write grant, as it is on a system.
func served(system *sandbox.System) opener {
	return func(t *testing.T, l *lab) runner {
		t.Helper()
		folder, own := l.folder(t), t.TempDir()
		return func(t *testing.T, line string) message.Result {
			t.Helper()
			space, err := system.OpenServer(sandbox.ServerPlace{Access: sandbox.AccessWrite, Place: sandbox.Place{
				Workspace: folder.Path(), Private: filepath.Join(own, "private"), Home: l.home,
				Read: append(sandbox.ToolChains(l.home), l.readable...), Hide: []string{own},
			}})
			must(t, err)
			repositories, after := folder.BeforeCommand(t.Context())
			server, err := process.StartServer(space, process.ServerCommand{
				Program: "/bin/sh", Arguments: []string{"-c", "exec 2>&1\n" + line}, Repositories: repositories,
			})
			must(t, err)
			text, err := io.ReadAll(server.Output)
			must(t, err)
			<-server.Done()
			_ = server.Close() // what an attack has left may not let itself be removed
			after(t.Context())
			exit := server.Exit()
			result := message.Result{Content: message.Text(string(text))}
			if exit.Code != 0 || exit.Err != nil {
				result.Error = &message.ToolError{Code: message.CommandFailed, Message: strings.TrimSpace(fmt.Sprintf("exit code %d %s", exit.Code, exit.Signal))}
			}
			return result
		}
	}
}

// What commands are kept from, servers are too.
func TestEXT01_NothingEscapesFromAServer(t *testing.T) {
	for name, escaped := range escapes(t, served(fully(t))) {
		if escaped && !slices.Contains(flagged, name) {
			t.Errorf("%s escaped", name)
		}
	}
}

// keptAnyway are those that the processes between Fairlead and a server keep from it, although
// nothing confines it: it is no child of Fairlead's, and has no new privileges.
var keptAnyway = []string{"truncate inherited", "write inherited", "read inherited", "environment of Fairlead", "rights"}

// Where nothing confines them, every attack works from a server as well.
func TestEXT01_EveryAttackWorksFromAServerUnconfined(t *testing.T) {
	found := escapes(t, served(inspect(t, sandbox.Without{Namespaces: true, Landlock: true, Seccomp: true})))
	for _, row := range attacks() {
		if escaped, shown := found[row.name]; shown && escaped != (row.kept == "" && !slices.Contains(keptAnyway, row.name)) {
			t.Errorf("%s: escaped %v", row.name, escaped)
		}
	}
	if len(found) < leastShown {
		t.Errorf("%d attacks were carried out, want %d at least", len(found), leastShown)
	}
}

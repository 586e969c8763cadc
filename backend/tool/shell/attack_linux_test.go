package shell_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change/changetest"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"
	"fairlead/backend/tool/tooltest"
	"fairlead/backend/workspace"
)

// attack is one way out of a command, as hostile text could make a model try it.
type attack struct {
	// name is a row's name in this table.
	name string
	// class is what the attack is on.
	class class
	// missing says why the attack cannot be carried out on this machine, empty where
	// it can; nil where it can everywhere.
	missing func() string
	// kept says why the attack fails even where commands are not confined; empty for
	// one that works there.
	kept string
	// prepare makes what the attack is on; may be nil.
	prepare func(t *testing.T, l *lab)
	// line is the command, in which the lab's paths and words are shell variables.
	line string
	// escaped says, from this process, which is not confined, whether the attack had
	// its effect.
	escaped func(t *testing.T, l *lab) bool
}

// class is what attacks are on.
type class string

const (
	// classOutside are attacks that change what lies outside the workspace.
	classOutside class = "outside"
	// classSecret are attacks that read what the user keeps from commands.
	classSecret class = "secret"
	// classProcess are attacks on other processes of the same user.
	classProcess class = "process"
	// classSocket are attacks that ask another program of the user to act.
	classSocket class = "socket"
	// classNetwork are attacks that send something to another computer, or let one in.
	classNetwork class = "network"
	// classGit are attacks that make the user's own git run a program of the command's.
	classGit class = "git"
	// classKernel are attacks on parts of the kernel that no ordinary command wants.
	classKernel class = "kernel"
	// classFlagged are attacks inside the workspace that no confinement keeps from: the
	// user has to be told of them.
	classFlagged class = "flagged"
)

// escapes carries out every attack that this machine knows in the commands of an
// opener. It returns for each by its name whether it escaped. Rows that cannot be
// carried out here are not in the map: they are skipped, with the reason.
//
// It is not to run twice at the same time: some attacks are on this process and the
// files that it has open.
func escapes(t *testing.T, open opener) map[string]bool {
	t.Helper()
	found, skipped := map[string]bool{}, []string{}
	for _, row := range attacks() {
		t.Run(string(row.class)+"/"+row.name, func(t *testing.T) {
			if row.missing != nil {
				if reason := row.missing(); reason != "" {
					skipped = append(skipped, row.name+": "+reason)
					t.Skip(reason)
				}
			}
			found[row.name] = row.carryOut(t, open)
		})
	}
	t.Logf("%d attacks were carried out. Not carried out here:\n%s", len(found), strings.Join(skipped, "\n"))
	return found
}

// carryOut carries the attack out in a lab of its own and reports whether it escaped.
func (a attack) carryOut(t *testing.T, open opener) bool {
	t.Helper()
	l := newLab(t)
	if a.prepare != nil {
		a.prepare(t, l)
	}
	l.result = open(t, l)(t, l.full(a.line))
	l.wantCarriedOut(t)
	escaped := a.escaped(t, l)
	t.Logf("escaped %v: %.300s", escaped, strings.ReplaceAll(l.result.Text(), l.secret, "THE SECRET"))
	return escaped
}

// wantCarriedOut fails the test where the command was not begun, or what it consists
// of is not there: an attack that did not take place proves nothing.
func (l *lab) wantCarriedOut(t *testing.T) {
	t.Helper()
	failure := ""
	if l.result.Error != nil {
		failure = l.result.Error.Message
		if l.result.Error.Code != message.CommandFailed {
			t.Errorf("not carried out: %s", l.result.Text())
		}
	}
	if !strings.HasPrefix(l.result.Content.Text(), "begun\n") || strings.Contains(l.result.Content.Text(), "wrong use") ||
		failure == "exit code 126" || failure == "exit code 127" {
		t.Errorf("not carried out: %s", l.result.Text())
	}
}

// unconfined opens the tool without confinement.
func unconfined(t *testing.T, l *lab) runner {
	t.Helper()
	return l.tool(t, process.JobsOptions{}, shell.Options{Level: always(message.LevelNone)})
}

// tool is the tool in the lab's workspace.
func (l *lab) tool(t *testing.T, jobs process.JobsOptions, options shell.Options) runner {
	t.Helper()
	var err error
	if options.Folder == nil {
		options.Folder = l.folder(t)
	}
	options.Outputs, err = workspace.OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	must(t, err)
	t.Cleanup(func() { _ = options.Outputs.Remove() })
	options.Jobs = process.NewJobs(jobs)
	t.Cleanup(options.Jobs.Close)
	subject := shell.New(options)[0]
	return func(t *testing.T, line string) message.Result {
		t.Helper()
		arguments, err := json.Marshal(map[string]any{"command": line, "network": l.network})
		must(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		return tooltest.Run(ctx, subject, tool.Input{CallID: "call-1", Arguments: arguments})
	}
}

// folder opens the lab's workspace.
func (l *lab) folder(t *testing.T) *workspace.Folder {
	t.Helper()
	folder, err := workspace.Open(l.workspace)
	must(t, err)
	t.Cleanup(func() { folder.Close() })
	changetest.Use(t, folder)
	return folder
}

// leastShown is how many attacks every machine that runs the tests can show.
const leastShown = 60

// Where nothing confines commands, every attack works. It shows that the table says
// something where something does.
func TestSEC02_EveryAttackWorksUnconfined(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("as root some of them would change this machine")
	}
	found := escapes(t, unconfined)
	for _, row := range attacks() {
		escaped, shown := found[row.name]
		if shown && escaped != (row.kept == "") {
			t.Errorf("%s: escaped %v", row.name, escaped)
		}
	}
	if len(found) < leastShown {
		t.Errorf("%d attacks were carried out, want %d at least", len(found), leastShown)
	}
}

// Where the command does nothing, nothing has escaped: a row that says so at all
// times would say nothing.
func TestSEC02_WithoutAnAttackNothingEscapes(t *testing.T) {
	idle := func(*testing.T, *lab) runner {
		return func(*testing.T, string) message.Result {
			return message.Result{Content: message.Text("begun\n"), Error: &message.ToolError{Code: message.CommandFailed, Message: "exit code 1"}}
		}
	}
	for name, escaped := range escapes(t, idle) {
		if escaped {
			t.Errorf("%s: escaped", name)
		}
	}
}

func TestAttacksHaveNamesOfTheirOwn(t *testing.T) {
	var names []string
	for _, row := range attacks() {
		if slices.Contains(names, row.name) || row.class == "" || row.line == "" || row.escaped == nil {
			t.Errorf("%q is there twice, or is not complete", row.name)
		}
		names = append(names, row.name)
	}
}

// touched reports whether anything outside is another than it was.
func touched(t *testing.T, l *lab) bool {
	t.Helper()
	return changed(t, l.outside, l.before)
}

// changed reports whether a folder is another than it was.
func changed(t *testing.T, folder string, before map[string]string) bool {
	t.Helper()
	difference := cmp.Diff(before, describeState(t, folder))
	if difference != "" {
		t.Logf("%s changed: %s", folder, difference)
	}
	return difference != ""
}

// printed reports whether the command printed the secret.
func printed(_ *testing.T, l *lab) bool {
	return l.secret != "" && strings.Contains(l.result.Content.Text(), l.secret)
}

// worked reports whether the command ended with success. It judges what cannot be seen
// from outside: that the kernel served a call inside the command.
func worked(_ *testing.T, l *lab) bool { return l.result.Success() }

// holds returns the judge that reports whether the file of a path below the home holds
// the lab's mark.
func holds(path string) func(*testing.T, *lab) bool {
	return func(_ *testing.T, l *lab) bool {
		text, err := os.ReadFile(filepath.Join(l.home, path))
		return err == nil && strings.Contains(string(text), l.mark)
	}
}

// needs returns the check that the programs are there.
func needs(programs ...string) func() string {
	return func() string {
		for _, program := range programs {
			if _, err := exec.LookPath(program); err != nil {
				return program + " is not installed"
			}
		}
		return ""
	}
}

// serves returns the check that the kernel serves an attack to an ordinary user who
// is not confined.
func serves(arguments ...string) func() string {
	return func() string {
		cmd := exec.Command(sandboxtest.Program("attack"), arguments...)
		output, _ := cmd.CombinedOutput() // the code says how it ended
		if cmd.ProcessState.ExitCode() == 1 {
			return "the kernel here serves this to no ordinary user: " + strings.TrimSpace(string(output))
		}
		return ""
	}
}

//go:build e2e && linux

package native

import (
	"bytes"
	"strings"
	"syscall"
	"testing"

	"fairlead/backend/settings"
)

// keyed returns a place whose model wants the canary key, and the environment to
// start the program in.
type keyed func(t *testing.T, script string) (*place, []string)

// byEnvironment has the key in a variable that the settings file names.
func byEnvironment(t *testing.T, script string) (*place, []string) {
	p := emptyPlace(t, script)
	p.model.Key = canary
	p.configure(`base_url = "`+p.model.url+`"`, `model = "scripted"`, `api_key_env = "MODEL_KEY"`, `log_level = "debug"`, `attempts = 1`)
	p.remember(settings.State{Workspace: p.workspace, Recent: []string{p.workspace}})
	return p, []string{"MODEL_KEY=" + canary}
}

// byKeyring has the key in the keyring.
func byKeyring(t *testing.T, script string) (*place, []string) {
	p := emptyPlace(t, script)
	p.model.Key = canary
	p.secure()
	p.configure(`log_level = "debug"`, `attempts = 1`)
	keep(t, canary)
	p.remember(settings.State{
		Workspace: p.workspace, Recent: []string{p.workspace}, Model: settings.ModelChoice{BaseURL: p.model.url, Model: "scripted"},
	})
	return p, nil
}

// eachSource runs a test with a key from either source.
func eachSource(t *testing.T, test func(*testing.T, keyed)) {
	for name, source := range map[string]keyed{"environment": byEnvironment, "keyring": byKeyring} {
		t.Run(name, func(t *testing.T) { test(t, source) })
	}
}

// noKeyInProcesses looks at what every process of the program can be asked for by
// others. The program itself was given the key in its environment by the user.
func (w *window) noKeyInProcesses() {
	w.t.Helper()
	for _, one := range processes(w.root) {
		if bytes.Contains(one.arguments, []byte(canary)) {
			w.t.Errorf("the key is in the arguments of %s", one)
		}
		if one.pid != w.cmd.Process.Pid && bytes.Contains(one.environment, []byte(canary)) {
			w.t.Errorf("the key is in the environment of %s", one)
		}
	}
}

// noKeyLeft looks at all that a run leaves behind.
func (w *window) noKeyLeft() {
	w.t.Helper()
	if found := w.filesWith(canary); len(found) > 0 {
		w.t.Errorf("the key is in %q", found)
	}
	if bytes.Contains(w.output.Bytes(), []byte(canary)) {
		w.t.Errorf("the key is in the output: %s", w.output)
	}
	for i, request := range w.model.Requests() {
		if bytes.Contains(request.Body, []byte(canary)) {
			w.t.Errorf("request %d tells the model the key", i+1)
		}
	}
}

// spy is a command that shows all that it can find out, and waits.
const spy = "env; cat /proc/self/environ /proc/$PPID/environ | tr '\\\\000' '\\\\n'; tr '\\\\000' ' ' </proc/$PPID/cmdline; while [ ! -e go ]; do sleep 0.05; done"

func TestSEC01_TheKeyIsNowhere(t *testing.T) {
	eachSource(t, func(t *testing.T, source keyed) {
		p, env := source(t, `
call c1 write_file {"path":"a.txt","content":"x"}
call c2 shell {"command":"`+spy+`"}
---
text The end.
`)
		w := p.open(env...)
		w.ask("look around")
		question := w.dialog(changeTitle)
		w.noKeyInProcesses()
		question.press(approve)
		question.gone()
		w.dialog(runTitle)
		w.press("confirm.approve")
		eventually(t, "the command waits", patience, func() bool { return len(p.sleepers()) > 0 })
		w.noKeyInProcesses()
		p.write("go", "")
		w.sees("The end.")
		// The command has found its own environment, and nothing of the program's.
		if output := p.model.sent(2); !strings.Contains(output, "TMPDIR=") || strings.Contains(output, "FAIRLEAD_DATA_DIR=") {
			t.Errorf("the command has found %q", output)
		}
		var tree string
		w.seek("tree", query{}, 0, &tree)
		if strings.Contains(tree, canary) {
			t.Error("the key is on the screen")
		}
		w.close()
		w.exits(patience)
		w.noKeyLeft()
	})
}

func TestSEC01_ARefusedKeyIsNotRepeated(t *testing.T) {
	eachSource(t, func(t *testing.T, source keyed) {
		p, env := source(t, `status 401 {"error":{"message":"Incorrect API key provided: `+canary+`.","code":"invalid_api_key"}}`)
		w := p.open(env...)
		w.ask("hello")
		w.sees(p.words.word("ends.codes.AUTH"))
		w.press("ends.details")
		w.sees("Incorrect API key provided")
		if w.has(query{Has: canary}) {
			t.Error("the key is on the screen")
		}
		w.close()
		w.exits(patience)
		w.noKeyLeft()
	})
}

// allowDumps lets the system write the memory of a program that crashes into a
// file, as it does where people look for faults.
func allowDumps(t *testing.T) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_CORE, &before); err != nil {
		t.Fatal(err)
	}
	allowed := syscall.Rlimit{Cur: before.Max, Max: before.Max}
	if err := syscall.Setrlimit(syscall.RLIMIT_CORE, &allowed); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_CORE, &before); err != nil {
			t.Error(err)
		}
	})
}

func TestSEC01_ACrashLeavesNoKey(t *testing.T) {
	eachSource(t, func(t *testing.T, source keyed) {
		p, env := source(t, `
call c1 shell {"command":"`+spy+`"}
---
text done
`)
		allowDumps(t)
		w := p.open(env...)
		w.ask("look around")
		w.dialog(runTitle)
		w.press("confirm.approve")
		eventually(t, "the command waits", patience, func() bool { return len(p.sleepers()) > 0 })
		p.must(w.cmd.Process.Signal(syscall.SIGABRT))
		<-w.ended
		status, _ := w.cmd.ProcessState.Sys().(syscall.WaitStatus) // it is one on Linux
		if w.cmd.ProcessState.Success() || status.CoreDump() {
			t.Errorf("the program did not just crash: %v", w.cmd.ProcessState)
		}
		p.write("go", "") // the command would wait for it
		p.empty()
		w.noKeyLeft()
	})
}

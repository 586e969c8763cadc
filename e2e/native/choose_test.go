//go:build e2e && linux

package native

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fairlead/backend/settings"
)

func TestWS01_AFolderIsChosenInTheNativeDialog(t *testing.T) {
	p := emptyPlace(t, "")
	before := filepath.Join(p.root, "before")
	p.must(os.Mkdir(before, 0o700))
	p.remember(settings.State{Recent: []string{before}, Model: settings.ModelChoice{BaseURL: p.model.url, Model: "scripted"}})
	w := p.start()
	w.press("shell.folder.choose")
	w.find(query{Role: "file chooser", Name: folderTitle})
	w.keys("ctrl+l")
	w.types(p.workspace)
	w.find(query{Role: "text", Has: p.workspace, States: []string{"focused"}})
	w.keys("Return")
	w.gone(query{Role: "file chooser"})
	header := query{Has: p.words.word("shell.folder.label", "name", filepath.Base(p.workspace))}
	w.press("welcome.start")
	w.find(header)
	w.close()
	w.exits(patience)

	w = p.open()
	w.find(header)
	w.push(query{Role: "combo box", Name: header.Has})
	recent := query{Role: "landmark", Name: p.words.word("shell.folder.recent")}
	w.push(query{Role: "button", Has: filepath.Base(before), Within: &recent})
	w.find(query{Has: p.words.word("shell.folder.label", "name", filepath.Base(before))})
}

func TestWS02_AnotherFolderIsChosenWhenTheOpenOneIsGone(t *testing.T) {
	p := newPlace(t, "")
	w := p.open()
	p.must(os.Remove(p.workspace))
	w.sees(p.words.word("shell.folder.gone"))
	w.push(query{Role: "combo box", Name: p.words.word("shell.folder.label", "name", filepath.Base(p.workspace))})
	w.press("shell.folder.choose")
	w.find(query{Role: "file chooser", Name: folderTitle})
	// A signal ends the program with the dialog open.
	w.must(w.cmd.Process.Signal(syscall.SIGTERM))
	w.exits(patience)
}

// account is what a key for the model at a provider's address is kept under.
const account = "example.com:443@example.com:443"

// keyring runs a command of secret-tool on a key of that account.
func keyring(command string, options ...string) *exec.Cmd {
	return exec.Command("secret-tool", append(append([]string{command}, options...), "service", "fairlead", "username", account)...)
}

// keep puts a key into the system's keyring until the test ends.
func keep(t *testing.T, key string) {
	t.Helper()
	store := keyring("store", "--label=Fairlead")
	store.Stdin = strings.NewReader(key)
	if output, err := store.CombinedOutput(); err != nil {
		t.Fatalf("store the key: %v: %s", err, output)
	}
	forget(t)
}

// forget takes the key out of the system's keyring when the test ends.
func forget(t *testing.T) {
	t.Cleanup(func() {
		if output, err := keyring("clear").CombinedOutput(); err != nil {
			t.Errorf("clear the key: %v: %s", err, output)
		}
	})
}

// giveModel fills in the address and the name of the model and a key, and has it
// tested.
func (w *window) giveModel(key string) {
	w.t.Helper()
	w.enter(query{Role: "combo box", Name: w.words.word("welcome.model.provider")}, w.words.word("welcome.model.elsewhere"))
	w.keys("Return")
	w.enter(query{Role: "entry", Name: w.words.word("welcome.model.address")}, w.model.url)
	w.enter(query{Role: "password text", Name: w.words.word("welcome.model.key")}, key)
	w.press("welcome.model.test")
	w.find(query{Has: "1 model"})
	w.enter(query{Role: "combo box", Name: w.words.word("welcome.model.name")}, "scripted")
}

func TestSEC01_AKeyIsKeptInTheKeyring(t *testing.T) {
	p := emptyPlace(t, "text I see.\n---\ntext Me too.")
	p.model.Key = canary
	p.secure()
	forget(t)
	p.remember(settings.State{Workspace: p.workspace, Recent: []string{p.workspace}})
	w := p.start()
	w.giveModel(canary)
	w.press("welcome.start")
	// SEC-07: an address of one's own is agreed to in a dialog.
	question := w.dialog(settingTitle)
	if !question.has(query{Role: "text", Has: p.model.url}) {
		t.Error("the dialog does not show the address")
	}
	question.press("Save")
	question.gone()
	w.find(query{Role: "entry", Name: p.words.word("shell.composer.label")})
	if kept, err := keyring("lookup").Output(); string(kept) != canary {
		t.Errorf("the keyring holds %q, %v", kept, err)
	}
	if found := p.filesWith(canary); len(found) > 0 {
		t.Errorf("the key is in %q", found)
	}
	w.ask("hello")
	w.sees("I see.")
	w.close()
	w.exits(patience)

	// It is still there at the next start.
	w = p.open()
	w.ask("hello again")
	w.sees("Me too.")
	w.close()
	w.exits(patience)
	if found := p.filesWith(canary); len(found) > 0 {
		t.Errorf("the key is in %q", found)
	}
}

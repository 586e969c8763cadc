//go:build e2e

package native

import (
	"os/exec"
	"path/filepath"
	"testing"

	"fairlead/backend/settings"
)

func TestWS01_AFolderIsChosenInTheNativeDialog(t *testing.T) {
	p := emptyPlace(t, "")
	p.remember(settings.State{Model: settings.ModelChoice{BaseURL: p.model.url, Model: "scripted"}})
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
	w.push(header)
	w.sees(p.words.word("shell.folder.recent"))
	w.find(query{Has: p.workspace})
}

// secret is the key that the system's keyring holds for an account.
func secret(account string) string {
	output, err := exec.Command("secret-tool", "lookup", "service", "fairlead", "username", account).Output()
	if err != nil {
		return "" // there is none
	}
	return string(output)
}

// giveModel fills in the address and the name of the model and a key, and has it
// tested.
func (w *window) giveModel(key string) {
	w.t.Helper()
	w.seek("focus", query{Role: "combo box", Name: w.words.word("welcome.model.provider")}, patience, nil)
	w.activate()
	elsewhere := w.words.word("welcome.model.elsewhere")
	w.types(elsewhere)
	w.find(query{Role: "menu item", Name: elsewhere, States: []string{"selected"}})
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
	p.remember(settings.State{Workspace: p.workspace, Recent: []string{p.workspace}})
	w := p.start()
	w.giveModel(canary)
	w.press("welcome.start")
	w.find(query{Role: "entry", Name: p.words.word("shell.composer.label")})
	const account = "example.com:443@example.com:443"
	if got := secret(account); got != canary {
		t.Errorf("the keyring holds %q", got)
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

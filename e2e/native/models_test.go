//go:build e2e && linux

package native

import (
	"testing"

	"fairlead/backend/settings"
)

// TestUI06_ModelsTakeTheMiddleOfTheWindow opens the models by the settings and tests
// the one that is chosen. Esc brings the conversation back.
func TestUI06_ModelsTakeTheMiddleOfTheWindow(t *testing.T) {
	p := emptyPlace(t, "call c1 ping {}")
	p.configure(`base_url = "`+p.model.url+`"`, `model = "scripted"`)
	p.remember(settings.State{Workspace: p.workspace, Recent: []string{p.workspace}})
	w := p.start()
	w.push(query{Role: "toggle button", Name: w.words.word("shell.settings.panel")})
	title := query{Role: "heading", Name: w.words.word("settings.sections.models")}
	w.find(title)
	w.press("welcome.model.test")
	w.find(query{Has: "scripted"})
	w.find(query{Has: "1 model"})
	w.activate()
	w.keys("Escape")
	w.gone(title)
	w.find(query{Role: "entry", Name: w.words.word("shell.composer.label")})
	w.close()
	w.exits(patience)
}

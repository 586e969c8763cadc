//go:build e2e && linux

package native

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/settings"
)

// TestPictures takes the README's pictures of the real window, in both themes, in
// the middle of the guided tour: a change waits for a yes. It is asked for with the
// folder to put them into.
func TestPictures(t *testing.T) {
	into := os.Getenv("FAIRLEAD_PICTURES")
	if into == "" {
		t.Skip("FAIRLEAD_PICTURES names no folder")
	}
	for _, theme := range []string{"light", "dark"} {
		t.Run(theme, func(t *testing.T) {
			p := emptyPlace(t, "")
			p.remember(settings.State{Theme: theme, Window: settings.Place{X: 20, Y: 20, Width: 1180, Height: 800}})
			w := p.start()
			w.press("welcome.tour.start")
			change := w.dialog(changeTitle)
			change.press(inWindow)
			change.gone()
			w.activate()
			w.find(query{Role: "button", Name: w.words.word("confirm.approve"), States: []string{"enabled"}})
			w.picture(filepath.Join(into, "window-"+theme+".png"))
		})
	}
}

// picture writes a picture of the window into a file.
func (w *window) picture(file string) {
	w.t.Helper()
	run(w.t, "import", "-window", w.handle(), "-strip", file)
}

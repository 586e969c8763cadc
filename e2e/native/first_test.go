//go:build e2e && linux

package native

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUI06_TheGuidedTourNeedsNothing(t *testing.T) {
	p := emptyPlace(t, "")
	w := p.start()
	w.find(query{Role: "heading", Name: p.words.word("welcome.title")})
	w.press("welcome.tour.start")

	change := w.dialog(changeTitle)
	budget := func() string {
		found, _ := filepath.Glob(filepath.Join(p.temporary, "fairlead-tour-*", "budget.csv")) // the pattern is well formed
		if len(found) != 1 {
			t.Fatalf("there is not one budget.csv: %q", found)
		}
		text, err := os.ReadFile(found[0])
		p.must(err)
		return string(text)
	}
	before := budget()
	if !strings.Contains(before, "paper,20,4,60") {
		t.Fatalf("budget.csv is changed before anybody was asked: %s", before)
	}
	change.press(approve)
	change.gone()

	run := w.dialog(runTitle)
	want := strings.NewReplacer("paper,20,4,60", "paper,20,4,80", "total,,,450", "total,,,470").Replace(before)
	if got := budget(); got != want {
		t.Errorf("budget.csv is %q, not %q", got, want)
	}
	run.press(approve)
	run.gone()
	w.sees(p.words.word("ends.done"))
	w.sees("the check passes")

	if state := p.remembered(); state.Workspace != "" || len(state.Recent) > 0 || state.Model.Model != "" {
		t.Errorf("the tour is remembered: %+v", state)
	}
	if asked := len(p.model.Requests()); asked > 0 {
		t.Errorf("a model was asked %d times", asked)
	}
}

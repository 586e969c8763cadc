package session_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"fairlead/backend/message"
)

// transcripts are the scenarios that the documentation shows, one for each end.
var transcripts = []struct {
	reason   message.Reason
	scenario string
}{
	{message.ReasonCompleted, "plain-question"},
	{message.ReasonMaxSteps, "max-steps"},
	{message.ReasonTimeout, "model-hangs"},
	{message.ReasonBudget, "budget-halt"},
	{message.ReasonDoomLoop, "doom-nobody"},
	{message.ReasonCancelled, "cancel-while-streaming"},
	{message.ReasonInterrupted, "interrupt-with-a-reply"},
	{message.ReasonRejected, "reject-with-stop"},
	{message.ReasonContextOverflow, "context-overflow"},
	{message.ReasonFiltered, "filtered"},
	{message.ReasonError, "refused-key"},
}

// TestLOOP09_TheDocumentationHasATranscriptOfEachEnd compares docs/events.md with what
// runs say; -update writes it anew.
func TestLOOP09_TheDocumentationHasATranscriptOfEachEnd(t *testing.T) {
	var section strings.Builder
	for _, end := range transcripts {
		fmt.Fprintf(&section, "\n### %s\n\n```json\n%s```\n", end.reason, transcript(t, end.scenario, end.reason))
	}
	page := filepath.Join("..", "..", "docs", "events.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const heading = "## A transcript of each end\n"
	before, after, found := strings.Cut(string(text), heading)
	intro, _, there := strings.Cut(after, "\n### ")
	if !found || !there && !*update {
		t.Fatalf("%s has no section %q", page, strings.TrimSpace(heading))
	}
	want := before + heading + strings.TrimRight(intro, "\n") + "\n" + section.String()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s shows other transcripts than runs have: go test ./backend/session -run LOOP09 -update", page)
	}
}

// transcript is every event of a scenario's first run, a line each.
func transcript(t *testing.T, name string, reason message.Reason) string {
	t.Helper()
	s := load(t, name)
	var out strings.Builder
	synctest.Test(t, func(t *testing.T) {
		stage := newStage(t, s)
		defer stage.close()
		run, err := stage.session.BeginRun(stage.prompt)
		if err != nil {
			t.Fatal(err)
		}
		user := newUser(t, stage, s.files["user"])
		all := watch(t, run, user)
		if got := run.Wait().Reason; got != reason {
			t.Fatalf("%s ends %s, not %s", name, got, reason)
		}
		for _, e := range inCallOrder(merged(all)) {
			line, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%s\n", line)
		}
	})
	return out.String()
}

//go:build !race

package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/event"
)

// TestREL06_AnotherProcessShowsTheModelTheSame goes on with conversations here, and after
// they were loaded: small ones, long ones, pruned ones and such that were summed up.
func TestREL06_AnotherProcessShowsTheModelTheSame(t *testing.T) {
	reply := "text A reply" + strings.Repeat(" that goes on", 250) + ".\n---\n"
	for name, test := range map[string]struct{ rounds, prompts, window int }{
		"small": {2, 1, 0}, "long": {8, 1, 0}, "pruned": {40, 1, 0}, "summed up": {0, 20, 12_000}, "pruned and summed up": {5, 20, 12_000},
	} {
		t.Run(name, func(t *testing.T) {
			var script strings.Builder
			for i := range test.rounds {
				fmt.Fprintf(&script, "call c%d shell {\"command\":\"big 200 %d\"}\n---\n", i, i)
			}
			// Summaries are asked for in between: whatever is asked gets the next reply.
			script.WriteString(strings.Repeat(reply, 50))
			s, saved := offstage(t), openStore(t)
			conversation, server := s.resume(saved, script.String(), test.window, false)
			modes := map[event.Compaction]bool{}
			for range test.prompts {
				for _, e := range say(t, conversation, "Go on.") {
					if compacted, ok := e.Data.(event.ContextCompacted); ok {
						modes[compacted.Mode] = true
					}
				}
			}
			if modes[event.Prune] != strings.HasPrefix(name, "pruned") || modes[event.Compact] != strings.HasSuffix(name, "summed up") {
				t.Fatalf("compacted: %v", modes)
			}
			loaded, after := s.resume(saved, strings.Repeat(reply, 10), test.window, true)
			before := len(server.Requests())
			say(t, loaded, "And now?")
			say(t, conversation, "And now?")
			want, got := server.Requests()[before:], after.Requests()
			if len(want) != len(got) {
				t.Fatalf("%d requests here, %d after it was loaded", len(want), len(got))
			}
			for i := range want {
				if diff := cmp.Diff(sent(t, want[i]), sent(t, got[i])); diff != "" {
					t.Errorf("request %d (- here, + after it was loaded):\n%s", i, diff)
				}
			}
		})
	}
}

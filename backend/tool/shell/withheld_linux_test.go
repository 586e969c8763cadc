package shell_test

import (
	"strings"
	"testing"

	"fairlead/backend/tool/shell"
)

// TestPRE10_KeysInAnOutputAreHidden has commands print a key, those that nobody was asked about and
// others.
func TestPRE10_KeysInAnOutputAreHidden(t *testing.T) {
	const (
		key  = "ghp_1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R"
		line = `printf 'before\ntoken ghp_%s\nafter\n' 1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R`
	)
	for name, unasked := range map[string]bool{"asked": false, "not asked": true} {
		t.Run(name, func(t *testing.T) {
			b, _, _ := openCopied(t)
			b.ShowFirst = func() bool { return unasked }
			for _, subject := range shell.New(b.Options) {
				b.tools[subject.Definition().Name] = subject
			}
			outcome := b.try(t, line)
			text := outcome.Result.Content.Text()
			if hidden := !strings.Contains(text, key); hidden != unasked || (outcome.Withheld != nil) != unasked {
				t.Fatalf("printed %q, withheld %+v", text, outcome.Withheld)
			}
			if !unasked {
				return
			}
			preview := outcome.Withheld.Preview
			if preview.Keys != 1 || strings.Contains(preview.Output, key) || !strings.HasPrefix(preview.Output, "token [secret hidden") || strings.Contains(preview.Output, "\n") {
				t.Errorf("shown to the user: %+v", preview)
			}
			if whole := outcome.Withheld.Release(outcome.Result).Content.Text(); !strings.Contains(whole, "token "+key+"\nafter") {
				t.Errorf("released: %q", whole)
			}
			if outcome := b.try(t, "echo nothing"); outcome.Withheld != nil {
				t.Errorf("withheld: %+v", outcome.Withheld)
			}
		})
	}
}

package memory_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"fairlead/backend/memory"
)

const leftOut = "(older notes are left out)\n"

func TestEXT06_ThePromptHasTheNewestWholeEntriesThatFit(t *testing.T) {
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "- 2026-11-29: entry %02d %s\n", i, strings.Repeat("é", 40))
	}
	all := strings.TrimSpace(many.String())
	got := memory.Notes{Text: many.String()}.Prompt()
	head, rest, _ := strings.Cut(got, "\n")
	switch {
	case len(got) > 4096 || len(got) < 4096-110:
		t.Errorf("%d bytes", len(got))
	case head+"\n" != leftOut:
		t.Errorf("it begins with %q", head)
	case !strings.HasSuffix(all, "\n"+rest) || !strings.HasPrefix(rest, "- 2026-11-29: entry "):
		t.Errorf("it has no whole entries: %.60q", rest)
	}
	exact := strings.Repeat("x", 4095) + "\ny"
	for name, test := range map[string]struct{ text, want string }{
		"nothing":              {"", ""},
		"spaces":               {" \n\n", ""},
		"all":                  {"\n- one\n- two\n", "- one\n- two"},
		"just all":             {strings.Repeat("x", 4096) + "\n", strings.Repeat("x", 4096)},
		"one byte more":        {exact, leftOut + "y"},
		"what is indented":     {strings.Repeat("x", 5000) + "\n- one\n\n  more of it\n\teven more\n- two", leftOut + "- one\n\n  more of it\n\teven more\n- two"},
		"a last one too large": {"- one\n" + strings.Repeat("x", 4096), strings.TrimSpace(leftOut)},
		"a line with no end":   {strings.Repeat("x", 5000), strings.TrimSpace(leftOut)},
	} {
		if got := (memory.Notes{Text: test.text}).Prompt(); got != test.want {
			t.Errorf("%s: %.80q", name, got)
		}
	}
}

// FuzzPrompt checks that what goes into the prompt is within its bounds, whatever was written into the
// file with an editor.
func FuzzPrompt(f *testing.F) {
	f.Add("- 2026-11-29: one\n", 1)
	f.Add("\n \n\t\r\n", 3000)
	f.Add("a\n  b\n", 2000)
	f.Add("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n", 100)
	f.Fuzz(func(t *testing.T, text string, times int) {
		if !utf8.ValidString(text) || times < 1 || times*len(text) > 64<<10 {
			t.Skip("the file is refused, or large")
		}
		text = strings.Repeat(text, times)
		got := memory.Notes{Text: text}.Prompt()
		if len(got) > memory.MaxPrompt || !utf8.ValidString(got) || got != strings.TrimSpace(got) {
			t.Errorf("%d bytes: %.80q", len(got), got)
		}
	})
}

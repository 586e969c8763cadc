package skill_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fairlead/backend/llm/tokens"
	"fairlead/backend/skill"
)

func TestEXT04_Catalogue(t *testing.T) {
	got := skill.Catalogue([]skill.Skill{
		{Name: "b", Description: "Two\nlines\x1b[2J \u202eand\ttabs"},
		{Name: "a", Description: "A key: ghp_" + strings.Repeat("aB3dE6gH9k", 4)},
	})
	_, list, _ := strings.Cut(got, "\n")
	if want := "- a: A key: [secret hidden: 44 characters]\n" + `- b: Two lines\u{1b}[2J \u{202e}and tabs`; list != want {
		t.Errorf("got %q, want %q", list, want)
	}
	if got := skill.Catalogue(nil); got != "" {
		t.Errorf("without skills: %q", got)
	}
}

func TestEXT04_TheCatalogueIsBounded(t *testing.T) {
	for _, test := range []struct {
		count int
		name  string
		all   bool
	}{{1, "a", true}, {20, "a", true}, {100, "a", true}, {100, strings.Repeat("n", 60), false}, {200, strings.Repeat("n", 60), false}} {
		for _, word := range []string{"describes what it is for ", "说明它的用途", "\u202e"} {
			var skills []skill.Skill
			for i := range test.count {
				skills = append(skills, skill.Skill{Name: fmt.Sprintf("%s-%03d", test.name, i), Description: strings.Repeat(word, 1024/utf8.RuneCountInString(word))})
			}
			got := skill.Catalogue(skills)
			slices.Reverse(skills)
			if again := skill.Catalogue(skills); again != got {
				t.Errorf("in another order it is %q", again)
			}
			lines := strings.Split(got, "\n")
			if len(got) > 8<<10 || !utf8.ValidString(got) || (len(lines) == test.count+1) != test.all {
				t.Errorf("%d skills: %d bytes, %d lines, the last %q", test.count, len(got), len(lines), lines[len(lines)-1])
			}
			if left := test.count - len(lines) + 2; !test.all && lines[len(lines)-1] != fmt.Sprintf("- and %d more, which the user can name", left) {
				t.Errorf("%d skills, %d of them not in it, but it ends in %q", test.count, left, lines[len(lines)-1])
			}
			for _, line := range lines[1:] {
				if n := tokens.Count(line); n > 110 && word != "\u202e" {
					t.Errorf("%d tokens: %s", n, line)
				}
			}
			t.Logf("%3d %.8q: %d bytes, %d tokens, first %d", test.count, word, len(got), tokens.Count(got), tokens.Count(lines[1]))
		}
	}
}

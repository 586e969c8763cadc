package file

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// FuzzEdit compares an edit with the plain expectation: a text that occurs once
// is replaced there and nowhere else, and a failed edit returns nothing.
func FuzzEdit(f *testing.F) {
	f.Add("a\nb\nc\n", "b", "x", false)
	f.Add("\tif x {\n\t\ty()\n", "  if x {\n    y()", "z\n", false)
	f.Add("aaa", "aa", "b", true)
	f.Add("a\r\nb", "a\nb", "\xff", false)
	f.Add("\n\n", "\n", "", false)
	f.Fuzz(func(t *testing.T, text, old, replacement string, all bool) {
		got, corrected, err := edit{Old: old, New: replacement, All: all}.apply(t.Context(), text)
		if err != nil && (got != "" || corrected) {
			t.Fatalf("failed with %v, but returned %q", err, got)
		}
		if old == "" || old == replacement || strings.Contains(old+replacement, "\r\n") {
			return
		}
		first, last := strings.Index(text, old), strings.LastIndex(text, old)
		var want string
		switch {
		case first < 0:
			return
		case all:
			want = strings.ReplaceAll(text, old, replacement)
		case first != last:
			if err == nil {
				t.Fatalf("%q occurs more than once in %q and was replaced", old, text)
			}
			return
		default:
			want = text[:first] + replacement + text[first+len(old):]
		}
		if err != nil || got != want || corrected {
			t.Fatalf("%q, %v, %v; want %q", got, corrected, err, want)
		}
	})
}

// FuzzRuns compares the search with one that tries every place.
func FuzzRuns(f *testing.F) {
	f.Add("aabaabaaab", "aabaa")
	f.Add("aaaa", "aa")
	f.Add("abc", "abcd")
	f.Add("ababcababd", "ababd")
	f.Fuzz(func(t *testing.T, text, old string) {
		lines, wanted := strings.Split(text, ""), strings.Split(old, "")
		if len(wanted) == 0 {
			return
		}
		var want []int
		for i := 0; i+len(wanted) <= len(lines); i++ {
			if slices.Equal(lines[i:i+len(wanted)], wanted) {
				want = append(want, i)
			}
		}
		if got, err := findRuns(t.Context(), lines, wanted); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, %v; want %v", got, err, want)
		}
	})
}

func TestASearchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := findRuns(ctx, []string{"a"}, []string{"b"}); !errors.Is(err, context.Canceled) {
		t.Errorf("runs = %v", err)
	}
}

package change

import (
	"fmt"
	"strings"
	"testing"
)

// patched applies the hunks of a unified diff. It fails on whatever does not fit.
func patched(t *testing.T, before, hunks string) string {
	t.Helper()
	lines := strings.SplitAfter(before, "\n")
	var after strings.Builder
	at, left, right := 0, 0, 0
	last := byte(0)
	for line := range strings.Lines(hunks) {
		switch mark := line[0]; mark {
		case '@':
			var from, to int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@\n", &from, &left, &to, &right); err != nil {
				t.Fatalf("header %q: %v", line, err)
			}
			after.WriteString(strings.Join(lines[at:from-1], ""))
			at = from - 1
			if got := strings.Count(after.String(), "\n") + 1; got != to {
				t.Fatalf("header %q: line %d of the new text", line, got)
			}
		case '\\':
			if last != '-' {
				text := strings.TrimSuffix(after.String(), "\n")
				after.Reset()
				after.WriteString(text)
			}
		default:
			if mark != '+' {
				if at >= len(lines) || strings.TrimSuffix(lines[at], "\n") != strings.TrimSuffix(line[1:], "\n") {
					t.Fatalf("line %q does not fit", line)
				}
				at++
				left--
			}
			if mark != '-' {
				after.WriteString(line[1:])
				right--
			}
		}
		last = line[0]
	}
	if left != 0 || right != 0 {
		t.Fatalf("the last header is wrong by %d and %d lines:\n%s", left, right, hunks)
	}
	return after.String() + strings.Join(lines[at:], "")
}

func FuzzOneHunk(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n")
	f.Add("", "a\nb")
	f.Add("a\nb", "")
	f.Add("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n")
	f.Add("a\na\na", "a\na\na\n")
	f.Add("xb\nc\n", "yb\nc\n")
	f.Add("b\nc", "a\nb\nc")
	f.Fuzz(func(t *testing.T, before, after string) {
		if got := patched(t, before, oneHunk(before, after)); got != after {
			t.Fatalf("%q with\n%s\nis %q, want %q", before, oneHunk(before, after), got, after)
		}
		if got := patched(t, before, unifiedHunks(before, after)); got != after {
			t.Fatalf("%q with\n%s\nis %q, want %q", before, unifiedHunks(before, after), got, after)
		}
	})
}

func TestOneHunkHasContext(t *testing.T) {
	got := oneHunk("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n")
	if want := "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

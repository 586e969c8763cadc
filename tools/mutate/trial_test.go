package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// module writes a small module and returns its folder.
func module(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{
		"go.mod":  "module sample\n\ngo 1.26\n",
		"sum.go":  "package sample\n\nfunc sum(a, b int) int { return a + b }\n\nfunc unseen() int { return 1 }\n",
		"loop.go": "package sample\n\nfunc rounds() (n int) {\n\tfor range 3 {\n\t\tn++\n\t}\n\treturn n\n}\n",
		"sum_test.go": "package sample\n\nimport \"testing\"\n\n" +
			"func TestSum(t *testing.T) {\n\tif sum(1, 2) != 3 {\n\t\tt.Fail()\n\t}\n}\n\n" +
			"func TestRounds(t *testing.T) {\n\tif rounds() != 3 {\n\t\tpanic(\"wrong\")\n\t}\n\t_ = unseen()\n}\n\n" +
			"func TestWrong(t *testing.T) { t.Fail() }\n",
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestTry(t *testing.T) {
	trial, err := newTrial(module(t), "2s")
	if err != nil {
		t.Fatal(err)
	}
	defer trial.close()
	tests := []struct {
		name   string
		b      Break
		want   verdict
		detail string
	}{
		{"a failing test", Break{File: "sum.go", Old: "a + b", New: "a - b", Run: "TestSum"}, caughtBreak, "TestSum"},
		{"a panic", Break{File: "loop.go", Old: "range 3", New: "range 4", Run: "TestRounds"}, caughtBreak, "TestRounds"},
		{"a hang", Break{File: "loop.go", Old: "range 3", New: "", Run: "TestRounds"}, caughtBreak, "hang or crash"},
		{"nobody looks", Break{File: "sum.go", Old: "return 1", New: "return 2", Run: "TestSum"}, survivedBreak, "passes"},
		{"no such test", Break{File: "sum.go", Old: "a + b", New: "a - b", Run: "TestNone"}, survivedBreak, "passes"},
		{"a compile error", Break{File: "sum.go", Old: "a + b", New: "a + c", Run: "TestSum"}, brokenEntry, "undefined: c"},
		{"a vet error", Break{File: "sum.go", Old: "return a + b", New: "_ = a == 1 && a == 1; return a + b", Run: "TestSum"}, brokenEntry, "redundant and"},
		{"no such place", Break{File: "sum.go", Old: "a * b", New: "a - b", Run: "TestSum"}, brokenEntry, "0 times"},
		{"no such file", Break{File: "none.go", Old: "a", New: "b", Run: "TestSum"}, brokenEntry, "none.go"},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.b.Package = "."
			got := trial.try(t.Context(), i, tt.b)
			if got.verdict != tt.want || !strings.Contains(got.detail, tt.detail) {
				t.Errorf("got %s, want %s with %q", got, tt.want, tt.detail)
			}
		})
	}
}

func TestBaselineWantsTestsThatPass(t *testing.T) {
	trial, err := newTrial(module(t), "60s")
	if err != nil {
		t.Fatal(err)
	}
	defer trial.close()
	tests := []struct{ run, want string }{
		{"TestSum", ""},
		{"TestWrong", "already fails"},
		{"TestNone", "no test fits"},
	}
	for _, tt := range tests {
		err := trial.baseline(t.Context(), []Break{{Package: ".", Run: tt.run}})
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("-run %s: got %v, want %q", tt.run, err, tt.want)
		}
	}
}

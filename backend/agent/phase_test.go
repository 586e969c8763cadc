package agent

import (
	"bufio"
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// files are the package's own, without tests.
func files(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

func TestThePackageCommentHasTheTableOfPhases(t *testing.T) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "agent.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	written := map[phase][]phase{}
	for line := range strings.Lines(parsed.Doc.Text()) {
		row, isRow := strings.CutPrefix(line, "\t")
		words := strings.Fields(strings.ReplaceAll(row, ",", " "))
		if !isRow || len(words) == 0 {
			continue
		}
		written[phase(words[0])] = []phase{}
		for _, word := range words[1:] {
			written[phase(words[0])] = append(written[phase(words[0])], phase(word))
		}
	}
	if diff := cmp.Diff(next, written); diff != "" {
		t.Errorf("the table of phases (- code, + package comment):\n%s", diff)
	}
}

// isLoop reports whether a file holds a part of the loop itself, and not what it is built
// on: run clock, run control, loop detection, the order of calls, context window.
func isLoop(name string) bool {
	return !slices.ContainsFunc([]string{"clock", "control", "repeat_", "turns", "window"}, func(other string) bool {
		return strings.HasPrefix(name, other)
	})
}

func TestTheLoopCanBeReadInOneSitting(t *testing.T) {
	const mostLines, mostInFile, mostInFunction, mostInStory = 1900, 250, 60, 100
	// The order of steps is the point of these.
	stories := []string{"step", "runCall"}
	total := 0
	for _, name := range files(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for scanner := bufio.NewScanner(bytes.NewReader(text)); scanner.Scan(); lines++ {
		}
		if lines > mostInFile {
			t.Errorf("%s has %d lines, at most %d", name, lines, mostInFile)
		}
		if isLoop(name) {
			total += lines
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok {
				most := mostInFunction
				if slices.Contains(stories, f.Name.Name) {
					most = mostInStory
				}
				if long := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; long > most {
					t.Errorf("%s: %s has %d lines, at most %d", name, f.Name.Name, long, most)
				}
			}
			return true
		})
	}
	if total > mostLines {
		t.Errorf("%d lines, at most %d", total, mostLines)
	}
}

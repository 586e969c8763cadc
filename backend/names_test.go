package backend_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairlead/backend"
)

// otherWords are names of tools that stand for something else, by the file they stand in.
var otherWords = map[string][]string{
	"frontend/src/markdown/highlight.ts": {"shell"}, // a language
	"frontend/src/stores/shell.ts":       {"shell"}, // the frame of the page
}

// TestTOOL08_EntryPointsKnowNoToolByName looks for the names of the built-in tools in the
// code of the page, the command line, which exports too, and the window.
func TestTOOL08_EntryPointsKnowNoToolByName(t *testing.T) {
	named := namesOfTools(t)
	top := filepath.Join("..")
	looked := 0
	for _, folder := range []string{"frontend/src", "backend/cli", "backend/desktop"} {
		err := filepath.WalkDir(filepath.Join(top, folder), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "testing":
				return fs.SkipDir
			case entry.IsDir() || !isSource(entry.Name()):
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			looked++
			shown, _ := filepath.Rel(top, path)
			shown = filepath.ToSlash(shown)
			for i, line := range strings.Split(string(text), "\n") {
				for _, found := range named.FindAllStringSubmatch(line, -1) {
					if name := strings.Join(found[1:], ""); !slices.Contains(otherWords[shown], name) {
						t.Errorf("%s:%d names the tool %s: %s", shown, i+1, name, strings.TrimSpace(line))
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if looked < 200 {
		t.Errorf("looked at %d files only", looked)
	}
}

// namesOfTools finds names of tools: one of several words wherever it stands, any other as
// a text of its own.
func namesOfTools(t *testing.T) *regexp.Regexp {
	t.Helper()
	groups, err := backend.ToolGroups(true)
	if err != nil {
		t.Fatal(err)
	}
	var several, single []string
	for _, group := range groups {
		for _, name := range group.Tools {
			if strings.Contains(name, "_") {
				several = append(several, name)
			} else {
				single = append(single, name)
			}
		}
	}
	return regexp.MustCompile(`\b(` + strings.Join(several, "|") + `)\b|['"` + "`" + `](` + strings.Join(single, "|") + `)['"` + "`" + `]`)
}

// isSource reports whether a file is code that is built, and not a test.
func isSource(name string) bool {
	switch filepath.Ext(name) {
	case ".go":
		return !strings.HasSuffix(name, "_test.go")
	case ".ts":
		return !strings.HasSuffix(name, ".test.ts")
	case ".vue":
		return true
	}
	return false
}

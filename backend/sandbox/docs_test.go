package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every claim of docs/security.md names its test, and the test is there.
func TestClaimsNameTestsThatThereAre(t *testing.T) {
	page, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`Test[A-Z]+[0-9]*_\w+`).FindAllString(string(page), -1)
	if len(named) < 10 {
		t.Fatalf("the page names %d tests", len(named))
	}
	var sources strings.Builder
	for _, folder := range []string{"..", "../../e2e/native"} {
		err = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			sources.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range named {
		if !strings.Contains(sources.String(), "func "+name+"(") {
			t.Errorf("there is no %s", name)
		}
	}
}

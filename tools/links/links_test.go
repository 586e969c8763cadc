// Package links has the check that every link between the documents of the repository
// leads somewhere.
package links

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	// unanchored is what an anchor leaves out of its heading.
	unanchored = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// anchors are those of a document's headings.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		name := unanchored.ReplaceAllString(strings.ToLower(match[1]), "")
		found[strings.ReplaceAll(name, " ", "-")] = true
	}
	return found
}

func TestLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	const root = "../.."
	var documents []string
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("list %s: %v, %v", pattern, found, err)
		}
		documents = append(documents, found...)
	}
	for _, document := range documents {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(string(text), -1) {
			to, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			target := document
			if to != "" {
				target = filepath.Join(filepath.Dir(document), filepath.FromSlash(to))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: link %s: %v", document, match[1], err)
				continue
			}
			if anchor == "" || filepath.Ext(target) != ".md" {
				continue
			}
			linked, err := os.ReadFile(target)
			if err != nil {
				t.Fatal(err)
			}
			if !anchors(string(linked))[anchor] {
				t.Errorf("%s: link %s: there is no such heading", document, match[1])
			}
		}
	}
}

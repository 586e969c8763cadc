package catalog

import (
	"os"
	"strings"
	"testing"
)

// TestTheDocumentationNamesEveryProvider compares the table of docs/providers.md with
// the providers that there are.
func TestTheDocumentationNamesEveryProvider(t *testing.T) {
	page, err := os.ReadFile("../../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(page)) {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(line, "| `"), "` | "); ok && strings.HasPrefix(line, "| `") {
			rows[name] = rest
		}
	}
	for _, p := range known {
		row, named := rows[p.Name]
		delete(rows, p.Name)
		switch {
		case p.Name == Demo:
		case !named:
			t.Errorf("%s is not in the table", p.Name)
		case !strings.Contains(row, p.Title) || !strings.Contains(row, p.KeyEnv):
			t.Errorf("%s, %s, with the key in %s: the table says %s", p.Name, p.Title, p.KeyEnv, row)
		}
	}
	for name := range rows {
		t.Errorf("there is no provider %s", name)
	}
}

package catalog

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/llm"
)

// TestTheDocumentationNamesEveryProvider compares the table of docs/providers.md with
// the providers that there are.
func TestTheDocumentationNamesEveryProvider(t *testing.T) {
	page, err := os.ReadFile("../../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	providers, _, _ := strings.Cut(string(page), "## Protocols")
	for line := range strings.Lines(providers) {
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
		default:
			cells := strings.Split(row, "|")
			got := strings.TrimSpace(cells[len(cells)-2])
			if want := strings.Join(needs(p), ", "); got != want {
				t.Errorf("%s: the table says that it needs %q, and its dialect is %q", p.Name, got, want)
			}
		}
	}
	for name := range rows {
		t.Errorf("there is no provider %s", name)
	}
}

// needs says what a provider needs beyond the protocol, in the words of the table.
func needs(p Provider) []string {
	d := p.Dialect
	var all []string
	add := func(needed bool, words string) {
		if needed {
			all = append(all, words)
		}
	}
	add(d.CallIDs == llm.PlainID, "ids of up to 40 plain characters")
	add(d.CallIDs == llm.NineID, "ids of nine letters and digits")
	add(d.TakeTurns, "user and model take turns")
	add(d.Signatures, "thought signatures back with calls")
	add(d.Echo != llm.EchoNone, "`"+string(d.Echo)+"` back with calls")
	add(d.PlainSchemas, "schemas of few keywords")
	add(d.MaxTokens != "", "`"+d.MaxTokens+"`")
	add(d.Effort != "", "`"+string(d.Effort)+"`")
	for _, name := range slices.Sorted(maps.Keys(p.Body)) {
		add(true, "`"+name+"`")
	}
	add(fixed[p.Name] != nil, "no temperature for models that reason")
	return all
}

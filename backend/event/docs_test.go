package event_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// payloads has one of each type: those of a run, as events of saved runs are read, and
// the news.
var payloads = append(
	event.OfRuns(),
	event.WorkspaceChanged{},
	event.WindowChanged{},
	event.WindowClosing{},
	event.WindowReview{},
	event.SessionsChanged{},
	event.ProcessesChanged{},
	event.ProcessesNoticed{},
	event.JournalUndone{},
	event.JournalRedone{},
)

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "events.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// quoted finds the words between backquotes.
var quoted = regexp.MustCompile("`([^`]+)`")

func words(text string) []string {
	var found []string
	for _, match := range quoted.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}

func TestDocsListEveryEventWithItsFields(t *testing.T) {
	rows := map[string][]string{}
	for line := range strings.Lines(page(t)) {
		if cells := strings.Split(line, "|"); len(cells) == 5 && len(words(cells[1])) == 1 {
			rows[words(cells[1])[0]] = words(cells[2])
		}
	}
	for _, data := range payloads {
		name := string(data.EventType())
		var fields []string
		for i := range reflect.TypeOf(data).NumField() {
			tag, _, _ := strings.Cut(reflect.TypeOf(data).Field(i).Tag.Get("json"), ",")
			fields = append(fields, tag)
		}
		if !slices.Equal(rows[name], fields) {
			t.Errorf("%s: docs say %v, the type has %v", name, rows[name], fields)
		}
	}
}

func TestDocsListTheDetails(t *testing.T) {
	text := page(t)
	for heading, types := range map[string][]reflect.Type{
		"## Results\n":             {reflect.TypeFor[message.ResultData]()},
		"## Details of failures\n": {reflect.TypeFor[message.FailData](), reflect.TypeFor[message.GuardData]()},
	} {
		_, section, _ := strings.Cut(text, heading)
		section, _, _ = strings.Cut(section, "\n## ")
		var want, got []string
		for _, kind := range types {
			for field := range kind.Fields() {
				tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				want = append(want, tag)
			}
		}
		for line := range strings.Lines(section) {
			if cells := strings.Split(line, "|"); len(cells) == 4 {
				got = append(got, words(cells[1])...)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("%s: docs list %v, the types have %v", strings.TrimSpace(heading), got, want)
		}
	}
}

func TestPayloadsAreComplete(t *testing.T) {
	if declared := constants(t, "types.go", "Type"); len(declared) != len(payloads) {
		t.Errorf("%d types are declared, and there are %d payloads: kinds in parse.go lists those of a run, this test the news", len(declared), len(payloads))
	}
}

func TestDocsListEveryCode(t *testing.T) {
	text := page(t)
	failures := text[strings.Index(text, "## Codes of `lifecycle.error`"):strings.Index(text, "## Codes of `tool.result`")]
	results := text[strings.Index(text, "## Codes of `tool.result`"):strings.Index(text, "## In the window")]
	for _, test := range []struct{ section, file, kind string }{
		{failures, "../message/reason.go", "FailCode"},
		{results, "../message/call.go", "ToolCode"},
	} {
		_, list, _ := strings.Cut(test.section, "\n")
		want, got := constants(t, test.file, test.kind), words(list)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("%s: docs say %v, the code has %v", test.kind, got, want)
		}
	}
}

// constants returns the values of the string constants of a type in a file.
func constants(t *testing.T, path, kind string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); ok && name.Name == kind {
			values = append(values, strings.Trim(spec.Values[0].(*ast.BasicLit).Value, `"`))
		}
		return true
	})
	return values
}

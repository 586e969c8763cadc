package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const block = `break: nothing is checked
area: gate
file: backend/approve/gate.go
old: if hash != want {
new: if false {
package: ./backend/approve
run: TestHITL01
`

func TestParse(t *testing.T) {
	list := "# a remark\n\n" + block + "\n\n# another\nbreak: output: gone\narea: tool\nfile: a.go\nold: x := 1 // :\nnew:\npackage: ./a\nrun: TestA|TestB"
	want := []Break{
		{
			Name: "nothing is checked", Area: "gate", File: "backend/approve/gate.go",
			Old: "if hash != want {", New: "if false {", Package: "./backend/approve", Run: "TestHITL01", line: 3,
		},
		{
			Name: "output: gone", Area: "tool", File: "a.go",
			Old: "x := 1 // :", Package: "./a", Run: "TestA|TestB", line: 13,
		},
	}
	got, err := parse(list)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ name, list, want string }{
		{"a missing field", strings.Replace(block, "area: gate\n", "", 1), "line 1: area is missing"},
		{"an empty field", strings.Replace(block, "area: gate", "area:", 1), "area is missing"},
		{"no new", strings.Replace(block, "new: if false {\n", "", 1), "new is missing"},
		{"an unknown key", "\n" + block + "test: TestX\n", `line 2: unknown key "test"`},
		{"a field twice", block + "run: TestX\n", "line 8: run is given twice"},
		{"two blocks run together", block + block, "line 8: break is given twice"},
		{"no key", block + "whatever\n", `line 8: "whatever" is not a key`},
		{"a name twice", block + "\n" + block, "lines 1 and 9 have the same name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse(tt.list)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestApplyBreaksExactlyOnePlace(t *testing.T) {
	tests := []struct{ name, source, old, new, want, fault string }{
		{name: "once", source: "a\n\tb := 1\nc\n", old: "b := 1", new: "b := 2", want: "a\n\tb := 2\nc\n"},
		{name: "taken out", source: "a\n\tb()\nc\n", old: "b()", want: "a\n\t\nc\n"},
		{name: "absent", source: "a\n", old: "b", fault: `"b" stands 0 times in x.go`},
		{name: "twice", source: "b\nb\n", old: "b", fault: `"b" stands 2 times in x.go`},
		{name: "no change", source: "b\n", old: "b", new: "b", fault: "the same"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Break{File: "x.go", Old: tt.old, New: tt.new}.apply(tt.source)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("got error %v, want %q", err, tt.fault)
			}
		})
	}
}

// TestEveryBreakNamesATest looks for the tests that are to notice a break: where there is
// none, go test passes, and the break looks as if the tests had missed it.
func TestEveryBreakNamesATest(t *testing.T) {
	for _, b := range listed(t) {
		test, _, _ := strings.Cut(b.Run, "/")
		wanted, err := regexp.Compile(test)
		if err != nil {
			t.Errorf("%s: %v", b.Name, err)
			continue
		}
		if !slices.ContainsFunc(testsIn(t, b.Package), wanted.MatchString) {
			t.Errorf("%s: no test in %s is called %s", b.Name, b.Package, b.Run)
		}
	}
}

// testsIn lists the tests of a package of the program, for all systems.
func testsIn(t *testing.T, pkg string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)`).FindAllSubmatch(source, -1) {
			names = append(names, string(found[1]))
		}
	}
	return names
}

// TestEveryBreakFits applies each break of the list, so that one which the code has
// outgrown is seen with the change that outgrew it.
func TestEveryBreakFits(t *testing.T) {
	for _, b := range listed(t) {
		source, err := os.ReadFile(filepath.Join("..", "..", b.File))
		if err != nil {
			t.Errorf("%s: %v", b.Name, err)
			continue
		}
		if _, err := b.apply(string(source)); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
}

func listed(t *testing.T) []Break {
	t.Helper()
	list, err := os.ReadFile("breaks.txt")
	if err != nil {
		t.Fatal(err)
	}
	breaks, err := parse(string(list))
	if err != nil {
		t.Fatal(err)
	}
	return breaks
}

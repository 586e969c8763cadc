package layers_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the lines that docs/architecture.md names anew")

// A prompt's way may cross this many packages, and call back up through this many
// interfaces, before it is too long to be followed.
const (
	mostPackages   = 23
	mostInterfaces = 4
)

// reference is a link in docs/architecture.md to what is declared in a line:
// [`session.Session.BeginRun`](../backend/session/session.go#L168).
var reference = regexp.MustCompile("\\[`([\\w/.]+)`\\]\\(\\.\\./([\\w/.-]+\\.go)#L(\\d+)\\)")

func TestTheWayOfOnePromptIsAsDocumented(t *testing.T) {
	file := filepath.Join(root, "docs", "architecture.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	way := section(t, string(text), "\n## One prompt's way\n", "\n## ")
	mended := reference.ReplaceAllStringFunc(way, func(link string) string {
		parts := reference.FindStringSubmatch(link)
		line, ok := declaredAt(t, parts[2], parts[1])
		if !ok {
			t.Errorf("docs/architecture.md: %s does not declare %s", parts[2], parts[1])
			return link
		}
		return fmt.Sprintf("[`%s`](../%s#L%d)", parts[1], parts[2], line)
	})
	if *update {
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), way, mended, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if mended != way {
		t.Error("docs/architecture.md: lines of the way have moved: go -C tools test ./layers -update")
	}

	crossed := map[string]bool{}
	for _, link := range reference.FindAllStringSubmatch(way, -1) {
		crossed[path.Dir(link[2])] = true
	}
	if len(crossed) > mostPackages {
		t.Errorf("the way crosses %d packages, and may cross %d", len(crossed), mostPackages)
	}
	sentence := fmt.Sprintf("crosses %d packages", len(crossed))
	if !strings.Contains(way, sentence) {
		t.Errorf("docs/architecture.md does not say that the way %s", sentence)
	}
	up := reference.FindAllStringSubmatch(section(t, way, "\nIt calls back up", "\n\n"), -1)
	if len(up) == 0 || len(up) > mostInterfaces {
		t.Errorf("the way calls back up through %d interfaces, and may through %d", len(up), mostInterfaces)
	}
}

// section is what lies between from and to.
func section(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, from)
	if !ok {
		t.Fatalf("docs/architecture.md has no %q", strings.TrimSpace(from))
	}
	part, _, _ := strings.Cut(rest, to)
	return part
}

// declaredAt returns the line in which a file declares a name: package.Function,
// package.Type or package.Type.Method.
func declaredAt(t *testing.T, file, name string) (line int, ok bool) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, filepath.Join(root, file), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return 0, false
	}
	for _, declaration := range parsed.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if parsed.Name.Name+"."+receiver(d)+d.Name.Name == name {
				return set.Position(d.Pos()).Line, true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, isType := spec.(*ast.TypeSpec); isType && parsed.Name.Name+"."+s.Name.Name == name {
					return set.Position(s.Pos()).Line, true
				}
			}
		}
	}
	return 0, false
}

// receiver is the type of a method with a dot, and nothing for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if named, ok := of.(*ast.Ident); ok {
		return named.Name + "."
	}
	return strconv.Quote("unnamed")
}

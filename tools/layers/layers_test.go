// Package layers_test looks at what the packages of Fairlead import: the code, the rules
// of the linter and the table in docs/architecture.md say the same.
package layers_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const (
	root   = "../.."
	module = "fairlead"
)

// layers are packages, and those of this module that each imports, sorted. A package is
// named as in the table: main, frontend, backend, and what lies below backend.
type layers map[string][]string

func TestTheTableTheRulesAndTheImportsAreEqual(t *testing.T) {
	code, table, rules := imports(t), documented(t), linted(t)
	if len(code) < 20 {
		t.Fatalf("only %d packages were found", len(code))
	}
	for name := range code {
		row, rule := table[name], rules[name]
		want := strings.Join(code[name], ", ")
		if _, ok := table[name]; !ok || !slices.Equal(row, code[name]) {
			t.Errorf("docs/architecture.md: the row of %s says %q, and it imports %q", name, strings.Join(row, ", "), want)
		}
		if _, ok := rules[name]; !ok || !slices.Equal(rule, code[name]) {
			t.Errorf(".golangci.yml: the rule %s allows %q, and it imports %q", name, strings.Join(rule, ", "), want)
		}
	}
	for where, names := range map[string]layers{"docs/architecture.md": table, ".golangci.yml": rules} {
		for name := range names {
			if _, ok := code[name]; !ok {
				t.Errorf("%s: there is no package %s", where, name)
			}
		}
	}
}

// imports are those of the code, for every system and with every build tag.
func imports(t *testing.T) layers {
	t.Helper()
	found := layers{}
	look := func(file string) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		name := named(t, path.Join(module, filepath.ToSlash(folder)))
		found[name] = append(found[name], []string{}...) // it exists, whatever it imports
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				continue
			}
			if other := named(t, imported); !slices.Contains(found[name], other) {
				found[name] = append(found[name], other)
			}
		}
	}
	for _, folder := range []string{".", "frontend", "backend"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir():
				if folder != "backend" && file != filepath.Join(root, folder) || entry.Name() == "testdata" {
					return fs.SkipDir
				}
			case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
				look(file)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, imported := range found {
		slices.Sort(imported)
	}
	return found
}

// named is the name in the table of a package by its path.
func named(t *testing.T, path string) string {
	t.Helper()
	switch local := strings.TrimPrefix(path, module+"/"); local {
	case module:
		return "main"
	case "backend", "frontend":
		return local
	default:
		name, ok := strings.CutPrefix(local, "backend/")
		if !ok {
			t.Errorf("%s lies outside of backend, and packages in it import it", path)
		}
		return name
	}
}

// documented is the table of layers in docs/architecture.md.
func documented(t *testing.T) layers {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	const head = "| package | imports |\n|---|---|\n"
	_, rows, ok := strings.Cut(string(page), head)
	if !ok {
		t.Fatal("docs/architecture.md has no table with the head | package | imports |")
	}
	rows, _, _ = strings.Cut(rows, "\n\n")
	found := layers{}
	for row := range strings.Lines(rows) {
		cells := strings.Split(strings.Trim(row, "| \n"), " | ")
		if len(cells) != 2 {
			t.Fatalf("docs/architecture.md: the row %q has not two cells", row)
		}
		imported := []string{}
		if cells[1] != "nothing" {
			imported = strings.Split(cells[1], ", ")
		}
		slices.Sort(imported)
		for name := range strings.SplitSeq(cells[0], ", ") {
			if _, ok := found[name]; ok {
				t.Errorf("docs/architecture.md: %s stands in two rows", name)
			}
			for _, other := range imported {
				if _, ok := found[other]; ok {
					t.Errorf("docs/architecture.md: %s imports %s, which stands above it: imports point down", name, other)
				}
			}
			found[name] = imported
		}
	}
	return found
}

// linted are the rules of .golangci.yml that deny everything of this module and allow
// some of it: one for each package, of its name.
func linted(t *testing.T) layers {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".golangci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Linters struct {
			Settings struct {
				Depguard struct {
					Rules map[string]struct {
						Files []string `yaml:"files"`
						Allow []string `yaml:"allow"`
						Deny  []struct {
							Pkg string `yaml:"pkg"`
						} `yaml:"deny"`
					} `yaml:"rules"`
				} `yaml:"depguard"`
			} `yaml:"settings"`
		} `yaml:"linters"`
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	found := layers{}
	for name, rule := range config.Linters.Settings.Depguard.Rules {
		layer := false
		for _, denied := range rule.Deny {
			layer = layer || denied.Pkg == module
			if local, ok := strings.CutPrefix(denied.Pkg, module+"/"); ok {
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(local))); err != nil {
					t.Errorf(".golangci.yml: the rule %s denies %s, which does not exist", name, denied.Pkg)
				}
			}
		}
		if !layer {
			continue
		}
		folder := map[string]string{"main": "", "backend": "backend/", "frontend": "frontend/"}
		local, ok := folder[name]
		if !ok {
			local = "backend/" + name + "/"
		}
		if want := []string{"${config-path}/" + local + "*.go", "!$test"}; !slices.Equal(rule.Files, want) {
			t.Errorf(".golangci.yml: the rule %s is for the files %q, not %q", name, rule.Files, want)
		}
		imported := []string{}
		for _, allowed := range rule.Allow {
			exact, ok := strings.CutSuffix(allowed, "$")
			if !ok {
				t.Errorf(".golangci.yml: the rule %s allows everything below %s; name each package, with $ at its end", name, allowed)
			}
			imported = append(imported, named(t, exact))
		}
		slices.Sort(imported)
		found[name] = imported
	}
	return found
}

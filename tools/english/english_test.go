// Package english looks for entry points that read English: what the page, the command
// line and the window show depends on codes and data, never on what a sentence says (SPEC
// EV-10).
package english

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// allowed are the sentences that may be compared with, by file, each with its reason.
var allowed = map[string][]string{
	// What the user types as an answer.
	"backend/cli/guard.go": {"keep waiting"},
	// The library that parses the flags has no exported error for an unknown one.
	"backend/cli/cli.go": {"unknown flag", "err.Error()"},
}

// sentence finds two words in a row.
var sentence = regexp.MustCompile(`[A-Za-z]{2,},? [A-Za-z]{2,}`)

// readers are the functions that look into a text.
var readers = regexp.MustCompile(`^(strings\.(Contains|HasPrefix|HasSuffix|Index|LastIndex|Cut|CutPrefix|CutSuffix|` +
	`TrimPrefix|TrimSuffix|EqualFold|Split\w*|Count|Replace\w*)|regexp\.\w*(Compile|Match)\w*)$`)

// files returns the sources below a folder that are no tests, relative to the root.
func files(t *testing.T, folder string, endings ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains(endings, filepath.Ext(path)) {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil || strings.Contains(name, "_test.go") || strings.Contains(name, ".test.ts") || strings.Contains(name, "/testing/") {
			return err
		}
		text, err := os.ReadFile(path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil || len(found) < 10 {
		t.Fatalf("%d files in %s, %v", len(found), folder, err)
	}
	return found
}

func TestEV10_GoReadsNoEnglish(t *testing.T) {
	for _, folder := range []string{"backend/cli", "backend/desktop"} {
		for name, text := range files(t, folder, ".go") {
			for _, found := range readsInGo(t, name, text) {
				t.Errorf("%s reads English: %s", name, found)
			}
		}
	}
}

// readsInGo returns the comparisons with English, and the looks into the text of an error,
// in a Go source.
func readsInGo(t *testing.T, name, text string) []string {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	look := func(parts ...ast.Expr) {
		for _, part := range parts {
			if what := text[set.Position(part.Pos()).Offset:set.Position(part.End()).Offset]; isEnglish(part, what) &&
				!slices.Contains(allowed[name], strings.Trim(what, `"`)) {
				found = append(found, what)
			}
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				look(n.X, n.Y)
			}
		case *ast.CaseClause:
			look(n.List...)
		case *ast.CallExpr:
			if readers.MatchString(text[set.Position(n.Fun.Pos()).Offset:set.Position(n.Fun.End()).Offset]) {
				look(n.Args...)
			}
		}
		return true
	})
	return found
}

// isEnglish reports whether an expression is a sentence, or the text of an error.
func isEnglish(e ast.Expr, text string) bool {
	if literal, ok := e.(*ast.BasicLit); ok {
		return literal.Kind == token.STRING && sentence.MatchString(text)
	}
	return strings.HasSuffix(text, ".Error()")
}

// What in a source of the page compares with English or looks for it: a comparison or a
// case with a sentence, a method or a pattern that looks for one, a look into a text of the
// program, and the words of a language outside of the dictionaries.
var pageReads = []*regexp.Regexp{
	regexp.MustCompile("(?:[!=]==|\\bcase)\\s*['\"`][^'\"`\n]*?[A-Za-z]{2,},? [A-Za-z]{2,}"),
	regexp.MustCompile("[A-Za-z]{2,},? [A-Za-z]{2,}[^'\"`\n]*['\"`]\\s*[!=]=="),
	regexp.MustCompile("\\.(?:includes|startsWith|endsWith|match|matchAll|search|indexOf|split|replace|replaceAll)\\(\\s*['\"`/][^'\"`\n]*?[A-Za-z]{2,},? [A-Za-z]{2,}"),
	regexp.MustCompile(`[=(,!&|?:]\s*/(?:[^/\n*]|\\/)[^\n]*?[A-Za-z]{2,},? [A-Za-z]{2,}[^\n]*/[a-z]*\.(?:test|exec)\(`),
	regexp.MustCompile("\\bRegExp\\([^)\n]*?[A-Za-z]{2,},? [A-Za-z]{2,}"),
	regexp.MustCompile(`\.(?:message|detail|hint|reason|warning|confinement|content)\??\.(?:includes|startsWith|endsWith|match|matchAll|search|indexOf|split|replace|replaceAll)\(`),
	regexp.MustCompile(`\.(?:test|exec)\([\w.?]*\.?(?:message|detail|hint|reason|warning|confinement|content)\)`),
	regexp.MustCompile(`[!=]==\s*(?:t\(|en\.)|from '[./]*/i18n/(?:en|zh-CN)'`),
}

// constant finds a sentence that has a name.
var constant = regexp.MustCompile("(?m)^(?:export )?const (\\w+) = ['\"`][^'\"`\n]*[A-Za-z]{2,},? [A-Za-z]{2,}")

// comment finds comments and the words of a template, which are not looked at.
var comment = regexp.MustCompile(`(?s)/\*.*?\*/|(?m)^\s*//[^\n]*|<!--.*?-->`)

func TestEV10_ThePageReadsNoEnglish(t *testing.T) {
	sources := files(t, "frontend/src", ".ts", ".vue")
	var named []string
	for name, text := range sources {
		if strings.Contains(name, "/i18n/") {
			continue
		}
		for _, match := range constant.FindAllStringSubmatch(text, -1) {
			named = append(named, match[1])
		}
	}
	for name, text := range sources {
		if strings.Contains(name, "/i18n/") {
			continue
		}
		for _, found := range readsInPage(text, named) {
			t.Errorf("%s reads English: %s", name, found)
		}
	}
}

// readsInPage returns the comparisons with English in a source of the page; named are the
// sentences that have a name.
func readsInPage(text string, named []string) []string {
	text = comment.ReplaceAllString(text, "")
	var found []string
	for _, pattern := range pageReads {
		found = append(found, pattern.FindAllString(text, -1)...)
	}
	for _, name := range named {
		uses := regexp.MustCompile(`[!=]==\s*` + name + `\b|\b` + name + `\s*[!=]==|\.(?:includes|startsWith|endsWith|indexOf)\(` + name + `\)`)
		found = append(found, uses.FindAllString(text, -1)...)
	}
	return found
}

func TestEV10_WhatReadsEnglishIsFound(t *testing.T) {
	for _, source := range []string{
		`if reason == "edited by you" {}`,
		`if strings.HasPrefix(text, "edited, but ") {}`,
		`switch text { case "the file changed": }`,
		"_ = regexp.MustCompile(`^exit code \\d+`)",
		`if strings.HasPrefix(err.Error(), "x") {}`,
	} {
		if len(readsInGo(t, "a.go", "package a\nfunc f() {"+source+"}")) == 0 {
			t.Errorf("not found: %s", source)
		}
	}
	for _, source := range []string{
		`if (reason === 'the file changed since it was shown') return`,
		`if ('edited by you' !== reason) return`,
		`switch (reason) { case 'edited by you':`,
		`const unfit = /^edited, but ([\s\S]*)$/.exec(reason)?.[1]`,
		`const exit = /^COMMAND_FAILED: exit code (-?\d+)/m.exec(content)?.[1]`,
		`fault.message.startsWith('x')`,
		`text.includes("no such file")`,
		`if (reason === editedReason) return`,
		`if (sentence === en.confirm.checked) return`,
		`import { en } from '../../i18n/en'`,
	} {
		if len(readsInPage(source, []string{"editedReason"})) == 0 {
			t.Errorf("not found: %s", source)
		}
	}
	for _, source := range []string{`if (code === 'NOT_FOUND') return`, `const x = kind === 'edit' ? 'a b' : t('x')`, `// the one or the other`} {
		if found := readsInPage(source, nil); len(found) > 0 {
			t.Errorf("%s: %q", source, found)
		}
	}
}

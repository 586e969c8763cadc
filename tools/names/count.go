package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// accepted are the names of one word that say enough by themselves, because the
// standard library and most Go programs use them for the same thing. There are
// at most 60.
var accepted = []string{
	"add", "append", "apply", "cancel", "clone", "close", "compare", "copy",
	"decode", "delete", "encode", "equal", "find", "flush", "format", "get",
	"handle", "has", "insert", "key", "len", "less", "list", "load", "lock",
	"lookup", "match", "merge", "must", "next", "open", "parse", "peek", "pop",
	"print", "publish", "push", "read", "remove", "render", "reset", "resolve",
	"run", "save", "scan", "send", "serve", "set", "size", "sort", "split",
	"start", "stop", "trim", "unlock", "update", "validate", "wait", "walk",
	"write",
}

// function is an unexported function or method.
type function struct {
	name string
	file string // relative to the root
	line int
}

// pkg is what was counted in one folder.
type pkg struct {
	folder    string
	functions int
	oneWord   []function
}

// count reads every Go file below root, whatever system it is for, and returns
// the packages with the most names of one word first.
func count(root string) ([]*pkg, error) {
	byFolder := map[string]*pkg{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipFolder(path, root, entry.Name())
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(relative))
		if byFolder[folder] == nil {
			byFolder[folder] = &pkg{folder: folder}
		}
		return byFolder[folder].addFile(path, filepath.ToSlash(relative))
	})
	if err != nil {
		return nil, fmt.Errorf("read the Go files below %s: %w", root, err)
	}
	var packages []*pkg
	for _, p := range byFolder {
		packages = append(packages, p)
	}
	slices.SortFunc(packages, func(a, b *pkg) int {
		if d := len(b.oneWord) - len(a.oneWord); d != 0 {
			return d
		}
		return strings.Compare(a.folder, b.folder)
	})
	return packages, nil
}

func skipFolder(path, root, name string) error {
	if path != root && (name == "node_modules" || name == "testdata" || strings.HasPrefix(name, ".")) {
		return filepath.SkipDir
	}
	return nil
}

func (p *pkg) addFile(path, relative string) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if ast.IsGenerated(file) {
		return nil
	}
	for _, declaration := range file.Decls {
		f, ok := declaration.(*ast.FuncDecl)
		if !ok || f.Name.IsExported() || f.Name.Name == "_" {
			continue
		}
		if f.Recv == nil && (f.Name.Name == "main" || f.Name.Name == "init") {
			continue
		}
		p.functions++
		if isOneWord(f.Name.Name) {
			line := files.Position(f.Name.Pos()).Line
			p.oneWord = append(p.oneWord, function{name: f.Name.Name, file: relative, line: line})
		}
	}
	return nil
}

// isOneWord reports whether a name is a single lower-case word that is not
// accepted. A digit does not begin a word: sha256 is one.
func isOneWord(name string) bool {
	if slices.Contains(accepted, name) {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsUpper(r) || r == '_' })
}

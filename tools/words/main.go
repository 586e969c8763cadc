// Command words looks for words that the project does without:
//
//	go -C tools run ./words ..
//
// words.txt lists them with what to write instead; exceptions.txt has the lines
// that mean them. It reads what git tracks of Go, documentation, the page's
// sources and scripts, and ends with 1 when it finds one.
package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed words.txt
var wordList string

//go:embed exceptions.txt
var exceptionList string

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: words ROOT")
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, root string) error {
	phrases, err := parsePhrases(wordList)
	if err != nil {
		return err
	}
	exceptions, err := parseExceptions(exceptionList)
	if err != nil {
		return err
	}
	files, err := trackedFiles(root)
	if err != nil {
		return err
	}
	found := 0
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, and git is yet to be told
		}
		if err != nil {
			return fmt.Errorf("read a tracked file: %w", err)
		}
		lines := strings.Split(string(text), "\n")
		for _, hit := range search(string(text), phrases) {
			line := lines[hit.line-1]
			if exceptions.allow(name, line) {
				continue
			}
			found++
			fmt.Fprintf(out, "%s:%d: %q: write %s: %s\n", name, hit.line, hit.text, hit.phrase.instead, strings.TrimSpace(line))
		}
	}
	if found > 0 {
		return fmt.Errorf("%d places use words of tools/words/words.txt", found)
	}
	return nil
}

// checked are the endings of the files that are read.
var checked = []string{
	".go", ".md", ".ts", ".mts", ".mjs", ".js", ".vue", ".css", ".html", ".sh", ".c", ".h", ".sql", ".yml", ".py", ".nsi", ".nsh",
	".txt", ".txtar", ".toml", "Makefile",
}

// trackedFiles returns what git tracks below root and this program checks, as
// slash paths.
func trackedFiles(root string) ([]string, error) {
	command := exec.Command("git", "ls-files", "-z")
	command.Dir = root
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list the files that git tracks in %s: %w", root, err)
	}
	var files []string
	for name := range strings.SplitSeq(string(output), "\x00") {
		if name != "" && isChecked(name) {
			files = append(files, name)
		}
	}
	return files, nil
}

func isChecked(name string) bool {
	return slices.ContainsFunc(checked, func(ending string) bool {
		return path.Ext(name) == ending || path.Base(name) == ending
	})
}

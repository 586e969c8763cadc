package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	idLine = regexp.MustCompile(`(?m)^- ([A-Z]+-\d\d): \S`)
	idText = regexp.MustCompile(`\b([A-Z]{2,6})-(\d\d)\b`)
	idTest = regexp.MustCompile(`\bfunc (?:Test|Fuzz|Benchmark)([A-Z]{2,6})(\d\d)_`)
)

// otherIDs look like the ID of a requirement and are names of standards.
var otherIDs = map[string]bool{"ECMA-48": true, "UTF-16": true, "UTF-32": true}

func TestDOC00_EveryRequirementHasOneLine(t *testing.T) {
	page, err := os.ReadFile("../../docs/requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, match := range idLine.FindAllStringSubmatch(string(page), -1) {
		if known[match[1]] {
			t.Errorf("%s has two lines in docs/requirements.md", match[1])
		}
		known[match[1]] = true
	}
	if len(known) < 200 {
		t.Fatalf("docs/requirements.md has %d lines with an ID", len(known))
	}

	files, err := trackedFiles("../..")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]string{} // the file that names an ID
	for _, name := range files {
		if strings.HasPrefix(name, "backend/tool/document/extract/testdata/") {
			continue // invented documents, with numbers of their own
		}
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range []*regexp.Regexp{idText, idTest} {
			for _, match := range pattern.FindAllStringSubmatch(string(text), -1) {
				used[match[1]+"-"+match[2]] = name
			}
		}
	}
	if len(used) < 100 {
		t.Fatalf("%d IDs are in use", len(used))
	}
	for id, name := range used {
		if !known[id] && !otherIDs[id] && !strings.HasPrefix(name, "tools/words/") {
			t.Errorf("%s, which %s names, has no line in docs/requirements.md", id, name)
		}
	}
}

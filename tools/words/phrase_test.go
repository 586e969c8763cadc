package main

import (
	"strings"
	"testing"
)

func TestSearchFindsPhrases(t *testing.T) {
	list, err := parsePhrases("# a remark\nat work: running\nput|puts away: save\ndoor: entry point\n")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		text string
		want string // the lines of what is found
	}{
		{"a run is at work here", "1"},
		{"At Work", "1"},
		{"first\n// it is at\n// work again", "2"},
		{"func runsAtWork() {}", "1"},
		{"it puts away what it put away", "1 1"},
		{"look at. Work goes on", ""},
		{"at(work)", ""},
		{"at homework", ""},
		{"indoors and doorbell", ""},
		{"the_door", "1"},
		{"", ""},
	}
	for _, test := range tests {
		var lines []string
		for _, hit := range search(test.text, list) {
			lines = append(lines, string(rune('0'+hit.line)))
		}
		if got := strings.Join(lines, " "); got != test.want {
			t.Errorf("search(%q) found lines %q, want %q", test.text, got, test.want)
		}
	}
}

func TestExceptionsAllowOneLine(t *testing.T) {
	list, err := parseExceptions("# a remark\ndocs/a.md: the white house\ntools/words/:\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"docs/a.md|at the white house.": true,
		"docs/a.md|another house":       false,
		"docs/b.md|the white house":     false,
		"tools/words/words.txt|house":   true,
	} {
		path, line, _ := strings.Cut(name, "|")
		if got := list.allow(path, line); got != want {
			t.Errorf("allow(%q, %q) = %v, want %v", path, line, got, want)
		}
	}
}

func TestListsAreRefusedWithTheirLine(t *testing.T) {
	if _, err := parsePhrases("door: entry point\nhouse\n"); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a phrase without a replacement: %v", err)
	}
	if _, err := parseExceptions("docs/a.md\n"); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("an exception without a text: %v", err)
	}
}

func TestTheListsOfThisProgramCanBeRead(t *testing.T) {
	if list, err := parsePhrases(wordList); err != nil || len(list) == 0 {
		t.Errorf("words.txt: %d phrases, %v", len(list), err)
	}
	if _, err := parseExceptions(exceptionList); err != nil {
		t.Errorf("exceptions.txt: %v", err)
	}
}

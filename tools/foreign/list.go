package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// omission is a test that is left out, or a part of one, and why.
type omission struct{ test, reason string }

// everyTest stands for all tests of a package.
const everyTest = "-"

// whole reports whether the package is left out.
func (o omission) whole() bool { return o.test == everyTest }

// parse reads the list of what is left out: a line for each test, of its package below
// backend, its name or - for the whole package, and the reason. What begins with # is a
// comment.
func parse(text string) (map[string][]omission, error) {
	all := map[string][]omission{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		if len(words) < 3 || words[1] != everyTest && !strings.HasPrefix(words[1], "Test") {
			return nil, fmt.Errorf("line %d: want a package, a test and the reason: %q", i+1, line)
		}
		each := omission{words[1], strings.Join(words[2:], " ")}
		if slices.ContainsFunc(all[words[0]], func(o omission) bool { return o.test == each.test }) {
			return nil, fmt.Errorf("line %d: %s is named twice", i+1, each.test)
		}
		all[words[0]] = append(all[words[0]], each)
	}
	return all, nil
}

// skipped is the value of go test's flag -skip that leaves these out: alternatives, each
// with an expression for every level of a name.
func skipped(omissions []omission) string {
	var alternatives []string
	for _, each := range omissions {
		levels := strings.Split(each.test, "/")
		for i, level := range levels {
			levels[i] = "^" + regexp.QuoteMeta(level) + "$"
		}
		alternatives = append(alternatives, strings.Join(levels, "/"))
	}
	return strings.Join(alternatives, "|")
}

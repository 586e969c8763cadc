package main

import (
	"errors"
	"fmt"
	"strings"
)

// Break is one way to break the program.
type Break struct {
	// Name says what no longer works.
	Name string
	// Area is the part of the program it belongs to.
	Area string
	// File is the file to break, relative to the root, with slashes.
	File string
	// Old is what stands in File exactly once, within one line.
	Old string
	// New is what stands there instead; empty takes Old out.
	New string
	// Package and Run say which tests must notice, as for go test.
	Package string
	Run     string
	// line is where the entry begins in the list.
	line int
}

// parse reads a list of breaks: blocks of "key: value" lines with a blank line
// between two. A line that starts with # is a remark.
func parse(text string) ([]Break, error) {
	var (
		breaks []Break
		block  map[string]string
		start  int
	)
	// A blank line at the end closes the last block like the others.
	for i, line := range strings.Split(text+"\n\n", "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "" && block == nil:
		case line == "":
			b, err := newBreak(block)
			if err != nil {
				return nil, fmt.Errorf("the break at line %d: %w", start, err)
			}
			b.line = start
			breaks, block = append(breaks, b), nil
		default:
			if block == nil {
				block, start = map[string]string{}, i+1
			}
			if err := addLine(block, line); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
		}
	}
	return breaks, unique(breaks)
}

func addLine(block map[string]string, line string) error {
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		return fmt.Errorf("%q is not a key, a colon and a value", line)
	}
	if _, twice := block[key]; twice {
		return fmt.Errorf("%s is given twice; a blank line parts two breaks", key)
	}
	block[key] = strings.TrimSpace(value)
	return nil
}

func newBreak(block map[string]string) (Break, error) {
	var b Break
	fields := map[string]*string{
		"break": &b.Name, "area": &b.Area, "file": &b.File, "old": &b.Old,
		"new": &b.New, "package": &b.Package, "run": &b.Run,
	}
	for key, value := range block {
		field, ok := fields[key]
		if !ok {
			return b, fmt.Errorf("unknown key %q", key)
		}
		*field = value
	}
	for _, key := range []string{"break", "area", "file", "old", "package", "run"} {
		if *fields[key] == "" {
			return b, fmt.Errorf("%s is missing", key)
		}
	}
	if _, ok := block["new"]; !ok {
		return b, errors.New("new is missing; leave it empty to take old out")
	}
	return b, nil
}

func unique(breaks []Break) error {
	seen := map[string]int{}
	for _, b := range breaks {
		if first, ok := seen[b.Name]; ok {
			return fmt.Errorf("the breaks at lines %d and %d have the same name %q", first, b.line, b.Name)
		}
		seen[b.Name] = b.line
	}
	return nil
}

// apply returns source with the break in it.
func (b Break) apply(source string) (string, error) {
	if b.Old == b.New {
		return "", errors.New("old and new are the same")
	}
	if n := strings.Count(source, b.Old); n != 1 {
		return "", fmt.Errorf("%q stands %d times in %s, not once", b.Old, n, b.File)
	}
	return strings.Replace(source, b.Old, b.New, 1), nil
}

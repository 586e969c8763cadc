package main

import (
	"bytes"
	"encoding/json"
	"strings"
)

// report is the result of go test -json.
type report struct {
	// tests counts the tests that began.
	tests int
	// failures are the failed tests, top level only.
	failures []string
	// packages are the failed packages: without a failed test, one that ran into
	// the time limit or ended itself.
	packages []string
	// build is what the compiler said where it failed.
	build string
}

func (r report) failed() bool { return len(r.packages) > 0 }

// String says what noticed.
func (r report) String() string {
	switch {
	case r.build != "":
		return r.build
	case len(r.failures) > 0:
		return strings.Join(r.failures, " ")
	default:
		return "hang or crash in " + strings.Join(r.packages, " ")
	}
}

// readReport reads the events of go test -json (go doc test2json). Lines that are
// none are left out.
func readReport(output []byte) report {
	var r report
	for line := range bytes.Lines(output) {
		var event struct {
			Action, Package, Test, Output, FailedBuild string
		}
		if json.Unmarshal(line, &event) != nil {
			continue
		}
		topLevel := event.Test != "" && !strings.Contains(event.Test, "/")
		switch {
		case event.Action == "run" && topLevel:
			r.tests++
		case event.Action == "fail" && topLevel:
			r.failures = append(r.failures, event.Test)
		case event.Action == "fail" && event.Test == "":
			r.packages = append(r.packages, event.Package)
			if event.FailedBuild != "" && r.build == "" {
				r.build = event.FailedBuild
			}
		case event.Action == "build-output" && !strings.HasPrefix(event.Output, "#"):
			if r.build == "" {
				r.build = strings.TrimSpace(event.Output)
			}
		}
	}
	return r
}

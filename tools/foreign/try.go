package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// prefix is what the import paths of the packages begin with, which the list leaves out.
const prefix = "fairlead/backend"

// timeLimit is for the tests of one package: under Wine and qemu-user a process starts in a fifth
// of a second, and the tests of the command line take up to twenty minutes.
const timeLimit = "40m"

// result is what came of a package's tests. A test with parts is one test.
type result struct {
	name    string
	passed  []string
	leftOut []omission // those of the list, and those that the tests themselves skipped
	fault   string     // why the package has not passed; empty when it has
	output  string     // what the tests that failed said
}

// event is a line of go test -json.
type event struct {
	Action, Test, Output string
}

// testsLeftOut is how many tests are left out. A test that a part is left out of has run, and
// the tests of a package that is left out are not known.
func (r result) testsLeftOut() (count int) {
	for _, each := range r.leftOut {
		if !each.whole() && !strings.Contains(each.test, "/") {
			count++
		}
	}
	return count
}

// foreign runs tests for another system.
type foreign struct {
	root   string   // of the module
	runner string   // runs a program of that system
	env    []string // of Go and the tests
}

// tested returns the packages that have tests on that system. Where only is not empty it
// names them.
func (f foreign) tested(ctx context.Context, only []string) ([]string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-f", `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}`, "./backend/...")
	list.Dir, list.Stderr, list.Env = f.root, os.Stderr, f.env
	output, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages: %w", err)
	}
	var names []string
	for path := range strings.FieldsSeq(string(output)) {
		name := strings.TrimPrefix(strings.TrimPrefix(path, prefix), "/")
		if name == "" {
			name = "."
		}
		if len(only) == 0 || slices.Contains(only, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no package has tests there: %q", only)
	}
	return names, nil
}

// try runs the tests of a package but for those that are left out.
func (f foreign) try(ctx context.Context, name string, omissions []omission) (result, error) {
	test := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "-timeout", timeLimit, "-exec", f.runner, "-skip", skipped(omissions), "./backend/"+name)
	test.Dir, test.Stderr, test.Env = f.root, os.Stderr, f.env
	lines, err := test.StdoutPipe()
	if err != nil {
		return result{}, err
	}
	if err := test.Start(); err != nil {
		return result{}, fmt.Errorf("start go test: %w", err)
	}
	got, err := read(lines)
	if err != nil {
		_ = test.Wait() // what it printed says more
		return result{}, fmt.Errorf("read what go test prints of %s: %w", name, err)
	}
	if err := test.Wait(); err != nil && got.fault == "" {
		got.fault = err.Error()
	}
	got.name = name
	got.leftOut = append(got.leftOut, omissions...)
	return got, ctx.Err()
}

// read makes a result of what go test -json prints.
func read(lines io.Reader) (result, error) {
	var got result
	said := map[string]*strings.Builder{}
	tests := 0
	scanner := bufio.NewScanner(lines)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var e event
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			return got, fmt.Errorf("%w: %q", err, scanner.Text())
		}
		whole := e.Test != "" && !strings.Contains(e.Test, "/")
		switch e.Action {
		case "output", "build-output":
			if said[e.Test] == nil {
				said[e.Test] = new(strings.Builder)
			}
			said[e.Test].WriteString(e.Output)
		case "pass":
			if whole {
				got.passed = append(got.passed, e.Test)
			}
		case "skip":
			if why := reason(said[e.Test]); whole && !isOnDemand(why) {
				got.leftOut = append(got.leftOut, omission{e.Test, why})
			}
		case "fail":
			if whole {
				tests++
			}
			if said[e.Test] != nil {
				got.output += said[e.Test].String()
			}
		}
	}
	switch {
	case tests > 0:
		got.fault = fmt.Sprintf("%d tests failed", tests)
	case got.output != "":
		got.fault = "the package failed"
	}
	return got, scanner.Err()
}

// isOnDemand reports whether a test was skipped because it is run only by another one or by
// hand, on every system.
func isOnDemand(reason string) bool {
	return strings.HasPrefix(reason, "started by Test") || strings.HasPrefix(reason, "only with ")
}

// reason is what a test that was skipped said: what follows the last file and line.
func reason(said *strings.Builder) string {
	var last string
	if said != nil {
		for line := range strings.SplitSeq(said.String(), "\n") {
			if _, words, ok := strings.Cut(line, ".go:"); ok {
				_, last, _ = strings.Cut(words, ": ")
			}
		}
	}
	return last
}

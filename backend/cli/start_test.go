package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What packages make of their variables before main is made anew in every start of the
// program, whatever was asked of it: patterns are compiled, tables filled and schemas read
// where they are used first.
func TestStartingMakesLittleBeforeMain(t *testing.T) {
	const perPackage, most = 16 << 10, 1200 << 10
	program := builtProgram(t)
	start := exec.Command(program, "version")
	start.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	start.Stderr = &trace
	if err := start.Run(); err != nil {
		t.Fatal(err)
	}
	all := 0
	for line := range strings.Lines(trace.String()) {
		var pkg string
		var at, took float64
		var bytes int
		if _, err := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes", &pkg, &at, &took, &bytes); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all += bytes
		if strings.HasPrefix(pkg, "fairlead/") && bytes > perPackage {
			t.Errorf("%s makes %d bytes before main, want %d at most", pkg, bytes, perPackage)
		}
	}
	if all == 0 || all > most {
		t.Errorf("packages make %d bytes before main, want %d at most", all, most)
	}
}

// builtProgram is fairlead as it is built. Where there is no Go to build it with, it lies in the
// folder that FAIRLEAD_TEST_PROGRAMS names.
func builtProgram(t *testing.T) string {
	t.Helper()
	if folder := os.Getenv("FAIRLEAD_TEST_PROGRAMS"); folder != "" {
		return filepath.Join(folder, "fairlead.exe")
	}
	program := filepath.Join(t.TempDir(), "fairlead")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "fairlead")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return program
}

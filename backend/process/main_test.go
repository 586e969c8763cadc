package process

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	fuzzing := slices.ContainsFunc(os.Args, func(argument string) bool { return strings.HasPrefix(argument, "-test.fuzz=") })
	if fuzzing {
		// It runs no command, and writes into the cache of whoever started it.
		os.Exit(m.Run())
	}
	os.Exit(sandboxtest.Main(tidy{m}, "fairlead"))
}

// tidy are tests that leave no goroutine behind.
type tidy struct{ tests *testing.M }

// Run implements sandboxtest.Tests.
func (t tidy) Run() int {
	code := t.tests.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

package install

import (
	"os"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	if slices.ContainsFunc(os.Args, func(argument string) bool { return strings.HasPrefix(argument, "-test.fuzz=") }) {
		// It runs no command, and writes into the cache of the user who started it.
		os.Exit(m.Run())
	}
	os.Exit(sandboxtest.Main(m, "fairlead"))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

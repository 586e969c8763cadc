package process

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	fuzzing := slices.ContainsFunc(os.Args, func(argument string) bool { return strings.HasPrefix(argument, "-test.fuzz=") })
	if fuzzing {
		// It runs no command, and writes into the cache of the user who started it.
		os.Exit(m.Run())
	}
	programs := []string{"fairlead"}
	if runtime.GOOS == "linux" { // the others are for that alone
		programs = append(programs, "fairlead/backend/sandbox/supervisor/fairlead-supervisor", "fairlead/backend/tool/shell/attack")
	}
	os.Exit(sandboxtest.Main(m, programs...))
}

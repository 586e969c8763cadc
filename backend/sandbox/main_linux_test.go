package sandbox

import (
	"fmt"
	"os"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	os.Exit(sandboxtest.Main(leakless{m}, "fairlead"))
}

// leakless are tests that leave no goroutine behind.
type leakless struct{ *testing.M }

func (l leakless) Run() int {
	code := l.M.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

package shell_test

import (
	"crypto/rand"
	"os"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

// keyVariable holds a key in the environment in which the tests start, as the user
// may give Fairlead one.
const keyVariable = "FAIRLEAD_TEST_KEY"

func TestMain(m *testing.M) {
	if os.Getenv(keyVariable) == "" {
		if err := os.Setenv(keyVariable, "canary-"+rand.Text()); err != nil {
			panic(err)
		}
	}
	os.Exit(sandboxtest.Main(m, "fairlead/backend/tool/shell/attack", "fairlead", "fairlead/backend/sandbox/supervisor/fairlead-supervisor"))
}

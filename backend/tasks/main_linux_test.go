//go:build !race

package tasks_test

import (
	"os"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	os.Exit(sandboxtest.Main(m, "fairlead", "fairlead/backend/sandbox/supervisor/fairlead-supervisor", "fairlead/backend/mcp/host/testserver"))
}

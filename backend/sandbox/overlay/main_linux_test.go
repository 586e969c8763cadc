package overlay_test

import (
	"os"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	os.Exit(sandboxtest.Main(m, "fairlead"))
}

package session_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain ends with a look for goroutines that a run left behind (SPEC LOOP-13).
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

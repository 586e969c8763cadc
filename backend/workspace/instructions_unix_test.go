//go:build !windows

package workspace_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"fairlead/backend/message"
)

// TestMSG10_InstructionsThatAreAPipe would wait for ever if opening waited.
func TestMSG10_InstructionsThatAreAPipe(t *testing.T) {
	folder, dir, _ := open(t)
	if err := syscall.Mkfifo(filepath.Join(dir, instructionsName), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := folder.Instructions("."); code(err) != message.UnsupportedFile || got.Text != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

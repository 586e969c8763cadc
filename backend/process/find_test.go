package process_test

import (
	"path/filepath"
	"testing"

	"fairlead/backend/process"
)

func TestFindProgramOnPath(t *testing.T) {
	if path, ok := process.Find("go"); !ok || !filepath.IsAbs(path) {
		t.Errorf("go: %q, %v", path, ok)
	}
	t.Setenv("PATH", t.TempDir())
	if path, ok := process.Find("go"); ok {
		t.Errorf("go is found at %s, outside PATH", path)
	}
}

package sandbox

import (
	"os"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
)

func TestPRE08_ACopyIsTried(t *testing.T) {
	sandboxtest.NeedsFull(t)
	system := InspectWithout(t.Context(), helper(), Without{})
	if system.Level != message.LevelFull {
		t.Fatalf("the level is %s: %s", system.Level, system.Missing())
	}
	dir := t.TempDir()
	if err := system.TryOverlay(t.Context(), dir); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the trial left %v, %v", entries, err)
	}
}

func TestPRE08_WhatIsMountedInTheFolderIsFound(t *testing.T) {
	for folder, want := range map[string]bool{"/": true, "/nowhere": false, "/pro": false} {
		path, err := MountIn(folder)
		if err != nil || (path != "") != want {
			t.Errorf("in %s: %q, %v", folder, path, err)
		}
	}
	if got := unescape(`/a\040b\134c\0`); got != `/a b\c\0` {
		t.Errorf("unescaped to %q", got)
	}
}

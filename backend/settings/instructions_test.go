package settings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/settings"
)

func TestMSG10_AChoiceIsForOneText(t *testing.T) {
	var state settings.State
	decide := func(workspace, sha256 string, use bool) {
		state.DecideInstructions(settings.InstructionsChoice{Workspace: workspace, SHA256: sha256, Use: use})
	}
	decide("/a", "old", true)
	before := state.Instructions
	decide("/b", "b", false)
	decide("/a", "new", true)
	for _, test := range []struct {
		workspace, sha256 string
		use, decided      bool
	}{
		{"/a", "new", true, true},
		{"/a", "old", false, false},
		{"/b", "b", false, true},
		{"/b", "", false, false},
		{"/c", "new", false, false},
	} {
		if use, decided := state.UseInstructions(test.workspace, test.sha256); use != test.use || decided != test.decided {
			t.Errorf("%s %s: use %t, decided %t", test.workspace, test.sha256, use, decided)
		}
	}
	if len(state.Instructions) != 2 || before[0].SHA256 != "old" {
		t.Errorf("there are %v, and an older copy has %v", state.Instructions, before)
	}
}

func TestMSG10_TheNewestChoicesAreKept(t *testing.T) {
	var state settings.State
	for i := range 101 {
		state.DecideInstructions(settings.InstructionsChoice{Workspace: fmt.Sprint("/", i), SHA256: "x", Use: true})
	}
	if _, decided := state.UseInstructions("/0", "x"); decided || len(state.Instructions) != 100 {
		t.Errorf("of 101 there are %d, the oldest %t", len(state.Instructions), decided)
	}
	state.Instructions = append(state.Instructions, settings.InstructionsChoice{Workspace: "/0"})
	folder := t.TempDir()
	if err := state.Write(folder); err != nil {
		t.Fatal(err)
	}
	read, err := settings.ReadState(folder)
	if diff := cmp.Diff(state.Instructions[:100], read.Instructions); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

func TestAnOlderStateIsRead(t *testing.T) {
	folder := t.TempDir()
	content := `{"version": 1, "recent": ["/a"], "workspace": "/a", "session": "s", "theme": "dark"}`
	if err := os.WriteFile(filepath.Join(folder, settings.StateFile), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	state, err := settings.ReadState(folder)
	want := settings.State{Version: 1, Recent: []string{"/a"}, Workspace: "/a", Session: "s", Theme: "dark"}
	if diff := cmp.Diff(want, state); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

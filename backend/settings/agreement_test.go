package settings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/settings"
)

func TestMSG10_AnAgreementIsToOneText(t *testing.T) {
	var state settings.State
	about := func(workspace, kind, path, sha256 string) settings.Agreement {
		return settings.Agreement{Workspace: workspace, Kind: kind, Path: path, SHA256: sha256}
	}
	decide := func(a settings.Agreement, use bool) {
		a.Use = use
		state.Agree(a)
	}
	decide(about("/a", "instructions", "AGENTS.md", "old"), true)
	before := state.Agreements
	decide(about("/b", "instructions", "AGENTS.md", "b"), false)
	decide(about("/a", "instructions", "AGENTS.md", "new"), true)
	decide(about("/a", "instructions", "sub/AGENTS.md", "sub"), true)
	decide(about("/a", "skill", "AGENTS.md", "skill"), false)
	for _, test := range []struct {
		asked        settings.Agreement
		use, decided bool
	}{
		{about("/a", "instructions", "AGENTS.md", "new"), true, true},
		{about("/a", "instructions", "AGENTS.md", "old"), false, false},
		{about("/a", "instructions", "sub/AGENTS.md", "sub"), true, true},
		{about("/a", "instructions", "sub/AGENTS.md", "new"), false, false},
		{about("/a", "skill", "AGENTS.md", "skill"), false, true},
		{about("/b", "instructions", "AGENTS.md", "b"), false, true},
		{about("/b", "instructions", "AGENTS.md", ""), false, false},
		{about("/c", "instructions", "AGENTS.md", "new"), false, false},
	} {
		if use, decided := state.Agreed(test.asked); use != test.use || decided != test.decided {
			t.Errorf("%v: use %t, decided %t", test.asked, use, decided)
		}
	}
	if len(state.Agreements) != 4 || before[0].SHA256 != "old" {
		t.Errorf("there are %v, and an older copy has %v", state.Agreements, before)
	}
}

func TestMSG10_TheNewestAgreementsAreKept(t *testing.T) {
	var state settings.State
	for i := range 1001 {
		state.Agree(settings.Agreement{Workspace: fmt.Sprint("/", i), SHA256: "x", Use: true})
	}
	if _, decided := state.Agreed(settings.Agreement{Workspace: "/0", SHA256: "x"}); decided || len(state.Agreements) != 1000 {
		t.Errorf("of 1001 there are %d, the oldest %t", len(state.Agreements), decided)
	}
	state.Agreements = append(state.Agreements, settings.Agreement{Workspace: "/0"})
	folder := t.TempDir()
	if err := state.Write(folder); err != nil {
		t.Fatal(err)
	}
	read, err := settings.ReadState(folder)
	if diff := cmp.Diff(state.Agreements[:1000], read.Agreements); err != nil || diff != "" {
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

package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/settings"
)

func fullState() settings.State {
	return settings.State{
		Version: 1, Recent: []string{"/home/ann/b", "/home/ann/a"}, Workspace: "/home/ann/b",
		Model:    settings.ModelChoice{Provider: "openai", BaseURL: "https://api.openai.com/v1", Model: "m"},
		Window:   settings.Place{X: -5, Y: 10, Width: 1200, Height: 800, Maximised: true},
		Language: "zh-CN", Theme: "dark",
		Layout:     settings.Layout{Zoom: 1.25, Sidebar: "closed", Desk: "open", DeskWidth: 480, Tab: "preview", File: "a.txt", Folder: "/home/ann/b"},
		Agreements: []settings.Agreement{{Workspace: "/home/ann/b", Kind: "instructions", Path: "AGENTS.md", SHA256: "ab12", Use: true}},
	}
}

func TestStateIsRemembered(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "state")
	if state, err := settings.ReadState(folder); err != nil || !cmp.Equal(state, settings.State{}) {
		t.Errorf("first start: %+v, %v", state, err)
	}
	want := fullState()
	for range 2 { // the second time in place of a file
		if err := want.Write(folder); err != nil {
			t.Fatal(err)
		}
		got, err := settings.ReadState(folder)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v %s", err, diff)
		}
		want.Theme = "light"
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 || entries[0].Name() != settings.StateFile {
		t.Fatalf("the folder holds %v, %v", entries, err)
	}
	info, err := entries[0].Info()
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v", info.Mode().Perm(), err)
	}
}

func TestDESK08_ALayoutThatCannotBeIsLeftOut(t *testing.T) {
	folder := t.TempDir()
	for _, layout := range []settings.Layout{{Zoom: 3}, {Zoom: -1}, {Sidebar: "wide"}, {Desk: "wide"}, {DeskWidth: -1}, {Tab: "other"}} {
		if layout.Check() == nil {
			t.Errorf("%+v is taken", layout)
		}
		state := fullState()
		state.Layout = layout
		if err := state.Write(folder); err != nil {
			t.Fatal(err)
		}
		got, err := settings.ReadState(folder)
		if err != nil || got.Layout != (settings.Layout{}) || got.Theme != "dark" {
			t.Errorf("%+v: read %+v, %v", layout, got, err)
		}
	}
}

func TestStateThatCannotBeUsedIsSetAside(t *testing.T) {
	for name, content := range map[string]string{
		"no JSON":         `{"version": 1, "recent": [`,
		"another version": `{"version": 2}`,
		"no version":      `{}`,
		"another type":    `{"version": 1, "recent": "a"}`,
		"a language":      `{"version": 1, "language": "xx"}`,
		"a theme":         `{"version": 1, "theme": "pink"}`,
		"a size":          `{"version": 1, "window": {"width": -1}}`,
		"too large":       `{"version": 1, "workspace": "` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, settings.StateFile)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			state, err := settings.ReadState(folder)
			fault, ok := errors.AsType[*settings.StateError](err)
			if !ok || !cmp.Equal(state, settings.State{}) || fault.Path != path || fault.Aside != path+".broken" {
				t.Fatalf("state %+v, error %v", state, err)
			}
			if err := state.Write(folder); err != nil {
				t.Fatal(err)
			}
			if kept, err := os.ReadFile(fault.Aside); err != nil || string(kept) != content {
				t.Errorf("the broken file is lost: %v", err)
			}
			if _, err := settings.ReadState(folder); err != nil {
				t.Errorf("the next start: %v", err)
			}
		})
	}
}

func TestStateThatCannotBeWrittenIsAnError(t *testing.T) {
	folder := t.TempDir()
	// A folder in its place, with something inside, cannot be replaced.
	if err := os.MkdirAll(filepath.Join(folder, settings.StateFile, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := (settings.State{}).Write(folder); err == nil {
		t.Error("a folder was replaced")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestOpenedFoldersAreRemembered(t *testing.T) {
	var state settings.State
	for i := range 12 {
		state.Opened(fmt.Sprint("/", i))
	}
	before := state.Recent
	state.Opened("/5")
	want := []string{"/5", "/11", "/10", "/9", "/8", "/7", "/6", "/4", "/3", "/2"}
	if diff := cmp.Diff(want, state.Recent); diff != "" || state.Workspace != "/5" {
		t.Errorf("workspace %s, recent %s", state.Workspace, diff)
	}
	if before[0] != "/11" {
		t.Errorf("an older copy was changed: %v", before)
	}
}

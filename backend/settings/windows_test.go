package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"fairlead/backend/settings"
)

const here = "https://example.com/v1"

// known is what is learned of a model.
func known(t *testing.T, folder, baseURL, model string) int {
	t.Helper()
	windows, err := settings.ReadWindows(folder)
	if err != nil {
		t.Fatal(err)
	}
	return windows.Of(baseURL, model)
}

func learn(t *testing.T, folder, model string, tokens int) {
	t.Helper()
	if err := settings.LearnWindow(folder, here, model, tokens); err != nil {
		t.Fatal(err)
	}
}

func TestContextWindowsAreLearned(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "state")
	if tokens := known(t, folder, here, "m"); tokens != 0 {
		t.Errorf("%d tokens before any was learned", tokens)
	}
	learn(t, folder, "m", 131_072)
	learn(t, folder, "m", 131_072)
	learn(t, folder, "n", 4_097)
	learn(t, folder, "m", 65_536)
	for model, want := range map[string]int{"m": 65_536, "n": 4_097, "other": 0} {
		if tokens := known(t, folder, here, model); tokens != want {
			t.Errorf("%s takes %d tokens, want %d", model, tokens, want)
		}
	}
	if tokens := known(t, folder, "https://example.org/v1", "m"); tokens != 0 {
		t.Errorf("the same name elsewhere takes %d tokens", tokens)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 || entries[0].Name() != settings.WindowsFile {
		t.Fatalf("the folder holds %v, %v", entries, err)
	}
	info, err := entries[0].Info()
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v", info.Mode().Perm(), err)
	}
}

func TestContextWindowsLearnedAtOnceAreAllKept(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := settings.LearnWindow(folder, here, fmt.Sprint(i), i+1); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range 20 {
		if tokens := known(t, folder, here, fmt.Sprint(i)); tokens != i+1 {
			t.Errorf("%d takes %d tokens", i, tokens)
		}
	}
}

func TestTheNewestContextWindowsAreKept(t *testing.T) {
	folder := t.TempDir()
	for i := range 201 {
		learn(t, folder, fmt.Sprint(i), 1000)
	}
	if oldest, next := known(t, folder, here, "0"), known(t, folder, here, "1"); oldest != 0 || next != 1000 {
		t.Errorf("the oldest takes %d tokens, the next %d", oldest, next)
	}
}

func TestAContextWindowThatCannotBeIsNotLearned(t *testing.T) {
	folder := t.TempDir()
	for _, tokens := range []int{-1, 0, 100_000_001} {
		if err := settings.LearnWindow(folder, here, "m", tokens); err == nil {
			t.Errorf("%d tokens were learned", tokens)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

func TestContextWindowsThatCannotBeReadAreSetAside(t *testing.T) {
	for name, content := range map[string]string{
		"no JSON":         `{"version": 1, "windows": [`,
		"another version": `{"version": 2, "windows": []}`,
		"no version":      `[]`,
		"no tokens":       `{"version": 1, "windows": [{"baseUrl": "x", "model": "m", "tokens": 0}]}`,
		"too many tokens": `{"version": 1, "windows": [{"baseUrl": "x", "model": "m", "tokens": 100000001}]}`,
		"too large":       `{"version": 1}` + strings.Repeat(" ", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, settings.WindowsFile)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			err := settings.LearnWindow(folder, here, "m", 4_097)
			fault, ok := errors.AsType[*settings.StateError](err)
			if !ok || fault.Path != path || fault.Aside != path+".broken" {
				t.Fatalf("error %v", err)
			}
			if kept, err := os.ReadFile(fault.Aside); err != nil || string(kept) != content {
				t.Errorf("the broken file is lost: %v", err)
			}
			if tokens := known(t, folder, here, "m"); tokens != 4_097 {
				t.Errorf("it takes %d tokens", tokens)
			}
		})
	}
}

func TestAContextWindowThatCannotBeWrittenIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := settings.LearnWindow(filepath.Join(file, "below"), here, "m", 1); err == nil {
		t.Error("a folder below a file was made")
	}
}

package settings_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/settings"
)

func TestCLI01_DataDirMovesAllState(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	got, err := settings.FindFolders("state")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(here, "state")
	if diff := cmp.Diff(settings.Folders{Config: dir, Data: dir, State: dir}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder was created: %v", err)
	}
}

func TestCFG01_FoldersFollowTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "c"))
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "d"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "s"))
	got, err := settings.FindFolders("")
	if err != nil {
		t.Fatal(err)
	}
	want := settings.Folders{
		Config: filepath.Join(dir, "c", "fairlead"),
		Data:   filepath.Join(dir, "d", "fairlead"),
		State:  filepath.Join(dir, "s", "fairlead"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFoldersNeedAHome(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows asks the system, not the environment")
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, "")
	}
	if got, err := settings.FindFolders(""); err == nil {
		t.Errorf("folders without a home: %+v", got)
	}
}

func TestMakeFolderIsForThisUserOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := settings.MakeFolder(dir); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("mode = %v", info.Mode().Perm())
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := settings.MakeFolder(filepath.Join(file, "below")); err == nil {
		t.Error("a folder below a file was made")
	}
}

package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/message"
)

func TestSEC09_AFolderIsOpenedForWhatItWas(t *testing.T) {
	base := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(base, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(base, name+".txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	refused := func(what string, err error) {
		t.Helper()
		if failure, ok := errors.AsType[*message.ToolError](err); !ok || failure.Code != message.StaleFile {
			t.Errorf("%s: %v, want %s", what, err, message.StaleFile)
		}
	}
	top := f.topDir()
	for _, name := range []string{"a", "a.txt"} {
		seen, err := top.root.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		other := "b" + name[1:]
		if name == "a" {
			_, err = top.openSeen(other, seen)
		} else {
			_, err = top.open(other, seen)
		}
		refused("another one", err)
		if err := os.RemoveAll(filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
		if name == "a" {
			_, err = top.openSeen(name, seen)
		} else {
			_, err = top.open(name, seen)
		}
		refused("one that is gone", err)
	}
}

package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/workspace"

	"github.com/google/go-cmp/cmp"
)

func TestListShowsOneLevel(t *testing.T) {
	folder, dir, outside := open(t)
	for path, content := range map[string]string{
		".gitignore": "*.log\nbuild/\n", "x.log": "", "build/out": "", "node_modules/m.js": "", ".git/config": "",
		"B.txt": "1234", "Émile.txt": "", "z/deep/f": "", "Sub2/f": "", "sub/x.log": "", "sub/.gitignore": "!x.log\nb.txt\n",
		".ssh/id_rsa": "",
	} {
		write(t, filepath.Join(dir, path), content)
	}
	linked := linkAll(t, dir, map[string]string{"way-out": outside, "inside": "sub"})
	got, err := folder.List(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	want := workspace.Listing{Path: ".", Entries: []workspace.TreeEntry{
		{Name: ".ssh", Path: ".ssh", Folder: true, Secret: true},
		{Name: "sub", Path: "sub", Folder: true},
		{Name: "Sub2", Path: "Sub2", Folder: true},
		{Name: "z", Path: "z", Folder: true},
		{Name: ".env", Path: ".env", Secret: true, Size: 9},
		{Name: ".gitignore", Path: ".gitignore", Size: 13},
		{Name: "a.txt", Path: "a.txt", Size: 2},
		{Name: "B.txt", Path: "B.txt", Size: 4},
		{Name: "inside", Path: "inside", Link: true},
		{Name: "way-out", Path: "way-out", Link: true},
		{Name: "Émile.txt", Path: "Émile.txt"},
	}}
	names := []string{"sub", filepath.Join(dir, "sub"), "z/../sub/"}
	if linked {
		names = append(names, "inside")
	} else {
		want.Entries = slices.DeleteFunc(want.Entries, func(e workspace.TreeEntry) bool { return e.Link })
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	want = workspace.Listing{Path: "sub", Entries: []workspace.TreeEntry{
		{Name: ".gitignore", Path: "sub/.gitignore", Size: 13},
		{Name: "x.log", Path: "sub/x.log"},
	}}
	for _, name := range names {
		got, err := folder.List(t.Context(), name)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("List(%q): %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestTOOL02_ListStaysInside(t *testing.T) {
	folder, dir, outside := open(t)
	codes := map[string]message.ToolCode{
		"..": message.PathOutsideWorkspace, outside: message.PathOutsideWorkspace, "missing": message.FileNotFound,
		"a.txt": message.UnsupportedFile,
	}
	if sandboxtest.TryLink(t, outside, filepath.Join(dir, "way-out")) {
		codes["way-out"], codes["way-out/deep"] = message.PathOutsideWorkspace, message.PathOutsideWorkspace
	}
	for name, want := range codes {
		if got, err := folder.List(t.Context(), name); code(err) != want || got.Entries != nil {
			t.Errorf("List(%q) = %+v, %v; want %s", name, got, err, want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := folder.List(ended, "."); !errors.Is(err, context.Canceled) {
		t.Errorf("List after the end: %v", err)
	}
}

func TestListIsBounded(t *testing.T) {
	folder, dir, _ := open(t)
	for i := range 5001 {
		write(t, filepath.Join(dir, "many", fmt.Sprintf("%04d", i)), "")
	}
	got, err := folder.List(t.Context(), "many")
	if err != nil || !got.More || len(got.Entries) != 5000 || got.Entries[4999].Name != "4999" {
		t.Errorf("%d entries, more %v, %v", len(got.Entries), got.More, err)
	}
	write(t, filepath.Join(dir, "many", ".gitignore"), "4*\n.gitignore\n")
	got, err = folder.List(t.Context(), "many")
	if err != nil || got.More || len(got.Entries) != 4001 {
		t.Errorf("%d entries, more %v, %v", len(got.Entries), got.More, err)
	}
	if got, err := folder.List(t.Context(), "sub"); err != nil || got.More {
		t.Errorf("more %v, %v", got.More, err)
	}
}

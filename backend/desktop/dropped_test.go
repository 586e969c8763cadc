package desktop_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/desktop"
	"fairlead/backend/workspace/names"
)

func TestDOC03_WhatIsDroppedAndNamedIsFoundInTheFolder(t *testing.T) {
	s := open(t, "", nil)
	folders := service[*desktop.Folders](s)
	outside := filepath.Join(t.TempDir(), "report.txt")
	inside := filepath.Join(s.folder, "notes.txt")
	for _, path := range []string{outside, inside} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var none desktop.NameList
	s.read("/fairlead/names?typed=notes", &none)
	if len(none.Names) != 0 || !none.Whole {
		t.Errorf("without a folder: %+v", none)
	}
	if _, err := folders.CopyIn([]string{outside}); code(t, err) != desktop.CodeNoFolder {
		t.Errorf("copied without a folder: %v", err)
	}
	s.ready()
	if chosen, err := folders.ChooseFiles(); err != nil || chosen == nil || len(chosen) > 0 {
		t.Errorf("when none is chosen: %#v, %v", chosen, err)
	}
	s.screen.chosen = []string{outside, inside}
	if chosen, err := folders.ChooseFiles(); err != nil || len(chosen) != 2 {
		t.Errorf("chosen are %q, %v", chosen, err)
	}
	located, err := folders.Locate([]string{outside, inside, filepath.Dir(outside)})
	want := []desktop.Dropped{{Path: outside}, {Path: inside, Local: "notes.txt"}, {Path: filepath.Dir(outside), Folder: true}}
	if diff := cmp.Diff(want, located); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if _, err := folders.Locate(make([]string, 101)); code(t, err) != desktop.CodeUsage {
		t.Errorf("too many: %v", err)
	}
	copied, err := folders.CopyIn([]string{outside})
	if diff := cmp.Diff([]names.Name{{Path: "report.txt"}}, copied); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	var found desktop.NameList
	for !found.Whole {
		s.read("/fairlead/names?typed=rep", &found)
	}
	if diff := cmp.Diff([]names.Name{{Path: "report.txt"}}, found.Names); diff != "" {
		t.Error(diff)
	}
}

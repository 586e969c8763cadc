package leftover

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
)

// plant has a process plant a file called x.
func plant(t *testing.T, r *Record, folder string) (*Planted, bool) {
	t.Helper()
	root, err := os.OpenRoot(folder)
	must(t, err)
	t.Cleanup(func() { _ = root.Close() })
	return r.Plant(root, folder, "x", ".\n")
}

func TestREL04_APlantedFileGoesWithItsLastUser(t *testing.T) {
	dir, folder := folders(t)
	first, second := newRecord(t, dir), newRecord(t, dir)
	one, ok := plant(t, first, folder)
	two, also := plant(t, second, folder)
	if !ok || !also {
		t.Fatalf("planted: %v, %v", ok, also)
	}
	must(t, one.Remove(one.root, "x"))
	if found := names(t, folder); len(found) != 1 {
		t.Errorf("there is %q", found)
	}
	must(t, two.Remove(two.root, "x"))
	if found := names(t, folder); len(found) > 0 {
		t.Errorf("there is %q", found)
	}
	for _, r := range []*Record{first, second} {
		must(t, r.Close())
	}
}

func TestREL04_APlantedFileStaysWhileOneOfItsUsersLives(t *testing.T) {
	dir, folder := folders(t)
	dead, living := newRecord(t, dir), newRecord(t, dir)
	_, ok := plant(t, dead, folder)
	used, also := plant(t, living, folder)
	if !ok || !also {
		t.Fatalf("planted: %v, %v", ok, also)
	}
	kill(t, dead)
	must(t, Sweep(dir, folder))
	if found := names(t, folder); len(found) != 1 {
		t.Errorf("there is %q", found)
	}
	must(t, used.Remove(used.root, "x"))
	if found := names(t, folder); len(found) > 0 {
		t.Errorf("there is %q", found)
	}
}

func TestREL04_WhatNobodyPlantedIsNotUsed(t *testing.T) {
	dir, folder := folders(t)
	// A linked working tree has one of its own, and one can hold what we would plant.
	write(t, folder+"/x", ".\n")
	for _, r := range []*Record{nil, newRecord(t, dir)} {
		if _, ok := plant(t, r, folder); ok {
			t.Error("it was planted")
		}
	}
	if found := names(t, folder); len(found) != 1 {
		t.Errorf("there is %q", found)
	}
}

func TestREL04_APlantedFolderGoesWhileItIsEmpty(t *testing.T) {
	for _, used := range []bool{false, true} {
		dir, folder := folders(t)
		root, err := os.OpenRoot(folder)
		must(t, err)
		defer root.Close()
		r := newRecord(t, dir)
		p, ok := r.PlantFolder(root, folder, "hooks")
		if !ok {
			t.Fatal("it was not planted")
		}
		if used {
			write(t, folder+"/hooks/pre-commit", "")
		}
		must(t, p.Remove(root, "hooks"))
		if found := names(t, folder); len(found) > 0 != used {
			t.Errorf("used %v: there is %q", used, found)
		}
	}
}

func TestREL04_AKilledPlanterIsCleanedUpAfter(t *testing.T) {
	dir, folder := folders(t)
	root, err := os.OpenRoot(folder)
	must(t, err)
	defer root.Close()
	r := newRecord(t, dir)
	if _, ok := r.Plant(root, folder, "x", ""); !ok {
		t.Fatal("it was not planted")
	}
	if _, ok := r.PlantFolder(root, folder, "hooks"); !ok {
		t.Fatal("it was not planted")
	}
	kill(t, r)
	must(t, Sweep(dir, folder))
	if found := names(t, folder); len(found) > 0 {
		t.Errorf("there is %q", found)
	}
}

// A process that is stopped while it looks through the records stops nobody else.
func TestREL04_AnotherProcessIsNotWaitedForForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, folder := folders(t)
		dead := newRecord(t, dir)
		_, err := dead.Add(written(folder, "left", write(t, folder+"/left", "text")))
		must(t, err)
		kill(t, dead)
		stopped, err := Hold(filepath.Join(dir, exclusiveName), true)
		must(t, err)
		p, ok := plant(t, newRecord(t, dir), folder)
		if !ok {
			t.Fatal("it was not planted")
		}
		if err := Sweep(dir, folder); !errors.Is(err, errBusy) {
			t.Errorf("sweep: %v", err)
		}
		if err := p.Remove(p.root, "x"); !errors.Is(err, errBusy) {
			t.Errorf("remove: %v", err)
		}
		must(t, stopped.Close())
		kill(t, p.record)
		must(t, Sweep(dir, folder))
		if found := names(t, folder); len(found) > 0 {
			t.Errorf("left are %q", found)
		}
	})
}

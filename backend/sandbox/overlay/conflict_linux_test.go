package overlay_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"

	"golang.org/x/sys/unix"
)

// TestPRE05_WhatOthersChangedMeanwhileWins has somebody else change a path that a command
// changes too, after it began: that is a collision, and nothing of theirs is lost.
func TestPRE05_WhatOthersChangedMeanwhileWins(t *testing.T) {
	for name, test := range map[string]struct {
		line string
		// other is what somebody else does in the folder, and path where the collision is.
		other func(t *testing.T, folder string)
		path  string
	}{
		"both edit":           {"echo command >>a.txt", func(t *testing.T, folder string) { write(t, folder, "a.txt", "theirs") }, "a.txt"},
		"both make":           {"echo command >new", func(t *testing.T, folder string) { write(t, folder, "new", "theirs") }, "new"},
		"edited and deleted":  {"rm a.txt", func(t *testing.T, folder string) { write(t, folder, "a.txt", "theirs") }, "a.txt"},
		"deleted and edited":  {"echo command >>a.txt", func(t *testing.T, folder string) { must(t, os.Remove(filepath.Join(folder, "a.txt"))) }, "a.txt"},
		"replaced":            {"echo command >>a.txt", replaceFile, "a.txt"},
		"another mode":        {"chmod 600 a.txt", func(t *testing.T, folder string) { must(t, os.Chmod(filepath.Join(folder, "a.txt"), 0o664)) }, "a.txt"},
		"a folder goes":       {"rm -r sub", func(t *testing.T, folder string) { write(t, folder, "sub/new", "theirs") }, "sub"},
		"in a folder it made": {"mkdir d && echo x >d/x", func(t *testing.T, folder string) { write(t, folder, "d/x", "theirs") }, "d/x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			layer, _ := r.try(test.line)
			defer func() { must(t, layer.Remove()) }()
			test.other(t, r.folder)
			theirs := changetest.Snapshot(t, r.folder)
			p := r.read(layer)
			found := false
			for i, collision := range p.Collisions {
				if string(p.Changes[i].Path) == test.path && collision == change.CollisionMeanwhile {
					found = true
				}
			}
			if !found {
				t.Errorf("no collision at %s: %v in %+v", test.path, p.Collisions, p.Changes)
			}
			_, err := r.ApplyLayer(t.Context(), "call", p, func(i int) bool { return p.Collisions[i] == "" })
			must(t, err)
			if now := changetest.Snapshot(t, r.folder); now[test.path].Content != theirs[test.path].Content || now[test.path].Mode != theirs[test.path].Mode {
				t.Errorf("%s became %+v, of others it was %+v", test.path, now[test.path], theirs[test.path])
			}
		})
	}
}

func write(t *testing.T, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, name)
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func replaceFile(t *testing.T, folder string) {
	t.Helper()
	write(t, folder, "t", "theirs")
	must(t, os.Rename(filepath.Join(folder, "t"), filepath.Join(folder, "a.txt")))
}

// TestPRE05_WhatChangedBeforeIsNoCollision has somebody else change a file right before the
// command begins, which then changes it too.
func TestPRE05_WhatChangedBeforeIsNoCollision(t *testing.T) {
	r := newRig(t)
	for range 20 {
		write(t, r.folder, "a.txt", time.Now().String())
		layer, _ := r.try("echo command >>a.txt")
		if p := r.read(layer); len(p.Collisions) > 0 || len(p.Changes) != 1 {
			t.Errorf("%+v, collisions %v", p.Changes, p.Collisions)
		}
		must(t, layer.Remove())
	}
}

// TestPRE04_WhatIsOpenForWritingIsHeld has another program hold a file open that the command
// replaces.
func TestPRE04_WhatIsOpenForWritingIsHeld(t *testing.T) {
	r := newRig(t)
	file, err := os.OpenFile(filepath.Join(r.folder, "a.txt"), os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	defer file.Close()
	layer, _ := r.try("echo command >>a.txt; rm sub/b.txt")
	defer func() { must(t, layer.Remove()) }()
	p := r.read(layer)
	for i, c := range p.Changes {
		want := change.Collision("")
		if c.Path == "a.txt" {
			want = change.CollisionOpen
		}
		if p.Collisions[i] != want {
			t.Errorf("%s: %q, want %q", c.Path, p.Collisions[i], want)
		}
	}
}

// TestPRE05_WhatIsStillOpenInTheLayerIsCopied has somebody hold a file of the layer open for
// writing, as one whom a command has sent a descriptor could: what they write later does not
// reach the folder.
func TestPRE05_WhatIsStillOpenInTheLayerIsCopied(t *testing.T) {
	r := newRig(t)
	layer, _ := r.try("echo command >>a.txt; echo new >new; mkdir dir; echo in >dir/in")
	var open []*os.File
	for _, name := range []string{"a.txt", "new", "dir/in"} {
		file, err := layer.Upper.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		must(t, err)
		open = append(open, file)
	}
	memory, err := unix.Mmap(int(mapped(t, layer.Upper).Fd()), 0, 4, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	must(t, err)
	_, err = r.ApplyLayer(t.Context(), "call", r.read(layer), func(int) bool { return true })
	must(t, err)
	for _, file := range open {
		_, err := file.WriteString("late")
		must(t, err)
		must(t, file.Close())
	}
	copy(memory, "late")
	must(t, unix.Munmap(memory))
	for name, want := range map[string]string{"a.txt": "one\ncommand\n", "new": "new\n", "dir/in": "in\n"} {
		if text, err := os.ReadFile(filepath.Join(r.folder, name)); err != nil || string(text) != want {
			t.Errorf("%s holds %q, %v", name, text, err)
		}
	}
	must(t, layer.Remove())
}

// meanwhile is a context that does something whenever it is asked if it has ended.
type meanwhile struct {
	context.Context
	do func()
}

func (m meanwhile) Err() error {
	m.do()
	return m.Context.Err()
}

// TestPRE05_AnApplyGoesOnWithoutWhatChangesAtThatMoment has somebody change one file after the other
// while changes of all of them are applied: those stay theirs, and the others are applied. A
// database is among what is changed, which is looked at right before what is there is kept.
func TestPRE05_AnApplyGoesOnWithoutWhatChangesAtThatMoment(t *testing.T) {
	r := newRig(t)
	const files, replaced = 32, 4
	for n := range files {
		write(t, r.folder, fmt.Sprint(n), "begin\n")
	}
	write(t, r.folder, "x.db", "x")
	write(t, r.folder, "x.db-wal", "x")
	layer, _ := r.try("for n in $(seq 0 31); do echo command >>$n; done; echo x >>x.db; echo x >>x.db-wal")
	defer func() { must(t, layer.Remove()) }()
	changed := 0
	set, err := r.ApplyLayer(meanwhile{t.Context(), func() {
		if changed < replaced {
			write(t, r.folder, "t", "theirs\n")
			must(t, os.Rename(filepath.Join(r.folder, "t"), filepath.Join(r.folder, fmt.Sprint(changed))))
			changed++
		}
	}}, "call", r.read(layer), func(int) bool { return true })
	must(t, err)
	if changed != replaced || len(set.Changes) != files-replaced+2 {
		t.Fatalf("%d files were changed, and %d changes made", changed, len(set.Changes))
	}
	now := changetest.Snapshot(t, r.folder)
	for n := range files {
		want := "begin\ncommand\n"
		if n < replaced {
			want = "theirs\n"
		}
		if got := now[fmt.Sprint(n)].Content; got != want {
			t.Errorf("%d holds %q, want %q", n, got, want)
		}
	}
}

// journal does something before it saves sets.
type journal struct {
	change.Journal
	before func()
}

func (j journal) SaveSets(ctx context.Context, sync bool, sets ...change.Set) error {
	j.before()
	return j.Journal.SaveSets(ctx, sync, sets...)
}

// TestPRE05_WhoOpensAFileBeforeItIsReplacedWritesToTheFolder has somebody open files right before
// what a command has made of them takes their place, and write to them later: that is not applied,
// and what they write is in the folder.
func TestPRE05_WhoOpensAFileBeforeItIsReplacedWritesToTheFolder(t *testing.T) {
	r := newRig(t)
	write(t, r.folder, "deleted", "begin\n")
	options := r.Options
	var opened []*os.File
	options.Journal = journal{r.Journal, func() {
		if len(opened) > 0 {
			return
		}
		for _, name := range []string{"run.sh", "deleted"} {
			file, err := os.OpenFile(filepath.Join(r.folder, name), os.O_WRONLY|os.O_APPEND, 0)
			must(t, err)
			opened = append(opened, file)
		}
	}}
	recorder := change.NewRecorder(options)
	defer func() { must(t, recorder.Close()) }()
	layer, _ := r.try("echo command >>a.txt; echo command >>run.sh; rm deleted")
	defer func() { must(t, layer.Remove()) }()
	set, err := recorder.ApplyLayer(t.Context(), "call", r.read(layer), func(int) bool { return true })
	must(t, err)
	if len(set.Changes) != 1 || set.Changes[0].Path != "a.txt" {
		t.Errorf("applied: %+v", set.Changes)
	}
	for _, file := range opened {
		_, err := file.WriteString("theirs\n")
		must(t, err)
		must(t, file.Close())
		if text, err := os.ReadFile(file.Name()); err != nil || !strings.HasSuffix(string(text), "theirs\n") || strings.Contains(string(text), "command") {
			t.Errorf("%s holds %q, %v", file.Name(), text, err)
		}
	}
}

// mapped opens a file of the layer to be mapped. It is closed with the test.
func mapped(t *testing.T, upper *os.Root) *os.File {
	t.Helper()
	file, err := upper.OpenFile("new", os.O_RDWR, 0)
	must(t, err)
	t.Cleanup(func() { file.Close() })
	return file
}

// TestPRE05_OfANewFolderOnlyWhatWasShownIsApplied has something appear in a new folder of the
// layer, and something change in another one, after it was read.
func TestPRE05_OfANewFolderOnlyWhatWasShownIsApplied(t *testing.T) {
	r := newRig(t)
	layer, _ := r.try("mkdir -p one/sub two; echo a >one/sub/a; echo b >one/b; echo c >two/c; ln -s b one/link")
	p := r.read(layer)
	must(t, layer.Upper.WriteFile("one/sub/late", []byte("late\n"), 0o644))
	must(t, layer.Upper.WriteFile("two/c", []byte("other\n"), 0o644))
	set, err := r.ApplyLayer(t.Context(), "call", p, func(int) bool { return true })
	must(t, err)
	var applied []string
	for _, c := range set.Changes {
		applied = append(applied, string(c.Path))
	}
	slices.Sort(applied)
	if want := []string{"one", "one/b", "one/link", "one/sub", "one/sub/a", "two"}; !slices.Equal(applied, want) {
		t.Errorf("applied %v, want %v", applied, want)
	}
	now := changetest.Snapshot(t, r.folder)
	for _, name := range []string{"one/sub/late", "two/c"} {
		if _, ok := now[name]; ok {
			t.Errorf("%s is there", name)
		}
		if _, err := layer.Upper.Lstat(name); err != nil {
			t.Errorf("what the layer has: %v", err)
		}
	}
	must(t, layer.Remove())
}

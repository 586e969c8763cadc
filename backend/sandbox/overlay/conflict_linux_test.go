package overlay_test

import (
	"os"
	"path/filepath"
	"slices"
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

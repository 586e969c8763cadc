package leftover

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"fairlead/backend/sandbox/sandboxtest"
)

// newRecord is a record that is closed with its test: Windows does not delete it before.
func newRecord(t *testing.T, dir string) *Record {
	t.Helper()
	r := New(dir)
	t.Cleanup(func() { _ = r.Close() }) // a test may have ended it
	return r
}

// kill ends a record as the end of its process does.
func kill(t *testing.T, r *Record) {
	t.Helper()
	if r.file != nil {
		must(t, r.file.Close())
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// folders are the folder of the records and that of the user.
func folders(t *testing.T) (dir, folder string) {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return filepath.Join(t.TempDir(), "left"), folder
}

func write(t *testing.T, path, text string) os.FileInfo {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
	info, err := os.Lstat(path)
	must(t, err)
	return info
}

// names are what lies in a folder.
func names(t *testing.T, dir string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		found = append(found, e.Name())
	}
	return found
}

// written is a file that a write has left.
func written(folder, name string, info os.FileInfo) Thing {
	return Thing{Kind: File, Root: Path(folder), Name: Path(name), Inode: inodeOf(info), Size: info.Size(), Modified: info.ModTime(), Since: time.Now()}
}

func TestREL04_OnlyWhatIsStillOursIsTakenAway(t *testing.T) {
	tests := []struct {
		name string
		// make makes something called x and returns what is on record.
		make func(t *testing.T, folder string) Thing
		left bool
	}{
		{"a file as it was written", func(t *testing.T, folder string) Thing {
			return written(folder, "x", write(t, folder+"/x", "text"))
		}, false},
		{"a file of a name that is not UTF-8", func(t *testing.T, folder string) Thing {
			return written(folder, "\xff", write(t, folder+"/\xff", "text"))
		}, false},
		{"another file of that name", func(t *testing.T, folder string) Thing {
			if runtime.GOOS == "windows" {
				t.Skip("a description of a file on Windows holds no number")
			}
			thing := written(folder, "x", write(t, folder+"/x", "text"))
			old, err := os.Open(folder + "/x") // its inode is not given to another
			must(t, err)
			t.Cleanup(func() { _ = old.Close() })
			must(t, os.Remove(folder+"/x"))
			write(t, folder+"/x", "text")
			must(t, os.Chtimes(folder+"/x", time.Time{}, thing.Modified))
			return thing
		}, true},
		{"a file that was written to", func(t *testing.T, folder string) Thing {
			thing := written(folder, "x", write(t, folder+"/x", "text"))
			write(t, folder+"/x", "mine")
			must(t, os.Chtimes(folder+"/x", time.Time{}, thing.Modified.Add(time.Second)))
			return thing
		}, true},
		{"a file that grew", func(t *testing.T, folder string) Thing {
			thing := written(folder, "x", write(t, folder+"/x", "text"))
			write(t, folder+"/x", "text and more")
			must(t, os.Chtimes(folder+"/x", time.Time{}, thing.Modified))
			return thing
		}, true},
		{"a folder in its place", func(t *testing.T, folder string) Thing {
			must(t, os.Mkdir(folder+"/x", 0o700))
			return Thing{Kind: File, Root: Path(folder), Name: "x", Size: 1 << 20, Since: time.Now()}
		}, true},
		{"a link in its place", func(t *testing.T, folder string) Thing {
			sandboxtest.Link(t, "elsewhere", folder+"/x")
			return Thing{Kind: File, Root: Path(folder), Name: "x", Size: 1 << 20, Since: time.Now()}
		}, true},
		{"a link", func(t *testing.T, folder string) Thing {
			sandboxtest.Link(t, "elsewhere", folder+"/x")
			info, err := os.Lstat(folder + "/x")
			must(t, err)
			return Thing{Kind: Link, Root: Path(folder), Name: "x", Inode: inodeOf(info), Since: time.Now()}
		}, false},
		{"another link", func(t *testing.T, folder string) Thing {
			sandboxtest.Link(t, "elsewhere", folder+"/x")
			info, err := os.Lstat(folder + "/x")
			must(t, err)
			return Thing{Kind: Link, Root: Path(folder), Name: "x", Inode: inodeOf(info) + 1, Since: time.Now()}
		}, true},
		{"a file half written", func(t *testing.T, folder string) Thing {
			info := write(t, folder+"/x", "te")
			return Thing{Kind: File, Root: Path(folder), Name: "x", Inode: inodeOf(info), Size: 4, Since: time.Now()}
		}, false},
		{"a file just made", func(t *testing.T, folder string) Thing {
			write(t, folder+"/x", "")
			return Thing{Kind: File, Root: Path(folder), Name: "x", Size: 4, Since: time.Now()}
		}, false},
		{"a file from before", func(t *testing.T, folder string) Thing {
			write(t, folder+"/x", "")
			return Thing{Kind: File, Root: Path(folder), Name: "x", Size: 4, Since: time.Now().Add(time.Minute)}
		}, true},
		{"a planted file", func(t *testing.T, folder string) Thing {
			info := write(t, folder+"/x", ".\n")
			return Thing{Kind: File, Root: Path(folder), Name: "x", Inode: inodeOf(info), Size: 2, Content: ".\n", Since: time.Now()}
		}, false},
		{"a planted file whose content a power cut has taken", func(t *testing.T, folder string) Thing {
			info := write(t, folder+"/x", "")
			return Thing{Kind: File, Root: Path(folder), Name: "x", Inode: inodeOf(info), Size: 2, Content: ".\n", Since: time.Now()}
		}, false},
		{"a planted file with other content", func(t *testing.T, folder string) Thing {
			info := write(t, folder+"/x", "/\n")
			return Thing{Kind: File, Root: Path(folder), Name: "x", Inode: inodeOf(info), Size: 2, Content: ".\n", Since: time.Now()}
		}, true},
		{"an empty folder", func(t *testing.T, folder string) Thing {
			must(t, os.Mkdir(folder+"/x", 0o700))
			return Thing{Kind: Folder, Root: Path(folder), Name: "x", Since: time.Now()}
		}, false},
		{"a folder that is used", func(t *testing.T, folder string) Thing {
			must(t, os.Mkdir(folder+"/x", 0o700))
			write(t, folder+"/x/y", "")
			return Thing{Kind: Folder, Root: Path(folder), Name: "x", Since: time.Now()}
		}, true},
		{"an empty folder from before", func(t *testing.T, folder string) Thing {
			must(t, os.Mkdir(folder+"/x", 0o700))
			return Thing{Kind: Folder, Root: Path(folder), Name: "x", Since: time.Now().Add(time.Minute)}
		}, true},
		{"a file where a folder was made", func(t *testing.T, folder string) Thing {
			write(t, folder+"/x", "")
			return Thing{Kind: Folder, Root: Path(folder), Name: "x", Since: time.Now()}
		}, true},
		{"a scene", func(t *testing.T, folder string) Thing {
			must(t, os.MkdirAll(folder+"/x/y", 0o700))
			write(t, folder+"/x/y/z", "")
			return Thing{Kind: Scene, Root: Path(folder), Name: "x", Since: time.Now()}
		}, false},
		{"a way that leads out of the folder", func(t *testing.T, folder string) Thing {
			other := t.TempDir()
			info := write(t, other+"/x", "text")
			sandboxtest.Link(t, other, folder+"/x")
			return written(folder, "x/x", info)
		}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, folder := folders(t)
			r := newRecord(t, dir)
			_, err := r.Add(test.make(t, folder))
			must(t, err)
			must(t, r.Sync())
			must(t, Sweep(dir, folder))
			if len(names(t, folder)) != 1 {
				t.Error("something was taken from a process that lives")
			}
			kill(t, r)
			_ = Sweep(dir, folder) // a way that leads out is an error
			if left := len(names(t, folder)) == 1; left != test.left {
				t.Errorf("it is left: %v", left)
			}
		})
	}
}

func TestREL04_OtherFoldersWaitForTheirStart(t *testing.T) {
	dir, folder := folders(t)
	_, other := folders(t)
	r := newRecord(t, dir)
	for _, in := range []string{folder, other, filepath.Join(folder, "gone")} {
		thing := Thing{Kind: File, Root: Path(in), Name: "x"}
		if filepath.Base(in) != "gone" {
			thing = written(in, "x", write(t, in+"/x", "text"))
		}
		_, err := r.Add(thing)
		must(t, err)
	}
	kill(t, r)
	must(t, Sweep(dir, folder))
	if found := slices.Concat(names(t, folder), names(t, other)); len(found) != 1 {
		t.Errorf("there is %q, want that of the other folder", found)
	}
	// A folder above is one of which everything is seen.
	must(t, Sweep(dir, filepath.Dir(other)))
	if found := names(t, other); len(found) > 0 {
		t.Errorf("then there is %q", found)
	}
	if found := names(t, dir); !slices.Equal(found, []string{exclusiveName}) {
		t.Errorf("of the records there is %q", found)
	}
}

func TestREL04_ARecordHoldsWhatIsNotGone(t *testing.T) {
	dir, folder := folders(t)
	r := newRecord(t, dir)
	var entries []*Entry
	for _, name := range []string{"a", "b", "c"} {
		e, err := r.Add(written(folder, name, write(t, filepath.Join(folder, name), "text")))
		must(t, err)
		entries = append(entries, e)
	}
	entries[1].Gone()
	entries[1].Gone()
	e, err := r.Add(written(folder, "d", write(t, filepath.Join(folder, "d"), "text")))
	must(t, err)
	entries[0].Gone()
	if e.slot != 1 {
		t.Errorf("the slot that was free is not used, but %d", e.slot)
	}
	named := func(name string) bool {
		root, err := os.OpenRoot(folder)
		must(t, err)
		defer root.Close()
		info, err := root.Lstat(name)
		must(t, err)
		return newRecord(t, dir).Names(root, folder, name, info)
	}
	for name, want := range map[string]bool{"a": false, "b": false, "c": true, "d": true} {
		if got := named(name); got != want {
			t.Errorf("%s is on record: %v", name, got)
		}
	}
	kill(t, r)
	must(t, Sweep(dir, folder))
	if found := names(t, folder); !slices.Equal(found, []string{"a", "b"}) {
		t.Errorf("left are %q", found)
	}
}

func TestREL04_ARecordEndsWithItsProcess(t *testing.T) {
	dir, folder := folders(t)
	r := newRecord(t, dir)
	must(t, r.Close())
	e, err := r.Add(Thing{Kind: File, Root: Path(folder), Name: "x"})
	must(t, err)
	e.Gone()
	must(t, r.Close())
	if found := names(t, dir); len(found) > 0 {
		t.Errorf("left are %q", found)
	}
	if _, err := r.Add(Thing{Kind: File, Root: Path(folder), Name: Path(make([]byte, slotSize))}); err == nil {
		t.Error("a path that is too long is on record")
	}
}

// TestREL04_WhatIsBeingNotedStaysOnRecord reads a record each time as far as its process
// had written which file it made.
func TestREL04_WhatIsBeingNotedStaysOnRecord(t *testing.T) {
	record, folder := newRecord(t, t.TempDir()), t.TempDir()
	entry, err := record.Add(Thing{Kind: File, Root: Path(folder), Name: "a", Since: time.Now()})
	must(t, err)
	info := write(t, filepath.Join(folder, "a"), "")
	before, err := os.ReadFile(record.filePath())
	must(t, err)
	must(t, entry.Found(info))
	after, err := os.ReadFile(record.filePath())
	must(t, err)
	for written := range len(after) + 1 {
		for _, part := range [][]byte{after[:max(written, len(before))], append(slices.Clone(after[:written]), before[min(written, len(before)):]...)} {
			path := filepath.Join(t.TempDir(), "record")
			must(t, os.WriteFile(path, part, 0o600))
			file, err := os.Open(path)
			must(t, err)
			things, err := read(file)
			must(t, errors.Join(err, file.Close()))
			if len(things) != 1 || things[0].Inode != 0 && things[0].Inode != inodeOf(info) {
				t.Errorf("after %d bytes: %v", written, things)
			}
			if whole := written == len(after); whole && len(things) == 1 && things[0].Inode != inodeOf(info) {
				t.Errorf("the inode is %d", things[0].Inode)
			}
		}
	}
	must(t, record.Close())
}

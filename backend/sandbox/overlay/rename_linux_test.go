package overlay_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"fairlead/backend/change/changetest"

	"golang.org/x/sys/unix"
)

// renames are calls that rename folders, as lines of Python that print what came of each, with
// what the same line prints without an overlay.
var renames = map[string]string{
	"a folder":                     `os.rename("sub", "moved")`,
	"over an empty one":            `os.mkdir("e"); os.rename("sub", "e")`,
	"over an empty old":            `os.rename("empty", "sub/deep/x"); os.rename("sub", "empty2")`,
	"over a full one":              `os.mkdir("f"); open("f/x", "w"); os.rename("sub", "f")`,
	"over a file":                  `os.rename("sub", "a.txt")`,
	"into itself":                  `os.rename("sub", "sub/deep/in")`,
	"out and back":                 `os.rename("sub", "moved"); os.rename("moved", "sub")`,
	"with a slash":                 `os.rename("sub/", "moved/")`,
	"through a link":               `os.symlink("sub", "l"); os.rename("l/deep", "deep")`,
	"a link to a folder":           `os.symlink("sub", "l"); os.rename("l", "k")`,
	"by a descriptor":              `d = os.open("sub", os.O_RDONLY); os.rename("deep", "deeper", src_dir_fd=d, dst_dir_fd=d)`,
	"to another folder":            `os.rename("sub/deep", "deep")`,
	"to nowhere":                   `os.rename("sub", "no/where")`,
	"what is not there":            `os.rename("none", "some")`,
	"the current folder":           `os.chdir("sub"); os.rename(".", "../x")`,
	"while another does":           `t = [threading.Thread(target=lambda a=a: os.rename(a, a + "2")) for a in ("sub", "empty")]; [x.start() for x in t]; [x.join() for x in t]`,
	"a folder of no rights":        `os.chmod("sub", 0o555); os.rename("sub", "moved"); os.chmod("moved", 0o755)`,
	"exchanged":                    `exchange("sub", "empty"); exchange("sub/", "run.sh")`,
	"exchanged with a link":        `os.symlink("a.txt", "l"); exchange("l", "sub")`,
	"exchanged with itself":        `exchange("sub", "sub")`,
	"exchanged with what it is in": `exchange("sub", "sub/deep")`,
	"exchanged with nothing":       `exchange("sub", "none")`,
	"not in place of one":          `renameat2("sub", "empty", 1)`,
	"and writes in it":             `os.rename("sub", "moved"); open("moved/b.txt", "a").write("more")`,
}

// renameat2 begins a program in Python with the calls that the language lacks.
const renameat2 = `import ctypes, os, threading
def renameat2(one, two, flags):
    if ctypes.CDLL(None, use_errno=True).renameat2(-100, one.encode(), -100, two.encode(), flags) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def exchange(one, two): renameat2(one, two, 2)
`

// TestPRE01_FoldersAreRenamedAsWithoutACopy compares renames of folders with the same ones in a
// plain folder: what they return, and what they leave.
func TestPRE01_FoldersAreRenamedAsWithoutACopy(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	for name, line := range renames {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := renameat2 + "try:\n    " + strings.ReplaceAll(line, "; ", "\n    ") +
				"\n    print(sorted(os.listdir('.')))\nexcept OSError as e:\n    print(e.strerror)\n"
			const prepare = "mkdir -p empty && chmod 755 empty"
			r := newRig(t)
			r.plainly(prepare)
			before := changetest.Snapshot(t, r.folder)
			plain := r.twins(changetest.Kind{Prepare: prepare, Line: "python3 -c '" + quote(program) + "' >../said"})
			layer, said := r.try("python3 -c '" + quote(program) + "'")
			r.same(before)
			if want := plain.said; r.either(said) != r.either(want) {
				t.Errorf("printed %q, plainly %q", said, want)
			}
			p := r.read(layer)
			if _, err := r.ApplyLayer(t.Context(), "call", p, func(int) bool { return true }); err != nil {
				t.Fatal(err)
			}
			must(t, layer.Remove())
			plain.compare(t, changetest.Snapshot(t, r.folder), linksIn(t, r.folder), nil)
		})
	}
}

// TestPRE01_ExchangesWorkWhereTheCopyLiesElsewhere exchanges a folder with what is none, where the
// folder lies on another file system than what is written to its copy.
func TestPRE01_ExchangesWorkWhereTheCopyLiesElsewhere(t *testing.T) {
	t.Run("exchange", func(t *testing.T) {
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip("there is no python3")
		}
		base, err := os.MkdirTemp("/dev/shm", "exchange")
		if err != nil {
			t.Skipf("there is no other file system: %v", err)
		}
		t.Cleanup(func() { must(t, os.RemoveAll(base)) })
		if err := unix.Setxattr(base, "user.note", []byte("kept"), 0); err != nil {
			t.Skipf("what a folder is filled with cannot be there: %v", err) // on tmpfs before Linux 6.6
		}
		r := newRigIn(t, base)
		layer, said := r.try("python3 -c '" + renameat2 + `exchange("link", "sub"); exchange("a.txt", "link/deep")` + "'; readlink sub; ls a.txt; cat link/deep")
		must(t, layer.Remove())
		if want := "a.txt\nc.txt\none\n"; said != want {
			t.Errorf("printed %q, want %q", said, want)
		}
	})
}

// either makes one of the two errors that rename(2) has for a name that is taken by a full
// folder, where xfs returns the first, and an overlay the second like other file systems.
func (r *rig) either(said string) string {
	r.t.Helper()
	if !r.liesOn(unix.XFS_SUPER_MAGIC) {
		return said
	}
	return strings.ReplaceAll(said, "File exists", "Directory not empty")
}

func quote(text string) string { return strings.ReplaceAll(text, "'", `'\''`) }

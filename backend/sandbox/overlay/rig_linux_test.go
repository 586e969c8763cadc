package overlay_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/message"
	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/overlay"
	"fairlead/backend/sandbox/sandboxtest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// system is what confines commands here, found out once.
var system = sync.OnceValue(func() *sandbox.System {
	return sandbox.Inspect(context.Background(), sandboxtest.Program("fairlead"), nil)
})

// rig is a folder with a place for commands, and what they change recorded.
type rig struct {
	t      *testing.T
	space  *sandbox.Space
	folder string
	data   string
	root   *os.Root
	*change.Recorder
	calls int
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// openAll opens all folders in one when the test has ended, so that they can be deleted.
func openAll(t *testing.T, dir string) {
	t.Helper()
	t.Cleanup(func() {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				must(t, os.Chmod(path, 0o700))
			}
			return nil
		})
	})
}

// newRig returns one whose folder is filled.
func newRig(t *testing.T) *rig {
	t.Helper()
	return newRigIn(t, t.TempDir())
}

// newRigIn returns one whose folder is made in another one, and filled.
func newRigIn(t *testing.T, base string) *rig {
	t.Helper()
	sandboxtest.NeedsFull(t)
	if level := system().Level; level != message.LevelFull {
		t.Fatalf("the level is %s: %s", level, system().Missing())
	}
	dir := t.TempDir()
	openAll(t, base)
	r := &rig{t: t, folder: filepath.Join(base, "work"), data: filepath.Join(dir, "data")}
	must(t, os.Mkdir(r.folder, 0o755))
	changetest.Fill(t, r.folder)
	var err error
	r.root, err = os.OpenRoot(r.folder)
	must(t, err)
	r.space, err = system().Open(sandbox.Place{
		Workspace: r.folder, Private: filepath.Join(dir, "private"), Home: os.Getenv("HOME"), Hide: []string{r.data},
	})
	must(t, err)
	recorder, closeAll := changetest.Open(r.root, r.folder, filepath.Join(r.data, "changes"))
	r.Recorder = recorder
	t.Cleanup(func() {
		must(t, r.space.Close())
		closeAll()
		must(t, r.root.Close())
	})
	return r
}

// liesOn reports whether the folder lies on a file system of a kind.
func (r *rig) liesOn(kind int64) bool {
	r.t.Helper()
	var stat unix.Statfs_t
	must(r.t, unix.Statfs(r.folder, &stat))
	return stat.Type == kind
}

// try runs a command on a layer, which is the caller's, and returns what it printed.
func (r *rig) try(line string) (*overlay.Layer, string) {
	r.t.Helper()
	r.calls++
	layer, err := r.NewLayer(fmt.Sprintf("call%d", r.calls))
	must(r.t, err)
	read, write, err := os.Pipe()
	must(r.t, err)
	defer read.Close()
	p, err := r.space.Start(sandbox.Command{
		Line: "set -e; " + line, Dir: r.folder, Overlay: layer.Dir,
		Env: r.space.Environment([]string{
			"PATH=" + os.Getenv("PATH"), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@localhost", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@localhost",
			"GIT_AUTHOR_DATE=2020-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2020-01-02T03:04:05Z",
		}),
	}, write)
	write.Close()
	must(r.t, err)
	printed, err := io.ReadAll(read)
	must(r.t, err)
	<-p.Done()
	if code, signal, err := p.Result(); err != nil || code != 0 {
		r.t.Fatalf("%s: code %d, signal %d, %v\n%s", line, code, signal, err, printed)
	}
	return layer, string(printed)
}

// read returns what a command changed in a layer.
func (r *rig) read(layer *overlay.Layer) *change.Pending {
	r.t.Helper()
	p, err := r.ReadLayer(r.t.Context(), layer)
	must(r.t, err)
	return p
}

// run runs a command on a layer and applies what it did, as a call.
func (r *rig) run(line string) string {
	r.t.Helper()
	layer, _ := r.try(line)
	p := r.read(layer)
	if len(p.Collisions) > 0 {
		for i, collision := range p.Collisions {
			r.t.Errorf("%s: %s", p.Changes[i].Path, collision)
		}
		r.t.FailNow()
	}
	call := fmt.Sprintf("call%d", r.calls)
	set, err := r.ApplyLayer(r.t.Context(), call, p, func(int) bool { return true })
	must(r.t, err)
	if made := 0; set != nil {
		if made = len(set.Changes); made != len(p.Changes) {
			r.t.Errorf("%d of %d changes were made", made, len(p.Changes))
		}
	}
	if left := r.read(layer); len(left.Changes) > 0 {
		r.t.Errorf("left in the layer: %+v", left.Changes)
	}
	must(r.t, layer.Remove())
	return call
}

// same fails if the folder is not as it is to be.
func (r *rig) same(want map[string]changetest.Entry) {
	r.t.Helper()
	if diff := cmp.Diff(want, changetest.Snapshot(r.t, r.folder)); diff != "" {
		r.t.Fatal(diff)
	}
}

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/sandbox/overlay"
	"fairlead/backend/sandbox/sandboxtest"

	"golang.org/x/sys/unix"
)

// openDraft opens a space whose commands work on a draft, and the draft.
func openDraft(t *testing.T, workspace, dir string) (*Space, *os.Root, func()) {
	t.Helper()
	found := InspectWithout(t.Context(), helper(), Without{})
	space, err := found.Open(Place{Workspace: workspace, Private: filepath.Join(t.TempDir(), "private"), Home: os.Getenv("HOME"), Draft: dir})
	if err != nil {
		t.Fatal(err)
	}
	folder, err := space.OpenDraft()
	if err != nil {
		t.Fatal(errors.Join(err, space.Close()))
	}
	root, err := os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", folder.Fd()))
	if err != nil {
		t.Fatal(errors.Join(err, space.Close()))
	}
	closed := false
	leave := func() {
		if closed {
			return
		}
		closed = true
		if err := errors.Join(root.Close(), folder.Close(), space.Close()); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(leave)
	return space, root, leave
}

// TestPRE06_ADraftIsOneCopyForCommandsAndFileTools works on a draft with commands and by its
// descriptor, in two processes one after the other.
func TestPRE06_ADraftIsOneCopyForCommandsAndFileTools(t *testing.T) {
	sandboxtest.NeedsFull(t)
	base := t.TempDir()
	workspace, dir := filepath.Join(base, "workspace"), filepath.Join(base, "data", "draft")
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(workspace, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	put("a", "a\n")
	put("gone", "gone\n")
	put("dir/in", "in\n")
	lower, err := os.OpenRoot(workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer lower.Close()
	layer, err := overlay.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(layer.Begin(lower, []byte("a test")), layer.Close()); err != nil {
		t.Fatal(err)
	}
	space, root, leave := openDraft(t, workspace, dir)
	if err := root.WriteFile("from-tool", []byte("tool\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, code, _ := run(t, space, Command{Line: "cat from-tool a; echo more >>a; rm gone; mv dir moved; cat moved/in; git init -q . && ls -d .git"}); said != "tool\na\nin\n.git\n" || code != 0 {
		t.Errorf("the command: %q, %d", said, code)
	}
	if text, err := root.ReadFile("a"); string(text) != "a\nmore\n" || err != nil {
		t.Errorf("a is %q, %v", text, err)
	}
	// A folder of the lower layer is renamed as in any other.
	if said, code, _ := run(t, space, Command{Line: "python3 -c \"import os; os.rename('moved', 'again')\" && cat again/in"}); said != "in\n" || code != 0 {
		t.Errorf("a folder was renamed: %q, %d", said, code)
	}
	// Nobody else can open it.
	if _, err := holdDraft(dir); !errors.Is(err, ErrDraftInUse) {
		t.Errorf("the lock: %v", err)
	}
	// A process in the background works in it, and ends with it.
	p, out := begin(t, space, Command{Line: "echo begun; sleep 1000"})
	if line := make([]byte, 6); !readFull(out, line) {
		t.Fatal("it did not begin")
	}
	leave()
	within(t, p.Done())
	for name, want := range map[string]string{"a": "a\n", "gone": "gone\n", "dir/in": "in\n"} {
		if text, err := lower.ReadFile(name); string(text) != want || err != nil {
			t.Errorf("%s in the folder is %q, %v", name, text, err)
		}
	}
	put("new", "new\n")
	put("dir/later", "later\n")
	space, root, _ = openDraft(t, workspace, dir)
	if said, _, _ := run(t, space, Command{Line: "cat new a again/in; ls"}); said != "new\na\nmore\nin\na\nagain\nfrom-tool\nnew\n" {
		t.Errorf("again: %q", said)
	}
	if _, err := root.Stat("gone"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what was deleted in it: %v", err)
	}
}

// TestPRE06_ADraftWhoseHolderEndedIsNotMountedTwice kills what holds a draft.
func TestPRE06_ADraftWhoseHolderEndedIsNotMountedTwice(t *testing.T) {
	sandboxtest.NeedsFull(t)
	base := t.TempDir()
	workspace, dir := filepath.Join(base, "workspace"), filepath.Join(base, "data", "draft")
	if err := os.Mkdir(workspace, 0o750); err != nil {
		t.Fatal(err)
	}
	layer, err := overlay.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := layer.Close(); err != nil {
		t.Fatal(err)
	}
	space, _, leave := openDraft(t, workspace, dir)
	if said, _, _ := run(t, space, Command{Line: "echo x >file; cat file"}); said != "x\n" {
		t.Fatalf("before: %q", said)
	}
	for _, pid := range children(t) {
		if err := unix.Kill(pid, unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	waitForSpare(space) // until it has ended too it works in the mount that there was
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	for range 3 {
		p, err := space.Start(Command{Line: "true", Dir: workspace, Env: space.Environment(nil)}, write)
		if err == nil {
			<-p.Done()
			_, _, err = p.Result()
		}
		if err == nil {
			t.Fatal("a command ran without what holds the draft")
		}
		t.Log(err)
	}
	leave()
	_, root, _ := openDraft(t, workspace, dir)
	if text, err := root.ReadFile("file"); string(text) != "x\n" || err != nil {
		t.Errorf("file is %q, %v", text, err)
	}
}

package shell_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"

	"github.com/google/go-cmp/cmp"
)

// openCopied returns tools whose commands work on a copy of a folder that is filled, and the
// folder that they see as /tmp.
func openCopied(t *testing.T) (b *bench, changes *change.Recorder, temporary string) {
	t.Helper()
	private := filepath.Join(t.TempDir(), "private")
	b = open(t, func(o *shell.Options) {
		changetest.Fill(t, o.Folder.Path())
		data := t.TempDir()
		changes = changetest.Use(t, o.Folder) // which is closed after the space
		space, err := fully(t).Open(sandbox.Place{
			Workspace: o.Folder.Path(), Private: private, Home: os.Getenv("HOME"), Hide: []string{data},
		})
		must(t, err)
		t.Cleanup(func() { must(t, space.Close()) })
		o.Jobs = process.NewJobs(process.JobsOptions{Space: opened(space)})
		o.Changes, o.NoCopy = changes, func(context.Context) *message.NoCopy { return nil }
	})
	return b, changes, filepath.Join(private, "tmp")
}

// try runs a command, and returns its outcome without deciding about what it has changed.
func (b *bench) try(t *testing.T, line string) tool.Outcome {
	t.Helper()
	plan, err := b.tools["shell"].Prepare(t.Context(), input(command(t, line)))
	must(t, err)
	if p := plan.Preview; !p.Copied || p.Undo == nil || p.Undo.Quality != message.UndoExact {
		t.Errorf("shown before: %+v", p)
	}
	return plan.Run(t.Context(), func(string) {})
}

// asideOf lists what is set aside.
func asideOf(t *testing.T, changes *change.Recorder) []string {
	t.Helper()
	all, err := changes.Aside(t.Context())
	must(t, err)
	var ids []string
	for _, a := range all {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestPRE01_WhatACommandChangesIsAppliedAfterwards(t *testing.T) {
	b, changes, _ := openCopied(t)
	folder := b.Folder.Path()
	before := changetest.Snapshot(t, folder)
	outcome := b.try(t, "echo more >>a.txt; rm -r sub; mv run.sh new.sh; exit 3")
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
		t.Fatalf("before it was applied: %s", diff)
	}
	if outcome.Changes == nil || outcome.Changes.ApplyRest == nil || len(outcome.Changes.Held.Changes) > 0 {
		t.Fatalf("outcome %+v", outcome)
	}
	if data := outcome.Result.Data; data.ExitCode == nil || *data.ExitCode != 3 {
		t.Errorf("result %+v", outcome.Result)
	}
	applied := outcome.Changes.ApplyRest(t.Context())
	if applied.Error != nil || !strings.Contains(applied.Content.Text(), "moved run.sh to new.sh") {
		t.Errorf("applied: %+v", applied)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "a.txt")); err != nil || string(text) != "one\nmore\n" {
		t.Errorf("a.txt holds %q, %v", text, err)
	}
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	// It is taken back like everything else.
	plan, err := changes.PlanUndo(t.Context(), change.Scope{})
	must(t, err)
	_, err = changes.CarryOut(t.Context(), plan)
	must(t, err)
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
		t.Errorf("after the undo: %s", diff)
	}
}

func TestPRE01_ACommandThatChangesNothingLeavesNothing(t *testing.T) {
	b, changes, _ := openCopied(t)
	outcome := b.try(t, "cat a.txt && touch -r a.txt a.txt && cp a.txt /tmp/x")
	if outcome.Changes != nil || outcome.Result.Data.Changes != message.ChangesNone {
		t.Errorf("outcome %+v, changes %+v", outcome, outcome.Changes)
	}
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestPRE06_CommandsAtOnceHaveCopiesOfTheirOwn starts many commands at once, of which each may be
// given the copy that was made ahead.
func TestPRE06_CommandsAtOnceHaveCopiesOfTheirOwn(t *testing.T) {
	b, changes, _ := openCopied(t)
	for range 15 {
		outcomes := make([]tool.Outcome, 20)
		var all sync.WaitGroup
		for i := range outcomes {
			all.Go(func() {
				plan, err := b.tools["shell"].Prepare(t.Context(), input(command(t, fmt.Sprintf("echo %d >own", i))))
				if err != nil {
					t.Error(err)
					return
				}
				outcomes[i] = plan.Run(t.Context(), func(string) {})
			})
		}
		all.Wait()
		for i, outcome := range outcomes {
			if outcome.Changes == nil || outcome.Result.Error != nil {
				t.Fatalf("command %d: %+v", i, outcome.Result)
			}
			if rows := outcome.Changes.Preview.Changes; len(rows) != 1 || !strings.Contains(rows[0].Diff, fmt.Sprintf("\n+%d\n", i)) {
				t.Errorf("command %d changed %+v", i, rows)
			}
			outcome.Changes.Drop(t.Context())
		}
	}
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestPRE04_WhatIsRiskyIsHeld(t *testing.T) {
	for name, test := range map[string]struct {
		line string
		held map[string]message.HeldCode
		rest int
	}{
		"hooks":      {"mkdir -p .git/hooks && echo x >.git/hooks/pre-commit && echo y >y", map[string]message.HeldCode{".git": message.HeldRepository}, 1},
		"editor":     {"mkdir .VSCode && echo {} >.VSCode/tasks.json && echo y >y", map[string]message.HeldCode{".VSCode/tasks.json": message.HeldAutorun}, 1},
		"set-uid":    {"cp run.sh s && chmod u+s s", map[string]message.HeldCode{"s": message.HeldSetID}, 0},
		"link":       {"ln -s ../../etc/passwd out && ln -s sub/b.txt in && ln -s /etc abs", map[string]message.HeldCode{"out": message.HeldOutside, "abs": message.HeldOutside}, 1},
		"bare":       {"mkdir -p r/objects r/refs && echo ref: x >r/HEAD && echo y >y", map[string]message.HeldCode{"r": message.HeldRepository, "r/HEAD": message.HeldRepository}, 1},
		"moved away": {"mv run.sh .envrc", map[string]message.HeldCode{"run.sh": message.HeldAutorun, ".envrc": message.HeldAutorun}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b, changes, _ := openCopied(t)
			before := changetest.Snapshot(t, b.Folder.Path())
			outcome := b.try(t, test.line)
			if outcome.Changes == nil {
				t.Fatalf("nothing changed: %+v", outcome.Result)
			}
			if rest := outcome.Changes.ApplyRest != nil; rest != (test.rest > 0) {
				t.Errorf("the rest passes: %v", rest)
			}
			found := map[string]message.HeldCode{}
			for _, c := range outcome.Changes.Held.Changes {
				if c.Held == nil {
					t.Errorf("%s is not held", c.Path)
					continue
				}
				found[c.Path] = c.Held.Code
			}
			for path, want := range test.held {
				if found[path] != want {
					t.Errorf("%s: held for %q, want %q (%v)", path, found[path], want, found)
				}
			}
			outcome.Changes.Drop(t.Context())
			if diff := cmp.Diff(before, changetest.Snapshot(t, b.Folder.Path())); diff != "" {
				t.Errorf("after it was dropped: %s", diff)
			}
			if left := asideOf(t, changes); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

func TestPRE03_WhatNobodyDecidesAboutIsSetAside(t *testing.T) {
	b, changes, _ := openCopied(t)
	folder := b.Folder.Path()
	before := changetest.Snapshot(t, folder)
	outcome := b.try(t, "echo more >>a.txt; rm -r sub; mv run.sh new.sh")
	result := outcome.Changes.SetAside(t.Context())
	if !strings.Contains(result.Content.Text(), "set aside") || !strings.Contains(result.Content.Text(), "moved run.sh to new.sh") {
		t.Errorf("the model is told %q", result.Content.Text())
	}
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
		t.Fatalf("the folder changed: %s", diff)
	}
	all, err := changes.Aside(t.Context())
	must(t, err)
	if len(all) != 1 || all[0].CallID != "call-1" {
		t.Fatalf("set aside: %+v", all)
	}
	// A part of it is applied, and the rest stays.
	set, err := changes.ApplyAside(t.Context(), all[0], func(i int) bool { return all[0].Changes[i].Path == "a.txt" })
	must(t, err)
	if set == nil || len(set.Changes) != 1 || set.CallID != "call-1" {
		t.Fatalf("applied %+v", set)
	}
	all, err = changes.Aside(t.Context())
	must(t, err)
	if len(all) != 1 || len(all[0].Collisions) > 0 {
		t.Fatalf("set aside after a part: %+v", all)
	}
	for _, c := range all[0].Changes {
		if c.Path == "a.txt" {
			t.Error("a.txt is still set aside")
		}
	}
	_, err = changes.ApplyAside(t.Context(), all[0], func(int) bool { return true })
	must(t, err)
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(filepath.Join(folder, "sub")); !os.IsNotExist(err) {
		t.Errorf("sub is there: %v", err)
	}
}

// TestPRE07_ACommandThatWasMovedGoesOnInItsCopy moves a command to the background before it
// writes: what it does later is set aside, and the model is told.
func TestPRE07_ACommandThatWasMovedGoesOnInItsCopy(t *testing.T) {
	b, changes, temporary := openCopied(t)
	plan, err := b.tools["shell"].Prepare(t.Context(), input(command(t, "echo begun; while ! [ -e /tmp/go ]; do sleep 0.01; done; echo more >>a.txt")))
	must(t, err)
	begun := make(chan struct{})
	done := make(chan tool.Outcome)
	go func() {
		told := false
		done <- plan.Run(t.Context(), func(string) {
			if !told {
				told = true
				close(begun)
			}
		})
	}()
	<-begun
	id, err := b.Jobs.Move("call-1")
	must(t, err)
	outcome := <-done
	if outcome.Changes != nil || outcome.Result.ProcessID == "" {
		t.Errorf("moved: %+v", outcome)
	}
	ended, err := b.Jobs.Done(id)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(temporary, "go"), nil, 0o600))
	<-ended
	told := b.run(t, "shell_status", `{"processId":"`+id+`"}`)
	if !strings.Contains(told.Content.Text(), "set aside") {
		t.Errorf("the model is told %q", told.Content.Text())
	}
	all, err := changes.Aside(t.Context())
	must(t, err)
	if len(all) != 1 || len(all[0].Changes) != 1 || all[0].Changes[0].Path != "a.txt" {
		t.Errorf("set aside: %+v", all)
	}
}

// TestPRE01_NothingIsDestroyedBeforeAYes destroys the folder in many ways, each by a plain
// command and by wrappers that hide it: before somebody decides, the folder is as it was.
func TestPRE01_NothingIsDestroyedBeforeAYes(t *testing.T) {
	b, _, _ := openCopied(t)
	folder := b.Folder.Path()
	before := changetest.Snapshot(t, folder)
	ways := []string{
		"rm -rf *", "rm -rf ./* ./.[!.]*", "find . -delete", "find . -type f -exec rm {} +", "rm -rf " + folder, "mv * /tmp/", "mv sub /tmp/gone",
		": >a.txt", "truncate -s 0 a.txt", "dd if=/dev/zero of=a.txt bs=1 count=9 2>/dev/null", "cp /dev/null a.txt", "tee a.txt </dev/null",
		"sed -i d a.txt", "chmod -R 000 .", "touch -d 2001-01-01 *", "ln -sf /etc/passwd a.txt", "mkdir x && mv a.txt x/", "printf x >>run.sh",
		"exec 3<>a.txt; echo x >&3", "ln a.txt other && echo x >other", "setfattr -n user.x -v y a.txt", "rsync -a --delete /var/empty/ ./ 2>/dev/null || rm -r sub",
	}
	wrappers := map[string]string{
		"plain": "%s", "sh": "sh -c '%s'", "script": "printf '%%s\\n' '%s' >s.sh; sh ./s.sh", "function": "f() { %s; }; f", "eval": "eval '%s'",
	}
	tried := 0
	for _, way := range ways {
		for name, wrapper := range wrappers {
			outcome := b.try(t, fmt.Sprintf(wrapper, way))
			if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
				t.Fatalf("%s by %s: %s", way, name, diff)
			}
			if outcome.Changes != nil {
				outcome.Changes.Drop(t.Context())
			}
			if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
				t.Fatalf("%s by %s, dropped: %s", way, name, diff)
			}
			tried++
		}
	}
	t.Logf("%d commands", tried)
}

// outliving leaves three processes that write to a file for ever: one through a mapping, one
// through a descriptor, and one through a descriptor that was sent to it through a socket.
const outliving = `python3 - <<'END'
import array, mmap, os, socket
ready = os.pipe()
mine, theirs = socket.socketpair()
def leave(write):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in (0, 1, 2):
                os.dup2(os.open("/dev/null", os.O_RDWR), fd)
            write(lambda: os.write(ready[1], b"x"))
        os._exit(0)
    os.wait()
def mapping(tell):
    with open("a.txt", "r+b") as f:
        text = mmap.mmap(f.fileno(), 0)
    for i in range(1 << 62):
        text[0:1] = b"%d" % (i % 10)
        if i == 0: tell()
def keep(fd, tell):
    for i in range(1 << 62):
        os.pwrite(fd, b"%d" % (i % 10), 1)
        if i == 0: tell()
def received(tell):
    _, rights, _, _ = theirs.recvmsg(1, 64)
    keep(array.array("i", rights[0][2][:4])[0], tell)
fd = os.open("run.sh", os.O_WRONLY)
leave(mapping)
leave(lambda tell: keep(fd, tell))
leave(received)
mine.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [os.open("sub/b.txt", os.O_WRONLY)]))])
begun = 0
while begun < 3:
    begun += len(os.read(ready[0], 3))
print("begun", begun)
END`

// TestPRE05_WhatOutlivesACommandChangesNothing leaves processes that would write to files of the
// folder after these were applied.
func TestPRE05_WhatOutlivesACommandChangesNothing(t *testing.T) {
	if reason := needs("python3")(); reason != "" {
		t.Skip(reason)
	}
	b, _, _ := openCopied(t)
	folder := b.Folder.Path()
	outcome := b.try(t, outliving)
	if text := outcome.Result.Content.Text(); !strings.HasPrefix(text, "begun 3") || outcome.Changes == nil {
		t.Fatalf("printed %q", text)
	}
	if applied := outcome.Changes.ApplyRest(t.Context()); applied.Error != nil || len(applied.Changes) != 3 {
		t.Fatalf("applied %+v", applied)
	}
	at := changetest.Snapshot(t, folder)
	for range 100 { // each of them would have written by then
		if out := b.try(t, "true"); out.Result.Error != nil {
			t.Fatal(out.Result.Error)
		}
	}
	if diff := cmp.Diff(at, changetest.Snapshot(t, folder)); diff != "" {
		t.Errorf("after the apply: %s", diff)
	}
}

// TestPRE10_SocketsOfTheFolderAreNotReached has another program listen on a socket in the folder.
// A command could be served by it, or send it a folder of its copy, by which what is applied later
// would be reached.
func TestPRE10_SocketsOfTheFolderAreNotReached(t *testing.T) {
	if reason := needs("python3")(); reason != "" {
		t.Skip(reason)
	}
	b, _, _ := openCopied(t)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(b.Folder.Path(), "socket"), Net: "unix"})
	must(t, err)
	defer listener.Close()
	outcome := b.try(t, `python3 - <<'END'
import socket
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
    try:
        s = socket.socket(socket.AF_UNIX, kind)
        s.connect("socket")
        print("connected")
    except PermissionError:
        print("refused")
END`)
	if text := outcome.Result.Content.Text(); strings.TrimSpace(text) != "refused\nrefused\nrefused" {
		t.Errorf("printed %q", text)
	}
}

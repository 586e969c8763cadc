//go:build !race

package cli_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairlead/backend/llm/llmtest"

	"golang.org/x/sys/unix"
)

// leaving is a run of all that leaves something for a moment outside the data folder. git takes
// no lock in it: that of a git that was killed is git's own, and stays.
const leaving = `
call c1 read_file {"path":"note.txt"}
---
call c2 write_file {"path":"new/deep/note.txt","content":"new\n"}
call c3 edit_file {"path":"note.txt","edits":[{"old":"old","new":"edited"}]}
call c4 write_file {"path":"large.txt","content":"LARGE"}
---
call c5 shell {"command":"git --no-optional-locks status --short; sleep 0.02"}
---
call c6 shell_start {"command":"sleep 1000"}
---
call c7 shell {"command":"true"}
call c8 write_file {"path":"note.txt","content":"written\n"}
---
text It is done.
`

// TestREL04_SoakAKilledRunLeavesNothing kills runs at random moments, the program alone
// and at once, and starts the next one in the same folder: no process is left after the
// one, and nothing but what was asked for after the other. FAIRLEAD_SOAK_FOLDER names a
// folder on another file system for it.
func TestREL04_SoakAKilledRunLeavesNothing(t *testing.T) {
	kills := 10
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		kills = 300
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	// What a killed program has started becomes a child of this one.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) })
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	l := newLeaving(t, git)
	span := l.whole()
	seen := map[string]int{}
	for i := range kills {
		moment := time.Duration(random.Int64N(int64(span)))
		l.killed(moment, seen)
		if t.Failed() {
			t.Fatalf("seed %d: run %d, killed after %v of %v", seed, i, moment, span)
		}
	}
	t.Logf("%d kills within %v on %s; found after them, before the next start: %v", kills, span, fileSystem(t, l.workspace), seen)
}

// left is a folder in which runs are killed.
type left struct {
	t *testing.T
	*place
	// first is what lies in the workspace before any run.
	first []string
}

func newLeaving(t *testing.T, git string) *left {
	t.Helper()
	l := &left{t: t, place: &place{t: t}}
	var err error
	l.root, err = os.MkdirTemp(os.Getenv("FAIRLEAD_SOAK_FOLDER"), "fl-") // a short name: sockets lie in it
	l.must(err)
	t.Cleanup(func() { _ = os.RemoveAll(l.root) })
	l.root, err = filepath.EvalSymlinks(l.root)
	l.must(err)
	l.workspace = filepath.Join(l.root, "ws")
	for _, folder := range []string{"home", "ws", ".tmp"} {
		l.must(os.Mkdir(filepath.Join(l.root, folder), 0o700))
	}
	// In this repository everything has to be made that is kept from commands.
	for _, arguments := range [][]string{
		{"init", "-q"}, {"config", "extensions.worktreeConfig", "true"}, {"config", "include.path", "../more.gitconfig"},
	} {
		cmd := exec.Command(git, arguments...)
		cmd.Dir, cmd.Env = l.workspace, l.command().Env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", arguments, err, out)
		}
	}
	l.must(os.RemoveAll(filepath.Join(l.workspace, ".git", "hooks")))
	l.reset()
	l.first = l.names()
	return l
}

// reset makes the workspace's own files what they were.
func (l *left) reset() {
	l.t.Helper()
	l.must(os.RemoveAll(filepath.Join(l.workspace, "new")))
	l.write("note.txt", "old\n")
	l.write("large.txt", "old\n")
}

// names are what lies in the workspace and in the folder for temporary files.
func (l *left) names() (found []string) {
	l.t.Helper()
	for _, folder := range []string{"ws", ".tmp"} {
		err := filepath.WalkDir(filepath.Join(l.root, folder), func(path string, _ fs.DirEntry, err error) error {
			name, _ := filepath.Rel(l.root, path)
			found = append(found, name)
			return err
		})
		l.must(err)
	}
	return found
}

// large is what large.txt becomes.
var large = strings.Repeat("large\n", 50_000)

// start starts a run with a model that plays a script.
func (l *left) start(script string) (cmd *exec.Cmd, output *bytes.Buffer) {
	l.t.Helper()
	server := llmtest.Script(strings.Replace(script, "LARGE", strings.ReplaceAll(large, "\n", `\n`), 1))
	listening := httptest.NewServer(server)
	l.t.Cleanup(listening.Close)
	l.url, output = listening.URL+"/v1", &bytes.Buffer{}
	cmd = l.command(l.task("--approve", "all", "--output", "jsonl")...)
	cmd.Stdout, cmd.Stderr = output, output
	l.must(cmd.Start())
	return cmd, output
}

// whole runs to the end and returns how long that takes.
func (l *left) whole() time.Duration {
	l.t.Helper()
	began := time.Now()
	cmd, output := l.start(leaving)
	if err := cmd.Wait(); err != nil {
		l.t.Fatalf("%v: %s", err, output)
	}
	took := time.Since(began)
	if l.read("note.txt") != "written\n" || l.read("large.txt") != large || l.read("new/deep/note.txt") != "new\n" {
		l.t.Fatalf("the run did not do what it was told: %s", output)
	}
	l.check("a run that was not killed")
	return took
}

// killed kills a run and looks at what is left of it, before and after the next start.
func (l *left) killed(after time.Duration, seen map[string]int) {
	l.t.Helper()
	l.reset()
	cmd, _ := l.start(leaving)
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // it was killed, or had ended before
	timer.Stop()
	l.orphans()
	for _, name := range l.names() {
		if kind := kindOf(name); kind != "" && !l.asked(name) {
			seen[kind]++
		}
	}
	next, output := l.start("text I am back.")
	if err := next.Wait(); err != nil {
		l.t.Errorf("the next start: %v: %s", err, output)
	}
	l.check("the next start")
	if got := l.read("note.txt"); got != "old\n" && got != "edited\n" && got != "written\n" {
		l.t.Errorf("note.txt holds %q", got)
	}
	if got := l.read("large.txt"); got != "old\n" && got != large {
		l.t.Errorf("large.txt holds %d bytes", len(got))
	}
	if got := l.read("new/deep/note.txt"); got != "" && got != "new\n" {
		l.t.Errorf("the new file holds %q", got)
	}
}

// asked reports whether something was there before or is what the runs are told to make.
func (l *left) asked(name string) bool {
	if strings.HasPrefix(name, "ws/new") {
		return l.read("new/deep/note.txt") != "" && slices.Contains([]string{"ws/new", "ws/new/deep", "ws/new/deep/note.txt"}, name)
	}
	return name == "ws" || name == ".tmp" || name == "ws/.git/index" || slices.Contains(l.first, name)
}

// check tests that there is nothing but what was asked for.
func (l *left) check(after string) {
	l.t.Helper()
	for _, name := range l.names() {
		if l.first != nil && !l.asked(name) {
			l.t.Errorf("after %s there is %s", after, name)
		}
	}
}

// kindOf is a name without what differs each time; empty for what is in a scene.
func kindOf(name string) string {
	folder, base := filepath.Split(name)
	switch {
	case strings.Contains(folder, "fairlead-probe-"):
		return ""
	case strings.HasPrefix(base, "fairlead-probe-"):
		return folder + "fairlead-probe-…"
	case strings.HasPrefix(base, ".fairlead-"):
		return folder + ".fairlead-….tmp"
	}
	return name
}

// orphans waits for the end of everything that the killed program had started.
func (l *left) orphans() {
	l.t.Helper()
	for limit := time.Now().Add(patience); ; <-time.After(time.Millisecond) {
		pids := childrenOf(l.t, os.Getpid())
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // it may have ended
		}
		if time.Now().After(limit) {
			for _, pid := range pids {
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				l.t.Errorf("process left: %q", line)
			}
			return
		}
	}
}

func childrenOf(t *testing.T, process int) (pids []int) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", process))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range tasks {
		text, _ := os.ReadFile(path) // the thread may have ended
		for _, field := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// fileSystem names the file system that a folder is on.
func fileSystem(t *testing.T, dir string) string {
	t.Helper()
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		t.Fatal(err)
	}
	names := map[int64]string{unix.EXT4_SUPER_MAGIC: "ext4", unix.TMPFS_MAGIC: "tmpfs", unix.BTRFS_SUPER_MAGIC: "btrfs", unix.XFS_SUPER_MAGIC: "xfs"}
	if name, ok := names[int64(stat.Type)]; ok { //nolint:unconvert,nolintlint // the type is another one on each system
		return name
	}
	return fmt.Sprintf("file system %#x", stat.Type)
}

package file_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/document/builtin"
)

// swapVariable has the test program exchange the names that follow in it, two by
// two, until its input ends: a command of the model that runs beside the file tools.
const swapVariable = "FAIRLEAD_TEST_SWAP"

// atEnd is what is to be done after the tests.
var atEnd []func()

func TestMain(m *testing.M) {
	if builtin.Asked() {
		os.Exit(builtin.Main())
	}
	names := os.Getenv(swapVariable)
	if names == "" {
		code := m.Run()
		for _, do := range atEnd {
			do()
		}
		os.Exit(code)
	}
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}()
	pairs := strings.Split(names, ":")
	for i := 0; ; i = (i + 2) % len(pairs) {
		if err := unix.Renameat2(unix.AT_FDCWD, pairs[i], unix.AT_FDCWD, pairs[i+1], unix.RENAME_EXCHANGE); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		// An exchange without a rest leaves no moment in which a call of several
		// milliseconds succeeds, so that only its first step would be tried.
		for range rand.IntN(2) * rand.IntN(40_000) {
			_ = os.Getppid()
		}
	}
}

// swapping starts a process that exchanges names of the workspace, two by two. The
// returned function ends it.
func (b *bench) swapping(pairs ...string) (end func()) {
	b.t.Helper()
	program, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env, cmd.Stderr = b.dir, append(os.Environ(), swapVariable+"="+strings.Join(pairs, ":")), os.Stderr
	input, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return sync.OnceFunc(func() {
		_ = input.Close()
		if err := cmd.Wait(); err != nil {
			b.t.Errorf("the process that exchanges names: %v", err)
		}
	})
}

// approved makes a change as it is made after an approval of what its preview shows.
func (b *bench) approved(name string, pairs ...any) message.Result {
	plan, err := b.plan(name, pairs...)
	if err != nil {
		return tool.Failure(err)
	}
	return b.carryOut(plan)
}

// swapped are folders of a workspace that a process exchanges with others: with a
// link to git's folder, to a folder of keys and out of the workspace, and with git's
// folder itself. Each of them has a file config.
type swapped struct {
	*bench
	outside string
}

func newSwapped(t *testing.T) swapped {
	b := newBench(t)
	s := swapped{b, filepath.Join(filepath.Dir(b.dir), "outside")}
	for _, git := range []string{".git", "moved/.git"} {
		b.put(git+"/HEAD", "ref: refs/heads/main\n")
		b.put(git+"/objects/info/packs", "")
		b.put(git+"/refs/heads/main", "")
		b.put(git+"/config", "of git\n")
	}
	b.put("../outside/config", "forbidden\n")
	b.put("../outside/forbidden", "")
	b.put(".ssh/config", "forbidden\n")
	b.put(".ssh/forbidden", "")
	for _, name := range []string{"a", "b", "c", "d"} {
		b.put(name+"/config", "mine\n")
	}
	for name, target := range map[string]string{"to-git": ".git", "to-keys": ".ssh", "to-outside": "../outside"} {
		if err := os.Symlink(target, filepath.Join(b.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// check fails the test if a file was written that nobody named.
func (s swapped) check() {
	s.t.Helper()
	for _, path := range []string{".git/config", "moved/.git/config", "d/config"} {
		if _, err := os.Stat(filepath.Join(s.dir, filepath.Dir(path), "HEAD")); err == nil && s.get(path) != "of git\n" {
			s.t.Fatalf("git's settings %s have %q", path, s.get(path))
		}
	}
	for _, path := range []string{".ssh/config", "../outside/config"} {
		if got := s.get(path); got != "forbidden\n" {
			s.t.Fatalf("%s has %q", path, got)
		}
	}
}

// look fails the test if a result shows what nobody may see.
func (s swapped) look(result message.Result) {
	s.t.Helper()
	if strings.Contains(result.Text(), "forbidden") {
		s.t.Fatalf("shown: %s", result.Text())
	}
}

func TestSEC09_SoakASwappedFolderIsNeverFollowed(t *testing.T) {
	until := time.Now().Add(8 * time.Second)
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		until = time.Now().Add(30 * time.Minute)
	}
	s := newSwapped(t)
	s.withSearch()
	end := s.swapping("a", "to-git", "b", "to-keys", "c", "to-outside", "d", "moved/.git")
	defer end()
	written, edited, read, removed, moved := 0, 0, 0, 0, 0
	for i := 0; (written+edited < 2000 || read < 2000) && time.Now().Before(until); i++ {
		folder := string("abcd"[i%4])
		path := folder + "/config"
		if s.approved("write_file", "path", path, "content", fmt.Sprintf("mine %d\n", i)).Success() {
			written++
		}
		found := s.run("read_file", "path", path)
		if s.look(found); found.Success() {
			read++
		}
		if s.approved("edit_file", "path", path, "edits", edits("mine", "mine too")).Success() {
			edited++
		}
		s.approved("write_file", "path", fmt.Sprintf("%s/hooks/new-%d", folder, i), "content", "")
		if i%3 == 0 {
			if s.approved("move_file", "from", path, "to", fmt.Sprintf("%s/moved-%d", folder, i)).Success() {
				moved++
			}
			if s.approved("delete_file", "path", fmt.Sprintf("%s/moved-%d", folder, i)).Success() {
				removed++
			}
			if s.approved("delete_file", "path", path).Success() {
				removed++
			}
		}
		if i%10 == 0 {
			s.look(s.run("search_files", "pattern", "forbi[d]den"))
			s.look(s.run("list_files"))
			s.look(s.run("list_files", "path", folder))
		}
	}
	end()
	s.check()
	t.Logf("%d files written, %d edited, %d read, %d deleted and %d moved", written, edited, read, removed, moved)
	if written == 0 || edited == 0 || read == 0 || removed == 0 || moved == 0 {
		t.Errorf("%d written, %d edited, %d read, %d deleted, %d moved: nothing was tried", written, edited, read, removed, moved)
	}
	for _, dir := range []string{".git", ".ssh", "../outside", "moved/.git", "d"} {
		_, head := os.Stat(filepath.Join(s.dir, dir, "HEAD"))
		if _, err := os.Stat(filepath.Join(s.dir, dir, "hooks")); err == nil && (head == nil || dir != "d" && dir != "moved/.git") {
			t.Errorf("a folder was made in %s", dir)
		}
	}
}

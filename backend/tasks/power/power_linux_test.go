//go:build !race

package power_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change/changetest"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	_ = os.Setenv("FAIRLEAD_TEST_AS_ROOT", "1") // root mounts the disk
	os.Exit(sandboxtest.Main(m, "fairlead", "fairlead/backend/sandbox/supervisor/fairlead-supervisor"))
}

// nobody is the user whose programs run.
const nobody = 65534

// script is a task that leads to the same wherever it was cut off. What runs in the background keeps
// the draft mounted when the run ends.
const script = `
call c1 shell {"command":"printf 'one\\ndraft\\n' >a.txt; rm -rf sub; mkdir -p new/deep; for i in $(seq 40); do echo $i >new/deep/$i; done"}
call c2 write_file {"path":"made.txt","content":"made\n"}
---
call c3 shell {"command":"cp a.txt b.txt; rm -rf moved; mv new moved; chmod 755 made.txt"}
call c4 shell_start {"command":"sleep 30"}
---
text It is done.
`

// wanted is what the task leaves.
const wanted = `printf 'one\ndraft\n' >a.txt; rm -rf sub; mkdir moved; mkdir moved/deep; for i in $(seq 40); do echo $i >moved/deep/$i; done
printf 'made\n' >made.txt; chmod 755 made.txt; cp a.txt b.txt`

// rig is a disk with a folder and the data of Fairlead.
type rig struct {
	*testing.T
	*changetest.Disk
	model atomic.Pointer[llmtest.Server]
	url   string
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *rig) folder() string { return filepath.Join(r.Mounted, "folder") }

// command is one that an ordinary user starts.
func command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=/nonexistent", "TMPDIR=" + os.TempDir(), "USER=nobody", "LOGNAME=nobody"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}, Setpgid: true}
	return cmd
}

func (r *rig) fairlead(args ...string) *exec.Cmd {
	return command(sandboxtest.Program("fairlead"), append(args, "--data-dir", filepath.Join(r.Mounted, "data"))...)
}

// fill fills a folder with what the task begins with.
func fill(t *testing.T, folder string) {
	t.Helper()
	output, err := command("/bin/sh", "-c", "umask 022; mkdir "+folder+"; cd "+folder+"; mkdir sub; echo one >a.txt; echo two >b.txt; echo three >sub/c.txt").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{T: t, Disk: changetest.NewDisk(t, 64<<20)}
	must(t, os.Chown(r.Mounted, nobody, nobody))
	for _, dir := range []string{filepath.Dir(r.Mounted), filepath.Dir(filepath.Dir(r.Mounted))} {
		must(t, os.Chmod(dir, 0o755))
	}
	fill(t, r.folder())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { r.model.Load().ServeHTTP(w, req) }))
	t.Cleanup(server.Close)
	r.url = server.URL + "/v1"
	return r
}

// run is how the next run is begun: it goes on with the draft, if there is one.
func (r *rig) run() []string {
	r.Helper()
	r.model.Store(llmtest.Script(script))
	listed, err := r.fairlead("drafts").CombinedOutput()
	if err != nil {
		r.Fatalf("list the drafts: %v: %s", err, listed)
	}
	args := []string{"run", "--base-url", r.url, "--model", "m", "--approve", "draft", "--output", "jsonl", "go on"}
	if id, _, _ := strings.Cut(string(listed), " "); !strings.HasPrefix(string(listed), "There is no") {
		return append(args, "--draft", id)
	}
	return append(args, "--workspace", r.folder())
}

// cut starts a command, cuts the power at a moment, ends the command and mounts what has survived.
// when returns at that moment; it is given what the command writes.
func (r *rig) cut(when func(io.Reader), args ...string) {
	r.Helper()
	disk, err := os.Open(r.Mounted)
	must(r.T, err)
	cmd := r.fairlead(args...)
	written, err := cmd.StdoutPipe()
	must(r.T, err)
	must(r.T, cmd.Start())
	when(written)
	changetest.CutPower(disk)
	must(r.T, errors.Join(syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL), disk.Close()))
	_ = cmd.Wait() // it was killed
	r.MountAgain(r.T)
}

// soon is a random moment.
func soon(most time.Duration) func(io.Reader) {
	return func(io.Reader) { <-time.After(time.Duration(rand.Int64N(int64(most)))) }
}

// atEnd is the moment in which a run says that it has ended.
func atEnd(written io.Reader) {
	for lines := bufio.NewScanner(written); lines.Scan(); {
		if strings.Contains(lines.Text(), `"lifecycle.end"`) {
			return
		}
	}
}

// TestPRE06_SoakAPowerCutLosesNothingOfADraft cuts the power of the disk that has the folder and the
// data at random moments of runs in a draft and of the apply, and when a run says that it has ended:
// nothing in the folder is changed before it is applied, what a run that had ended left is whole,
// another process goes on, and what is applied in the end is what the task does.
func TestPRE06_SoakAPowerCutLosesNothingOfADraft(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may mount a file system whose power can be cut")
	}
	if output, err := command("unshare", "--user", "--map-root-user", "--mount", "true").CombinedOutput(); err != nil {
		t.Skipf("this system refuses namespaces: %v: %s", err, output)
	}
	// The ordinary user starts programs, and makes files.
	programs := filepath.Dir(sandboxtest.Program("fairlead"))
	for _, dir := range []string{programs, filepath.Dir(programs), os.TempDir()} {
		must(t, os.Chmod(dir, 0o777))
	}
	rounds := 1
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		rounds = 10
	}
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) { cutThrice(newRig(t)) })
	}
}

func cutThrice(r *rig) {
	plain := filepath.Join(r.Mounted, "plain")
	fill(r.T, plain)
	cmd := command("/bin/sh", "-c", "umask 022; "+wanted)
	cmd.Dir = plain
	if output, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("%v: %s", err, output)
	}
	want := contents(r.T, plain)
	must(r.T, exec.Command("sync", "-f", r.Mounted).Run())
	before := changetest.Snapshot(r, r.folder())
	r.cut(soon(400*time.Millisecond), r.run()...)
	if diff := cmp.Diff(before, changetest.Snapshot(r, r.folder())); diff != "" {
		r.Fatalf("after a cut in a run: %s", diff)
	}
	r.cut(atEnd, r.run()...)
	r.cut(soon(60*time.Millisecond), "drafts", "apply")
	said, err := r.fairlead("drafts", "apply").CombinedOutput()
	if err != nil && !strings.Contains(string(said), "there is no draft") {
		r.Fatalf("applied: %v: %s", err, said)
	}
	if diff := cmp.Diff(want, contents(r.T, r.folder())); diff != "" {
		r.Fatalf("applied (-want +got): %s", diff)
	}
}

// contents is what is in a folder, without times and how many names files have.
func contents(t *testing.T, folder string) map[string]changetest.Entry {
	t.Helper()
	all := changetest.Snapshot(t, folder)
	for name, e := range all {
		e.Modified, e.Links = time.Time{}, 0
		all[name] = e
	}
	return all
}

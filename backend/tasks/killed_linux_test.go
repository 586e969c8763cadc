//go:build !race

package tasks_test

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change/changetest"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/sandbox/overlay"
	"fairlead/backend/sandbox/sandboxtest"
)

// again is a task that leads to the same wherever it was cut off.
const again = `
call c1 shell {"command":"printf 'one\\ndraft\\n' >a.txt; rm -rf sub; mkdir -p new/deep; for i in $(seq 40); do echo $i >new/deep/$i; done"}
call c2 write_file {"path":"made.txt","content":"made\n"}
---
call c3 shell {"command":"cp a.txt b.txt; rm -rf moved; mv new moved; rm -f link; ln -s made.txt link; chmod 755 made.txt"}
call c4 write_file {"path":"moved/deep/1","content":"by a tool\n"}
---
call c5 shell {"command":"rm -f moved/deep/2; cat moved/deep/1"}
---
text It is done.
`

// killing is a folder in which runs in a draft are killed.
type killing struct {
	*testing.T
	folder, data string
	model        atomic.Pointer[llmtest.Server]
	url          string
}

// start starts Fairlead.
func (k *killing) start(args ...string) *exec.Cmd {
	k.Helper()
	cmd := exec.Command(sandboxtest.Program("fairlead"), append(args, "--data-dir", k.data)...)
	cmd.Env = append(os.Environ(), "HOME="+os.Getenv("HOME"))
	must(k.T, cmd.Start())
	return cmd
}

// say runs Fairlead to its end, and returns what it wrote.
func (k *killing) say(args ...string) (string, error) {
	k.Helper()
	output, err := exec.Command(sandboxtest.Program("fairlead"), append(args, "--data-dir", k.data)...).CombinedOutput()
	return string(output), err
}

// killed runs Fairlead and kills it after some time, if it still runs then.
func (k *killing) killed(after time.Duration, args ...string) {
	k.Helper()
	cmd := k.start(args...)
	kill := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // it was killed, or not
	kill.Stop()
}

// run is what the next run is begun with: it goes on with the draft, if there is one.
func (k *killing) run() []string {
	k.Helper()
	k.model.Store(llmtest.Script(again))
	args := []string{"run", "--base-url", k.url, "--model", "m", "--approve", "draft", "--output", "jsonl", "go on"}
	listed, err := k.say("drafts")
	must(k.T, err)
	if id, _, _ := strings.Cut(listed, " "); !strings.HasPrefix(listed, "There is no") {
		return append(args, "--draft", id)
	}
	return append(args, "--workspace", k.folder)
}

// TestPRE06_SoakAKilledDraftGoesOn kills runs in a draft, the look at it and the apply at random
// moments. Nothing in the folder is changed before it is applied, another process goes on, and
// what is applied in the end is what the task would have done in the folder.
func TestPRE06_SoakAKilledDraftGoesOn(t *testing.T) {
	sandboxtest.NeedsFull(t)
	tries := 4
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		tries = 40
	}
	plain := newFolder(t)
	for _, line := range []string{
		"printf 'one\\ndraft\\n' >a.txt; rm -rf sub; mkdir -p new/deep; for i in $(seq 40); do echo $i >new/deep/$i; done; printf 'made\\n' >made.txt",
		"cp a.txt b.txt; rm -rf moved; mv new moved; ln -sf made.txt link; chmod 755 made.txt; echo 'by a tool' >moved/deep/1; rm moved/deep/2",
	} {
		cmd := exec.Command("/bin/sh", "-c", line)
		cmd.Dir = plain
		must(t, cmd.Run())
	}
	want := contents(t, plain)
	for range tries {
		k := &killing{T: t, folder: newFolder(t), data: filepath.Join(t.TempDir(), "data")}
		t.Cleanup(func() { must(t, overlay.RemoveAll(k.data)) }) // folders that nobody may enter are among it
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { k.model.Load().ServeHTTP(w, r) }))
		defer server.Close()
		k.url = server.URL + "/v1"
		before := changetest.Snapshot(t, k.folder)
		for range 3 {
			k.killed(time.Duration(rand.Int64N(int64(350*time.Millisecond))), k.run()...)
			if diff := cmp.Diff(before, changetest.Snapshot(t, k.folder)); diff != "" {
				t.Fatalf("a killed run changed the folder: %s", diff)
			}
		}
		if said, err := k.say(k.run()...); err != nil {
			t.Fatalf("the run that went on: %v: %s", err, said)
		}
		k.killed(time.Duration(rand.Int64N(int64(60*time.Millisecond))), "drafts", "show")
		if diff := cmp.Diff(before, changetest.Snapshot(t, k.folder)); diff != "" {
			t.Fatalf("before it was applied: %s", diff)
		}
		for range 2 {
			k.killed(time.Duration(rand.Int64N(int64(60*time.Millisecond))), "drafts", "apply")
		}
		said, err := k.say("drafts", "apply")
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || !strings.Contains(said, "there is no draft")) {
			t.Fatalf("applied: %v: %s", err, said)
		}
		if diff := cmp.Diff(want, contents(t, k.folder)); diff != "" {
			t.Fatalf("applied (-want +got): %s", diff)
		}
	}
}

// contents is what is in a folder, without times and how many names files have.
func contents(t *testing.T, folder string) snapshot {
	t.Helper()
	all := changetest.Snapshot(t, folder)
	for name, e := range all {
		e.Modified, e.Links = time.Time{}, 0
		all[name] = e
	}
	return all
}

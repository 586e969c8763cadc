//go:build unix && !race

package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/llm"
)

// worked is a run of everything: it streams, asks, writes and runs a command.
const worked = `
reasoning I look at it
chunk first
wait 4ms
chunk " words"
wait 4ms
call c1 read_file {"path":"note.txt"}
call c2 write_file {"path":"new.txt","content":"new\n"}
---
text I run it.
wait 4ms
call c3 shell {"command":"echo ran >> ran.txt; sleep 0.02; echo done"}
---
chunk It is
wait 4ms
chunk " finished."
wait 4ms
chunk " Really."
`

// protocols are how the models of the killed runs are asked, one after the other, and paths
// where.
var (
	protocols = []llm.Protocol{llm.ChatCompletions, llm.Responses, llm.Messages}
	paths     = map[llm.Protocol]string{
		llm.ChatCompletions: "/v1/chat/completions", llm.Responses: "/v1/responses", llm.Messages: "/v1/messages",
	}
)

// crash kills a run some time after its start and looks at what is left of it.
func crash(t *testing.T, spoken llm.Protocol, after time.Duration) {
	c := newCrashed(t, spoken, worked)
	c.runFor(after)
	c.check()
	for i, request := range c.server.Requests() {
		if request.Path != paths[spoken] {
			t.Errorf("request %d over %s went to %s", i+1, spoken, request.Path)
		}
	}
}

// crashes is how often a run is killed.
const crashes = 60

// TestPART03_NothingShownIsLostWhenTheProgramIsKilled kills runs at random moments, and goes
// on with each over the protocol that it began with.
func TestPART03_NothingShownIsLostWhenTheProgramIsKilled(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	began := time.Now()
	crash(t, llm.ChatCompletions, patience)
	// A run takes longer beside the others, and this one was looked at, too.
	span := time.Since(began)
	var moments [crashes]time.Duration
	for i := range moments {
		moments[i] = time.Duration(random.Int64N(int64(span)))
	}
	const workers = 4
	for worker := range workers {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			for i := worker; i < crashes; i += workers {
				spoken := protocols[i%len(protocols)]
				crash(t, spoken, moments[i])
				if t.Failed() {
					t.Fatalf("killed after %v over %s", moments[i], spoken)
				}
			}
		})
	}
}

// TestPART03_AFullDiskEndsARunInOrder fills the disk of the data folder at each
// possible write.
func TestPART03_AFullDiskEndsARunInOrder(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", t.TempDir()).CombinedOutput(); err != nil {
		t.Skipf("no disk of a chosen size can be made here: %v: %s", err, out)
	}
	const workers, smallest, largest, step = 2, 90, 480, 6 // KiB
	for worker := range workers {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			for size := smallest + worker*step; size <= largest; size += workers * step {
				fillDisk(t, size)
				if t.Failed() {
					t.Fatalf("with a disk of %d KiB", size)
				}
			}
		})
	}
}

// fullDisk runs a task with its data on a disk of SIZE KiB, then makes the disk
// larger, and copies what is on it for the test to look at.
const fullDisk = `
mount -t tmpfs -o size=${SIZE}k none "$XDG_DATA_HOME" || exit 99
"$@"
code=$?
mount -o remount,size=50m none "$XDG_DATA_HOME" || exit 99
cp -a "$XDG_DATA_HOME/." "$COPY" || exit 99
exit $code
`

func fillDisk(t *testing.T, size int) {
	c := newCrashed(t, llm.ChatCompletions, worked)
	inside := c.command(c.task("--approve", "all", "--output", "jsonl")...)
	cmd := exec.Command("unshare", append([]string{"-rm", "sh", "-c", fullDisk, "sh", inside.Path}, inside.Args[1:]...)...)
	data, copied := home(c.root)["XDG_DATA_HOME"], filepath.Join(c.root, "copy")
	c.must(os.MkdirAll(data, 0o700))
	c.must(os.MkdirAll(copied, 0o700))
	cmd.Dir = inside.Dir
	cmd.Env = append(inside.Env, fmt.Sprintf("SIZE=%d", size), "COPY="+copied)
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	err := cmd.Run()
	c.follow(&out, io.Discard)
	c.must(os.Remove(data))
	c.must(os.Rename(copied, data))
	if err == nil {
		c.check() // the disk was large enough
		return
	}
	said := trouble.String()
	if len(c.shown) > 0 {
		last := c.shown[len(c.shown)-1]
		if last.Type != "lifecycle.error" {
			t.Fatalf("the run ends with %s: %s", last.Type, said)
		}
		if last.field("code") != "STORAGE" || strings.Contains(said, "next run") {
			t.Errorf("the code is %s, and it says %q", last.field("code"), said)
		}
		said = last.field("message")
		// The end is shown, though it could not be kept.
		c.shown, c.lines = c.shown[:len(c.shown)-1], c.lines[:len(c.lines)-1]
	}
	if !strings.Contains(said, "disk is full") && !strings.Contains(said, "no space left") && !strings.Contains(said, "cannot be written") {
		t.Errorf("it says %q", said)
	}
	c.check()
}

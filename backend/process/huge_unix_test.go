//go:build unix && !race

package process

import (
	"io"
	"runtime"
	"testing"
	"time"
	"unicode/utf8"
)

func TestTOOL04_HugeOutputOfAJobStaysBounded(t *testing.T) {
	const size = 200_000_000
	j := newJobs(t, JobsOptions{})
	var kept int64
	runtime.GC() // what tests before left does not count
	began := time.Now()
	id, err := j.Start("call", Command{
		Line: "yes 0123456789 | head -c 200000000", Dir: t.TempDir(),
		Spill: func() (io.WriteCloser, error) { return counter{&kept}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	var memory runtime.MemStats
	var most uint64
	var seen, next int64
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for running := true; running; <-tick.C {
		r, err := j.Read(id, "model")
		if err != nil {
			t.Fatal(err)
		}
		seen += int64(utf8.RuneCountInString(r.Text.Head)+utf8.RuneCountInString(r.Text.Tail)) + r.Text.Omitted + r.Skipped
		running = r.Job.Running
		tail, err := j.Watch(id, next)
		if err != nil || len(tail.Text) > ringLimit || tail.Next-tail.From != int64(len(tail.Text)) || tail.From < next {
			t.Fatalf("%d bytes from %d to %d, asked for %d, %v", len(tail.Text), tail.From, tail.Next, next, err)
		}
		next = tail.Next
		runtime.ReadMemStats(&memory)
		most = max(most, memory.HeapInuse+memory.StackInuse)
	}
	t.Logf("at most %d MiB in %v", most>>20, time.Since(began))
	if most > 60<<20 {
		t.Errorf("used %d bytes of memory", most)
	}
	if seen != size || next != size || kept != SpillLimit {
		t.Errorf("%d characters were read, the end is at %d, %d are kept", seen, next, kept)
	}
}

func TestTOOL04_HugeOutputStaysBounded(t *testing.T) {
	const size = 200_000_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var kept int64
	calls, shown := 0, 0
	began := time.Now()
	exit, err := Run(t.Context(), Command{
		Line:   "yes 0123456789 | head -c 200000000",
		Dir:    t.TempDir(),
		Spill:  func() (io.WriteCloser, error) { return counter{&kept}, nil },
		Output: func(text string) { calls++; shown = max(shown, len(text)) },
	})
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("used %d bytes of memory", used)
	}
	text := exit.Text
	if text.Bytes != size || text.Omitted != size-HeadLimit-TailLimit || len(text.Head) != HeadLimit || len(text.Tail) != TailLimit {
		t.Errorf("%d bytes, %d omitted, head %d, tail %d", text.Bytes, text.Omitted, len(text.Head), len(text.Tail))
	}
	if text.Spilled != SpillLimit || kept != SpillLimit || text.SpillErr != ErrSpillFull {
		t.Errorf("spilled %d, kept %d, %v", text.Spilled, kept, text.SpillErr)
	}
	if most := int(took/liveInterval) + 2; calls > most || shown > liveLimit {
		t.Errorf("%d calls in %v, the longest %d bytes", calls, took, shown)
	}
}

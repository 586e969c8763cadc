package cli_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRET03_RetryNow(t *testing.T) {
	t.Parallel()
	run := newPlace(t, "status 429 {}\nheader Retry-After: 30\n---\ntext well").start("--input", "jsonl")
	if retry := run.await("llm.retry"); retry.Data["delayMs"] != 30000.0 {
		t.Errorf("the wait: %v", retry.Data)
	}
	within(t, func() {
		run.say(`{"type":"retry"}`)
		run.await("lifecycle.end")
	})
	run.ends(0)
	if text := run.stderr.String(); text != "" {
		t.Errorf("standard error: %q", text)
	}
}

// faulty is a provider that is too busy, fails, and breaks off in the middle of a call.
const faulty = `
status 429 {"error":{"message":"slow down"}}
header Retry-After: 1
---
status 500 {"error":{"message":"out of order"}}
---
text I run
call c0 shell {"command":"echo ran >> ran.txt"}
raw "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"c1\",\"function\":{\"name\":\"shell\",\"arguments\":\"{\\\"comm\"}}]}}]}\n"
cut
---
text I run it.
call c1 shell {"command":"echo ran >> ran.txt"}
---
text done
`

func TestRET02_ThreeDifferentFaultsInARow(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes 8 s")
	}
	t.Parallel()
	run := newPlace(t, faulty).start("--approve", "all")
	if end := run.ends(0); end.field("content") != "done" || strings.TrimSpace(run.read("ran.txt")) != "ran" {
		t.Errorf("the end %v; ran.txt is %q", end.Data, run.read("ran.txt"))
	}
	bounds := [][2]time.Duration{{time.Second, time.Second}, {2 * time.Second, 3 * time.Second}, {4 * time.Second, 5 * time.Second}}
	counts, streamed := map[string]int{}, map[any]string{}
	for i, e := range run.seen {
		counts[e.Type]++
		switch e.Type {
		case "assistant.delta":
			streamed[e.Data["partId"]] += e.field("content")
		case "llm.retry":
			n := counts[e.Type]
			wait := time.Duration(e.Data["delayMs"].(float64)) * time.Millisecond
			if e.Data["attempt"] != float64(n+1) || n > len(bounds) || wait < bounds[n-1][0] || wait > bounds[n-1][1] {
				t.Errorf("retry %d: %v", n, e.Data)
			}
			// The next event comes of the next attempt. Times are cut to milliseconds.
			if took := time.Duration(run.seen[i+1].TS-e.TS+1) * time.Millisecond; took < wait {
				t.Errorf("it waited %v instead of %v", took, wait)
			}
			for _, part := range e.Data["discard"].([]any) {
				delete(streamed, part)
			}
		}
	}
	if counts["llm.retry"] != 3 || counts["tool.call"] != 1 || counts["tool.running"] != 1 || counts["tool.result"] != 1 {
		t.Errorf("the events: %v", counts)
	}
	if texts := slices.Sorted(maps.Values(streamed)); !slices.Equal(texts, []string{"I run it.", "done"}) {
		t.Errorf("RET-03: streamed and not discarded: %q", texts)
	}
}

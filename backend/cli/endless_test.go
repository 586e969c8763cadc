//go:build !race

package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A provider that sends arguments or calls without end is cut off at once, and has
// cost little memory (SPEC SEC-11).
func TestSEC11_SoakAProviderWithoutEndIsCutOff(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the peak of its memory is not measured on this system")
	}
	idle := newPlace(t, "text done").start("--stats", "--no-session")
	idle.ends(0)
	floor := peak(t, idle)
	text := strings.Repeat("0123456789abcdef", 1<<14)
	for name, test := range map[string]struct {
		// chunk is the i-th piece, bound the number of the one that is too many.
		chunk func(i int) string
		bound int
	}{
		"arguments": {func(i int) string {
			if i == 0 {
				return callPiece(0, "a", "write_file", `{"content":"`)
			}
			return callPiece(0, "", "", text)
		}, 9 << 20 / len(text)},
		"calls": {func(i int) string {
			return callPiece(i, fmt.Sprint("c", i), "write_file", fmt.Sprintf(`{"path":"f%d","content":""}`, i))
		}, 128},
	} {
		t.Run(name, func(t *testing.T) {
			var reached atomic.Int64
			p := newPlace(t, "text done")
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for i := 0; r.Context().Err() == nil; i++ {
					if _, err := io.WriteString(w, test.chunk(i)); err != nil {
						return
					}
					if i == test.bound {
						reached.Store(time.Now().UnixNano())
					}
				}
			}))
			t.Cleanup(server.Close)
			p.url = server.URL + "/v1"
			run := p.start("--approve", "all", "--stats", "--no-session")
			end := run.ends(1)
			if end.field("code") != "TOO_LARGE" {
				t.Errorf("the end is %v", end.Data)
			}
			late := time.UnixMilli(end.TS).Sub(time.Unix(0, reached.Load()))
			if late > time.Second {
				t.Errorf("it ended %v after the bound", late)
			}
			if p.read("f0") != "" || strings.Contains(fmt.Sprint(types(run.seen)), "tool.running") {
				t.Error("something of the reply was carried out")
			}
			most := peak(t, run)
			t.Logf("the end came %v after the bound; %d MiB more than a short reply", late, (most-floor)>>20)
			if grown := most - floor; grown > 200<<20 {
				t.Errorf("memory: %d MiB more than a short reply needs", grown>>20)
			}
		})
	}
}

// Text and reasoning without end are cut off at their bound, or at the run's limit where
// they come too slowly to reach it, and cost little memory (SPEC SEC-11).
func TestSEC11_SoakWordsWithoutEndAreCutOff(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the peak of its memory is not measured on this system")
	}
	const limit = 4 * time.Second
	idle := newPlace(t, "text done").start("--stats")
	idle.ends(0)
	floor := peak(t, idle)
	random := rand.New(rand.NewPCG(1, 2))
	words := make([]byte, 8<<20)
	for i := range words {
		words[i] = "abcdefghijklmnopqrstuvwxyz      "[random.IntN(32)]
	}
	for name, test := range map[string]struct {
		field string
		size  int // of a piece, in bytes
		code  string
		exit  int
	}{
		"text":                    {"content", 1 << 18, "TOO_LARGE", 1},
		"text in small pieces":    {"content", 64, "TOO_LARGE", 1},
		"text in bytes":           {"content", 1, "TIMEOUT", 4},
		"reasoning":               {"reasoning_content", 1 << 18, "TOO_LARGE", 1},
		"reasoning in bytes":      {"reasoning_content", 1, "TIMEOUT", 4},
		"reasoning in other form": {"reasoning", 1 << 12, "TOO_LARGE", 1},
	} {
		t.Run(name, func(t *testing.T) {
			if os.Getenv("FAIRLEAD_SOAK") == "" && name != "text" && name != "reasoning in bytes" {
				t.Skip("a long form of the others")
			}
			var reached atomic.Int64
			chunks := make([]string, 0, min(len(words)/test.size, 4096))
			for at := 0; len(chunks) < cap(chunks); at += test.size {
				chunks = append(chunks, fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{%q:%q}}]}\n\n", test.field, words[at:at+test.size]))
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for i := 0; r.Context().Err() == nil; i++ {
					if _, err := io.WriteString(w, chunks[i%len(chunks)]); err != nil {
						return
					}
					if (i+1)*test.size > 4<<20 {
						reached.CompareAndSwap(0, time.Now().UnixNano())
					}
				}
			}))
			t.Cleanup(server.Close)
			p := newPlace(t, "text done")
			p.url = server.URL + "/v1"
			run := p.start("--approve", "all", "--stats", "--run-timeout", limit.String())
			end := run.ends(test.exit)
			begun := time.UnixMilli(run.seen[0].TS)
			if end.field("code") != test.code {
				t.Errorf("the end is %v %v", end.field("reason"), end.field("code"))
			}
			bound := begun.Add(limit)
			if test.code == "TOO_LARGE" {
				bound = time.Unix(0, reached.Load())
			}
			late := time.UnixMilli(end.TS).Sub(bound)
			if late > time.Second {
				t.Errorf("it ended %v after the bound", late)
			}
			most := peak(t, run)
			t.Logf("the end came %v after the bound; %d MiB more than a short reply", late, (most-floor)>>20)
			if grown := most - floor; grown > 150<<20 {
				t.Errorf("memory: %d MiB more than a short reply needs", grown>>20)
			}
		})
	}
}

// callPiece is a chunk of a stream with a piece of a call.
func callPiece(index int, id, name, arguments string) string {
	return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":%d,\"id\":%q,\"function\":{\"name\":%q,\"arguments\":%q}}]}}]}\n\n",
		index, id, name, arguments)
}

// peak is the most memory that a program with --stats had, in bytes.
func peak(t *testing.T, run *program) int64 {
	t.Helper()
	var stats struct {
		PeakMemory int64 `json:"peakMemory"`
	}
	text := run.stderr.String()
	if at := strings.Index(text, "{"); at < 0 || json.Unmarshal([]byte(text[at:]), &stats) != nil {
		t.Fatalf("no figures on standard error: %q", text)
	}
	return stats.PeakMemory
}

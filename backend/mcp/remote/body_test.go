package remote

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// Each row is an answer, and what is said of it.
func TestEXT01_AnswersThatAreNone(t *testing.T) {
	status := func(code int, kind, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(code)
			_, _ = io.WriteString(w, text)
		}
	}
	later := func(seconds string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", seconds)
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		code    Code
		words   string
	}{
		"403":         {status(403, "text/plain", "no"), Forbidden, "does not let you in (403)"},
		"404":         {status(404, "text/html", "<p>no"), NotFound, "has nothing at /mcp (404): check the path; if this is an older server, choose SSE"},
		"405":         {status(405, "text/plain", "no"), WrongMethod, "takes no messages at /mcp (405)"},
		"418":         {status(418, "text/plain", "no"), NotMCP, "418 I'm a teapot"},
		"500":         {status(500, "text/plain", "no"), ServerFailed, "500 Internal Server Error"},
		"502":         {status(502, "text/html", "<p>no"), ServerFailed, "502 Bad Gateway"},
		"599":         {status(599, "text/plain", "no"), ServerFailed, "(599)"},
		"503":         {status(503, "text/plain", "no"), Busy, "is busy (503): try again later"},
		"429 an hour": {later("3600"), Busy, "is busy (429): it asks to wait for 1h0m0s"},
		"429 at once": {later("0"), Busy, "is busy (429): it asks to wait for 0s"},
		"a page":      {status(200, "text/html; charset=utf-8", "<p>hello"), NotMCP, "answers with a web page"},
		"a text":      {status(200, "text/plain", "hello"), NotMCP, `answers with "text/plain"`},
		"no type": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			_, _ = io.WriteString(w, "{}")
		}, NotMCP, `answers with ""`},
		"no JSON": {status(200, "application/json", "hello"), Other, "failed to decode response"},
		"a long header": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 100<<10))
		}, Unreachable, "headers exceeded"},
		"cut": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"jsonrpc"`)
		}, Unreachable, "ended early: the server ended the connection before its answer was complete"},
		"1 GB": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			pour(w, strings.Repeat(" ", 1<<16), 1<<14)
		}, TooLarge, "answers with more than 1 MiB at once"},
		"an event of 1 GB": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			pour(w, "data: "+strings.Repeat("x", 1<<16)+"\n", 1<<14)
		}, TooLarge, "answers with more than 1 MiB at once"},
		"an endless stream": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			pour(w, ": "+strings.Repeat("x", 1<<10)+"\n\n", 1<<20)
		}, TooLarge, "answers one request with more than 4 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, serve(t, test.handler).URL+"/mcp")
			s.maxEvent, s.maxStream = 1<<20, 4<<20
			wantFault(t, s, test.code, test.words)
		})
	}
	wantFault(t, open(t, serve(t, status(404, "text/plain", "no")).URL+"/sse", sse), NotFound, "most servers take streamable HTTP now")
	wantFault(t, open(t, serve(t, status(200, "text/html", "<p>")).URL+"/sse", sse), NotMCP, "a web page")
}

// pour writes a text many times, as long as somebody reads.
func pour(w http.ResponseWriter, text string, times int) {
	for range times {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
	}
}

func TestEXT01_AnAnswerOf1GBTakesNoMemory(t *testing.T) {
	var start runtime.MemStats
	var peak atomic.Uint64
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range 1 << 10 {
			pour(w, strings.Repeat(" ", 1<<16), 1<<4)
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			peak.Store(max(peak.Load(), now.HeapAlloc))
			if _, err := io.WriteString(w, " "); err != nil {
				return
			}
		}
		t.Error("all of it is read")
	}))
	runtime.GC()
	runtime.ReadMemStats(&start)
	wantFault(t, open(t, server.URL), TooLarge, "answers with more than 16 MiB at once")
	if used := int64(peak.Load()) - int64(start.HeapAlloc); used > 100<<20 {
		t.Errorf("%d MB were used", used>>20)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add("data: a\n\ndata: b\r\n\r\n: c\r\r", 3)
	f.Fuzz(func(t *testing.T, text string, at int) {
		at = min(max(at, 0), len(text))
		whole, parts := &eventCounter{}, &eventCounter{}
		want := whole.count([]byte(text))
		parts.count([]byte(text[:at]))
		if got := parts.count([]byte(text[at:])); got != want || *whole != *parts {
			t.Errorf("%q at %d: %+v, and in two parts %+v", text, at, whole, parts)
		}
		if whole.size > int64(len(text)) || whole.size < 0 {
			t.Errorf("%q: an event of %d bytes", text, whole.size)
		}
	})
}

package remote

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/secret"
)

func header(name, value string) func(*Options) {
	return func(o *Options) {
		if o.Headers == nil {
			o.Headers = map[string]secret.Key{}
		}
		o.Headers[name] = secret.NewKey(value)
	}
}

func sse(o *Options) { o.Kind = SSE }

func TestEXT01_AServerOfTheUser(t *testing.T) {
	var keys atomic.Int64
	inner := streamable(t)
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.Header.Get("X-Api-Key") == "canary-key-1" && request.Header.Get("User-Agent") == agent {
			keys.Add(1)
		}
		if request.Header.Get("Cookie") != "" {
			t.Error("a cookie came back")
		}
		w.Header().Set("Set-Cookie", "a=b")
		inner.ServeHTTP(w, request)
	}))
	s := open(t, server.URL, header("X-Api-Key", "canary-key-1"))
	wantEcho(t, s)
	if keys.Load() < 3 {
		t.Errorf("the key was sent %d times", keys.Load())
	}
	if got := s.options.Redactor.String("canary-key-1"); got != secret.Redacted {
		t.Errorf("the key is not redacted: %s", got)
	}
}

func TestEXT01_AnOldServer(t *testing.T) {
	server := newNotes(t)
	old := serve(t, mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil))
	s := open(t, old.URL, sse)
	// The stream outlives the context of connecting.
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	session, err := connect(ctx, t, s)
	cancel()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := callEcho(t.Context(), session, "hello"); err != nil || text != "hello" {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestEXT01_APublicServer(t *testing.T) {
	site := newSite(t, streamable(t))
	wantEcho(t, site.openAt(t, site.at("mcp.example.com", "/"), nil))
}

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
	var start, peak runtime.MemStats
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range 1 << 10 {
			pour(w, strings.Repeat(" ", 1<<16), 1<<4)
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			if now.HeapAlloc > peak.HeapAlloc {
				peak = now
			}
			if _, err := io.WriteString(w, " "); err != nil {
				return
			}
		}
		t.Error("all of it is read")
	}))
	runtime.GC()
	runtime.ReadMemStats(&start)
	wantFault(t, open(t, server.URL), TooLarge, "answers with more than 16 MiB at once")
	if used := int64(peak.HeapAlloc) - int64(start.HeapAlloc); used > 100<<20 {
		t.Errorf("%d MB were used", used>>20)
	}
}

func TestEXT01_AKeyInTheAddressIsNotTold(t *testing.T) {
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "hello")
	}))
	s := open(t, server.URL+"/mcp?api_key=canary-key-1")
	_, err := connect(t.Context(), t, s)
	if err == nil || strings.Contains(s.Explain(err).Text, "canary") {
		t.Errorf("got %v", err)
	}
}

func TestEXT01_ABusyServerIsAskedAgain(t *testing.T) {
	inner := streamable(t)
	var busy atomic.Int64
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if busy.Add(1)%2 == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		inner.ServeHTTP(w, request)
	}))
	wantEcho(t, open(t, server.URL))
}

func TestEXT01_NoConnection(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	wantFault(t, open(t, closed.URL), Unreachable, "the server refuses the connection")

	site := newSite(t, streamable(t))
	wantFault(t, site.openAt(t, "https://mcp.missing.test/", nil), NameUnknown, "there is no host mcp.missing.test")
	distrusting := site.openAt(t, site.at("mcp.example.com", "/"), nil, func(o *Options) { o.Roots = nil })
	wantFault(t, distrusting, NotTrusted, "the certificate of the server is not accepted")

	plain := serve(t, streamable(t))
	wantFault(t, open(t, strings.Replace(plain.URL, "http:", "https:", 1)), NotTrusted, "does not answer with TLS")
}

func TestEXT01_AServerThatAnswersNothing(t *testing.T) {
	silent := http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body) // else the server does not see the client go
		<-request.Context().Done()
	})
	headers := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(w).Flush()
		for request.Context().Err() == nil { // comments are no event
			_, _ = io.WriteString(w, ": x\n\n")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-request.Context().Done():
			case <-time.After(time.Millisecond):
			}
		}
	})
	slow := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nX-Slow: ")
		for {
			if _, err := io.WriteString(conn, "x"); err != nil {
				return
			}
			<-time.After(time.Millisecond)
		}
	})
	for name, handler := range map[string]http.Handler{"silent": silent, "comments": headers, "a slow header": slow} {
		for _, change := range []func(*Options){func(*Options) {}, sse} {
			s := open(t, serve(t, handler).URL, change)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			_, err := connect(ctx, t, s)
			cancel()
			t.Log(name, s.options.Kind)
			checkFault(t, s, err, TimedOut, "did not answer in time")
		}
	}
}

// The SDK waits for the stream of a server's own messages, and no context ends that.
func TestEXT01_AServerWithoutAStreamOfItsOwn(t *testing.T) {
	inner := streamable(t)
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		switch {
		case request.Method == http.MethodGet:
			<-request.Context().Done()
		case methodOf(t, request) == "server/discover":
			w.WriteHeader(http.StatusBadRequest)
		default:
			inner.ServeHTTP(w, request)
		}
	}))
	s := open(t, server.URL)
	s.streamWait = 50 * time.Millisecond
	wantEcho(t, s)
}

func TestEXT01_AStreamThatEndsTimeAndAgain(t *testing.T) {
	inner := streamable(t)
	var begun atomic.Int64
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		switch {
		case request.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "retry: 1\nid: %d\ndata:\n\n", begun.Add(1))
		case methodOf(t, request) == "server/discover":
			w.WriteHeader(http.StatusBadRequest)
		default:
			inner.ServeHTTP(w, request)
		}
	}))
	s := open(t, server.URL)
	session, err := connect(t.Context(), t, s)
	if err != nil {
		t.Fatal(err)
	}
	_ = session.Wait() // what the call says tells more
	if n := begun.Load(); n > maxStreams {
		t.Errorf("%d streams were begun", n)
	}
	if _, err = callEcho(t.Context(), session, "x"); err == nil || !strings.Contains(s.Explain(err).Text, "ended its stream of messages 10 times within a minute") {
		t.Errorf("got %v", err)
	}
}

func TestEXT01_ASessionThatHasEnded(t *testing.T) {
	inner := streamable(t)
	var forgets atomic.Bool
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		switch {
		case methodOf(t, request) == "server/discover":
			w.WriteHeader(http.StatusBadRequest)
		case forgets.Load() && request.Header.Get("Mcp-Session-Id") != "":
			w.WriteHeader(http.StatusNotFound)
		default:
			inner.ServeHTTP(w, request)
		}
	}))
	s := open(t, server.URL)
	session := wantEcho(t, s)
	forgets.Store(true)
	_, err := callEcho(t.Context(), session, "x")
	checkFault(t, s, err, SessionEnded, "has ended the session")
	forgets.Store(false)
	wantEcho(t, s)
}

func TestEXT01_CloseEndsACall(t *testing.T) {
	reached, over := make(chan struct{}), make(chan struct{})
	defer close(over)
	server := newNotes(t)
	server.AddTool(&mcp.Tool{Name: "wait", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(reached)
		<-over // the SDK's server lets a call go on when its client is gone
		return nil, ctx.Err()
	})
	s := open(t, serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)).URL)
	session, err := connect(t.Context(), t, s)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "wait"})
		ended <- err
	}()
	<-reached
	s.Close()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it succeeds")
		}
	case <-time.After(patience):
		t.Fatal("the call does not end")
	}
}

// A proxy carries everything but what goes to this computer.
func TestEXT01_TheProxyOfTheSettings(t *testing.T) {
	var asked atomic.Value
	proxy := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		asked.Store(request.Method + " " + request.Host)
		w.WriteHeader(http.StatusForbidden)
	}))
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	through := func(o *Options) { o.Private, o.Proxy = false, address }
	wantFault(t, open(t, "https://mcp.example.com/", through), Unreachable, "Forbidden")
	if got := asked.Load(); got != "CONNECT mcp.example.com:443" {
		t.Errorf("the proxy was asked %v", got)
	}
	wantEcho(t, open(t, serve(t, streamable(t)).URL, func(o *Options) { o.Proxy = address }))
	if _, err := Open(Options{Server: "notes", URL: "https://localhost/", Proxy: address, Redactor: &secret.Redactor{}}); err == nil {
		t.Error("this computer is reached through the proxy")
	}
}

func TestHeadersThatAreNone(t *testing.T) {
	for name, value := range map[string]string{
		"": "x", "a b": "x", "X-Key": "a\r\nX-Other: b", "Host": "other", "mcp-session-id": "x", "Cookie": "a=b", "Content-Length": "1",
	} {
		_, err := Open(Options{
			Server: "notes", URL: "https://mcp.example.com/", Redactor: &secret.Redactor{}, Headers: map[string]secret.Key{name: secret.NewKey(value)},
		})
		if fault, ok := err.(*Fault); !ok || fault.Code != BadAddress { //nolint:errorlint // it is what Open returns
			t.Errorf("%q: %v", name, err)
		}
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

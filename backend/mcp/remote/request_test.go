package remote

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
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
			if begun.Load() > 2*maxStreams {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
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

// The end of a session's transport leaves the others.
func TestEXT01_CloseEndsACall(t *testing.T) {
	reached, over := make(chan struct{}), make(chan struct{})
	defer close(over)
	server := newNotes(t)
	server.AddTool(&mcp.Tool{Name: "wait", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		reached <- struct{}{}
		<-over // the SDK's server lets a call go on when its client is gone
		return nil, ctx.Err()
	})
	s := open(t, serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)).URL)
	other := wantEcho(t, s)
	transport, end := s.Transport()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "fairlead", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := session
	t.Cleanup(func() { _ = first.Close() }) // its transport has ended
	for _, do := range []func(){end, s.Close} {
		ended := make(chan error, 1)
		go func() {
			_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "wait"})
			ended <- err
		}()
		<-reached
		do()
		select {
		case err := <-ended:
			checkFault(t, s, err, Cancelled, "was cancelled")
		case <-time.After(patience):
			t.Fatal("the call does not end")
		}
		session = other
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

package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/tooltest"

	"go.uber.org/goleak"
)

func TestUntrustedCertificateIsRefused(t *testing.T) {
	g := secure(t)
	wantFailure(t, tooltest.Run(t.Context(), g, input("https://wrong.test/")), message.HTTPError, "certificate of the server is not accepted: x509: certificate is valid for")
	g.roots = x509.NewCertPool()
	wantFailure(t, tooltest.Run(t.Context(), g, input("https://example.com/")), message.HTTPError, "certificate of the server is not accepted", "unknown authority")
}

func TestUnansweredRequestsSayWhy(t *testing.T) {
	g := bare(t, nil)
	answers := map[string]string{
		"/hang-up":   "",
		"/nonsense":  "SSH-2.0-OpenSSH_9.6" + strings.Repeat("x", 2000) + "\r\n\r\n",
		"/cut":       "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nhalf of it",
		"/corrupt":   "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\nnot compressed at all",
		"/unasked":   "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: br\r\nContent-Length: 4\r\n\r\nnone",
		"/headers":   "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n",
		"/a-header":  "HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Some-Header: some value\r\n", 1<<15) + "\r\n",
		"/switch":    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
		"/too-early": "HTTP/1.1 103 Early Hints\r\n\r\n",
	}
	site := answering(t, func(request string) string {
		path, _, _ := strings.Cut(strings.TrimPrefix(request, "GET "), " ")
		answer, ok := answers[path]
		if !ok {
			return "HTTP/1.1 400 Bad Request\r\n\r\n"
		}
		return answer
	})
	closed := newTrap(t, "127.0.0.1:0")
	closed.Close()
	g.lead(t, map[string]string{"80": site, "81": closed.Addr().String(), "443": site})
	for _, test := range []struct {
		address string
		code    message.ToolCode
		words   string
	}{
		{"http://site.test/hang-up", message.HTTPError, "the server ended the connection before its answer was complete"},
		{"http://site.test/nonsense", message.HTTPError, "malformed HTTP response"},
		{"http://site.test/cut", message.HTTPError, "the server ended the connection before its answer was complete"},
		{"http://site.test/corrupt", message.HTTPError, "gzip: invalid header"},
		{"http://site.test/unasked", message.UnsupportedFile, `compressed as "br", 4 bytes`},
		{"http://site.test/headers", message.HTTPError, "server response headers exceeded 65536 bytes"},
		{"http://site.test/a-header", message.HTTPError, "server response headers exceeded 65536 bytes"},
		{"http://site.test/switch", message.HTTPError, "status 101 Switching Protocols"},
		{"http://site.test/too-early", message.HTTPError, "the server ended the connection before its answer was complete"},
		{"http://site.test:81/", message.HTTPError, "the server refuses the connection"},
		{"https://site.test/", message.HTTPError, "the server does not answer with TLS"},
	} {
		result := tooltest.Run(t.Context(), g, input(test.address))
		wantFailure(t, result, test.code, test.words)
		if len(result.Error.Message) > 500 || strings.Contains(result.Error.Message, "dial tcp") {
			t.Errorf("%s: %s", test.address, result.Error.Message)
		}
		if strings.HasSuffix(test.address, "/cut") && (!strings.Contains(result.Content.Text(), "half of it\n[notice: the page ended early") || !result.Truncated) {
			t.Errorf("what came is not kept or taken for all: %q", result.Content.Text())
		}
	}
	g.connect = g.dialer.DialContext
	g.names(t, func(string) []netip.Addr { return nil })
	wantFailure(t, tooltest.Run(t.Context(), g, input("http://missing.test/")), message.HTTPError, "fetch http://missing.test/: there is no host missing.test")
}

// answering is a server that writes what the function answers to a request, and hangs
// up. It returns its address.
func answering(t *testing.T, answer func(request string) string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			request := make([]byte, 4096)
			n, _ := conn.Read(request)
			_, _ = io.WriteString(conn, answer(string(request[:n])))
			conn.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return listener.Addr().String()
}

func TestTOOL04_EndlessBodiesAreReadToALimit(t *testing.T) {
	bomb := gzipBomb(t, 1<<30)
	var sent atomic.Int64
	g := open(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		switch r.URL.Path {
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb)
			return
		case "/declared":
			w.Header().Set("Content-Length", fmt.Sprint(10<<30))
		}
		line := bytes.Repeat([]byte("0123456789abcde\n"), 1<<12)
		for written := 0; written < 10<<30; written += len(line) {
			n, err := w.Write(line)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	for _, path := range []string{"/declared", "/chunked", "/bomb"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		result := tooltest.Run(t.Context(), g, input("http://site.test"+path))
		runtime.ReadMemStats(&after)
		if !result.Success() || !result.Truncated || result.Data.Bytes != maxBody {
			t.Errorf("%s: %v, %v", path, result.Error, result.Data)
		}
		if want := "[notice: the page is longer than 1,048,576 bytes; what follows was not read]"; !strings.HasSuffix(result.Content.Text(), want) {
			t.Errorf("%s: no notice of the cut", path)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 32<<20 {
			t.Errorf("%s: %d MiB were allocated", path, grown>>20)
		}
	}
	if n := sent.Load(); n > 256<<20 {
		t.Errorf("%d MiB were taken", n>>20)
	}
}

// gzipBomb is as many letters, compressed.
func gzipBomb(t *testing.T, size int) []byte {
	t.Helper()
	const part = 1 << 20
	var member bytes.Buffer
	w := gzip.NewWriter(&member)
	if _, err := w.Write(bytes.Repeat([]byte("a"), part)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.Repeat(member.Bytes(), size/part)
}

func TestTOOL06_SlowAnswersEndAtTheLimit(t *testing.T) {
	const header = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	for name, test := range map[string]struct {
		answer  string
		drip    string
		content string
	}{
		"silent":       {"", "", ""},
		"header drips": {"HTTP/1.1 200 OK\r\n", "X: y\r\n", ""},
		"body stops":   {header + "<p>first", "", "first\n[notice: the page ended early"},
		"body drips":   {header + "<p>first", "<p>more", "first\n\nmore\n\nmore\n\nmore"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, cause := range []error{nil, errors.New("cancelled by user")} {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancelCause(t.Context())
					defer cancel(nil)
					want, code := limit, message.ToolTimeout
					if cause != nil {
						want, code = 7*time.Second, message.Cancelled
						time.AfterFunc(want, func() { cancel(cause) })
					}
					g := bare(t, nil)
					g.connect = dripping(test.answer, test.drip)
					began := time.Now()
					result := tooltest.Run(ctx, g, input("http://site.test/"))
					if took := time.Since(began); took != want {
						t.Errorf("took %v", took)
					}
					wantFailure(t, result, code)
					if !strings.Contains(result.Content.Text(), test.content) {
						t.Errorf("content %q", result.Content.Text())
					}
					<-time.After(2 * time.Second) // the server sees that nobody listens
				})
			}
		})
	}
}

// dripping connects to a server that answers, and then goes on with a bit every
// second.
func dripping(answer, drip string) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			_, _ = server.Read(make([]byte, 4096))
			for next := answer; ; next = drip {
				if _, err := io.WriteString(server, next); err != nil {
					return
				}
				if drip == "" {
					_, _ = server.Read(make([]byte, 1))
					return
				}
				<-time.After(time.Second)
			}
		}()
		return client, nil
	}
}

func TestTOOL06_NoConnectionStaysBehind(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	t.Run("answered over HTTP/2", func(t *testing.T) {
		g := secure(t)
		defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
		if got := get(t, g, "https://example.com/"); got != "HTTP/2.0 true" {
			t.Error(got)
		}
	})
	for _, connects := range []bool{false, true} {
		for _, address := range []string{"http://site.test/", "https://site.test/"} {
			t.Run(fmt.Sprint(address, " connects ", connects), func(t *testing.T) {
				defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
				ctx, cancel := context.WithCancelCause(t.Context())
				g := bare(t, nil)
				g.connect = func(ctx context.Context, _, _ string) (net.Conn, error) {
					defer cancel(tool.ErrTimeout)
					if connects {
						return (&net.Dialer{}).DialContext(ctx, "tcp", silent.Addr().String())
					}
					cancel(tool.ErrTimeout)
					<-ctx.Done()
					return nil, ctx.Err()
				}
				wantFailure(t, tooltest.Run(ctx, g, input(address)), message.ToolTimeout)
			})
		}
	}
}

func TestProxyCarriesRequests(t *testing.T) {
	var seen atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		seen.Store(r.URL.String())
		if r.URL.Path == "/inside" {
			http.Redirect(w, r, "http://localhost/secret", http.StatusFound)
			return
		}
		serve(w, "text/plain", "through")
	}))
	defer proxy.Close()
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	g := bare(t, address)
	if got := get(t, g, "http://any.invalid/page"); got != "through" || seen.Load() != "http://any.invalid/page" {
		t.Errorf("got %q by %v", got, seen.Load())
	}
	wantFailure(t, tooltest.Run(t.Context(), g, input("https://any.invalid/")), message.HTTPError, "Forbidden")
	wantFailure(t, tooltest.Run(t.Context(), g, input("http://any.invalid/inside")), message.NetworkDenied, "this computer")
	if got := seen.Load(); got != "http://any.invalid/inside" {
		t.Errorf("the proxy was asked for %s", got)
	}
	proxy.Close()
	wantFailure(t, tooltest.Run(t.Context(), g, input("http://any.invalid/")), message.HTTPError, "the proxy refuses the connection")
}

func TestEnvironmentNamesNoProxy(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	g := open(t, func(w http.ResponseWriter, _ *http.Request) { serve(w, "text/plain", "direct") })
	if got := get(t, g, "http://site.test/"); got != "direct" {
		t.Error(got)
	}
}

func TestAnUnusedProxyIsNamedWhereThereIsNoConnection(t *testing.T) {
	for _, variable := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
		t.Setenv(variable, "")
	}
	t.Setenv("HTTPS_PROXY", "http://name:password@127.0.0.1:1")
	g := open(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	closed := newTrap(t, "127.0.0.1:0")
	closed.Close()
	g.lead(t, map[string]string{"80": closed.Addr().String(), "443": closed.Addr().String()})
	const hint = "; HTTPS_PROXY is set and not used: the user can name a proxy for http_get in the settings, as proxy"
	wantFailure(t, tooltest.Run(t.Context(), g, input("https://site.test/")), message.HTTPError, "the server refuses the connection"+hint)
	if result := tooltest.Run(t.Context(), g, input("http://site.test/")); strings.Contains(result.Error.Message, "PROXY") {
		t.Errorf("of another scheme: %s", result.Error.Message)
	}
	variable := "all_proxy"
	if runtime.GOOS == "windows" {
		variable = "ALL_PROXY" // as which it is asked for first: case does not count there
	}
	t.Setenv(variable, "socks5://127.0.0.1:1")
	g.connect = g.dialer.DialContext
	g.names(t, func(string) []netip.Addr { return nil })
	wantFailure(t, tooltest.Run(t.Context(), g, input("http://missing.test/")), message.HTTPError, "there is no host missing.test; "+variable+" is set")
	address, err := url.Parse("http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if result := tooltest.Run(t.Context(), bare(t, address), input("https://any.invalid/")); strings.Contains(result.Error.Message, "_PROXY") {
		t.Errorf("with the proxy of the settings: %s", result.Error.Message)
	}
}

package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/publicnet"
	"fairlead/backend/tool"
	"fairlead/backend/tool/tooltest"
	"fairlead/backend/workspace"

	"github.com/google/go-cmp/cmp"
)

// open returns the tool. Every host at port 80 is a server with this handler, which
// the tool may reach although it is on this computer; there is no other host.
func open(t *testing.T, handler http.HandlerFunc) *getter {
	t.Helper()
	g := bare(t, nil)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	g.lead(t, map[string]string{"80": server.Listener.Addr().String()})
	return g
}

// bare returns the tool as it is, with a proxy if that is not nil.
func bare(t *testing.T, proxy *url.URL) *getter {
	t.Helper()
	outputs, err := workspace.OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = outputs.Remove() })
	return New(Options{Outputs: outputs, Proxy: proxy}).(*getter)
}

// lead makes every host at one of these ports the server at an address on this
// computer, and permits that address. The check of addresses stays in the way.
func (g *getter) lead(t *testing.T, servers map[string]string) {
	t.Helper()
	g.dialer.Permit = func(to netip.AddrPort) bool {
		for _, server := range servers {
			if to.String() == server {
				return true
			}
		}
		return false
	}
	g.connect = func(ctx context.Context, network, address string) (net.Conn, error) {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		server, ok := servers[port]
		if !ok {
			return nil, fmt.Errorf("the test has no server for %s", address)
		}
		return g.dialer.DialContext(ctx, network, server)
	}
}

func input(address string) tool.Input {
	text, err := json.Marshal(arguments{URL: address})
	if err != nil {
		panic(err)
	}
	return tool.Input{CallID: "call-1", Arguments: text}
}

// get runs a call that succeeds and returns its content without the first line.
func get(t *testing.T, g *getter, address string) string {
	t.Helper()
	result := tooltest.Run(t.Context(), g, input(address))
	if !result.Success() {
		t.Fatalf("%s: %v", address, result.Error)
	}
	_, text, _ := strings.Cut(result.Content.Text(), "\n\n")
	return text
}

// wantFailure checks that a result failed with this code and these words.
func wantFailure(t *testing.T, result message.Result, code message.ToolCode, words ...string) {
	t.Helper()
	if result.Error == nil || result.Error.Code != code {
		t.Errorf("got %.300q, want %s", result.Text(), code)
		return
	}
	for _, word := range words {
		if !strings.Contains(result.Error.Message, word) {
			t.Errorf("got %.300q, want it to hold %q", result.Error.Message, word)
		}
	}
}

// serve writes a body of a kind.
func serve(w http.ResponseWriter, kind, body string) {
	w.Header().Set("Content-Type", kind)
	_, _ = io.WriteString(w, body)
}

func TestTOOL06_Conformance(t *testing.T) {
	g := open(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			serve(w, "text/plain", "begun")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case "/huge":
			serve(w, "text/html", strings.Repeat("<p>line é 目 🙂\n", 30_000))
		case "/crlf":
			serve(w, "text/plain", "a\r\nb\r\n")
		default:
			serve(w, "text/html; charset=utf-8", "<p>a é 目 🙂")
		}
	})
	tooltest.Conform(t, tooltest.Case{
		Tool:    g,
		Good:    `{"url": "http://site.test/"}`,
		Slow:    `{"url": "http://site.test/slow"}`,
		Huge:    `{"url": "http://site.test/huge"}`,
		CRLF:    tooltest.Probe{Arguments: `{"url": "http://site.test/crlf"}`, Want: "a\nb"},
		Unicode: tooltest.Probe{Arguments: `{"url": "http://site.test/unicode"}`, Want: "a é 目 🙂"},
	})
}

func TestResultSaysWhereItCameFrom(t *testing.T) {
	g := open(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/nothing" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if r.UserAgent() != agent || r.Referer() != "" || len(r.Cookies()) > 0 || r.Method != http.MethodGet {
			t.Errorf("request %s with %v", r.Method, r.Header)
		}
		serve(w, "text/plain; charset=utf-8", "hello\n")
	})
	result := tooltest.Run(t.Context(), g, input("http://SITE.test?q=a b"))
	wantFailure(t, result, message.InvalidArguments, "spaces")
	result = tooltest.Run(t.Context(), g, input("http://SITE.test:80?q=é#part"))
	want := message.Result{
		Content: message.Text("http://site.test/?q=%C3%A9 (200, text/plain)\n\nhello"),
		Data:    &message.ResultData{HTTPStatus: 200, ContentType: "text/plain", URL: "http://site.test/?q=%C3%A9", Bytes: 6},
	}
	if diff := cmp.Diff(want, result); diff != "" {
		t.Error(diff)
	}
	result = tooltest.Run(t.Context(), g, input("http://site.test/nothing"))
	want = message.Result{
		Content: message.Text("http://site.test/nothing (204, empty)"),
		Data:    &message.ResultData{HTTPStatus: 204, URL: "http://site.test/nothing"},
	}
	if diff := cmp.Diff(want, result); diff != "" {
		t.Error(diff)
	}
}

func TestSEC_AsksOncePerSchemeHostAndPort(t *testing.T) {
	g := open(t, func(w http.ResponseWriter, _ *http.Request) { serve(w, "text/plain", "") })
	asks := func(want bool, addresses ...string) {
		t.Helper()
		for _, address := range addresses {
			plan, err := g.Prepare(t.Context(), input(address))
			if got := err == nil && plan.Asks; got != want {
				t.Errorf("%s: asks %v", address, got)
			}
		}
	}
	all := []string{"http://a.test/", "https://a.test/", "http://b.test/", "http://a.test:8080/", "http://bücher.test/", "http://sub.a.test/"}
	asks(true, all...)
	asks(true, all...) // to prepare is no agreement
	tooltest.Run(t.Context(), g, input("http://a.test/"))
	asks(false, "http://a.test/other?q=1", "HTTP://A.TEST:80/", "http://a.test./")
	asks(true, all[1:]...)
	tooltest.Run(t.Context(), g, input("http://BÜCHER.test/"))
	asks(false, "http://xn--bcher-kva.test/", "http://bücher.test")
	asks(true, "https://a.test/", "http://b.test/", "http://a.test:8080/")
	tooltest.Run(t.Context(), g, input("http://a.test:8080/"))
	asks(false, "http://a.test:8080/x")

	// What cannot succeed needs no answer of the user.
	asks(false, "", "ftp://c.test/", "http://u:p@c.test/", "http://127.0.0.1/", "http://localhost/", "http://127.1/")
	if _, err := g.Prepare(t.Context(), tool.Input{Arguments: json.RawMessage("{")}); err == nil {
		t.Error("prepares arguments that are no JSON")
	}
	tooltest.Run(t.Context(), g, input("http://u:p@c.test/"))
	asks(true, "http://c.test/")
}

func TestHITL02_PreviewShowsTheWholeAddress(t *testing.T) {
	proxy := &url.URL{Scheme: "http", Host: "127.0.0.1:3128"}
	for _, test := range []struct {
		proxy      *url.URL
		text, want string
		told       string
	}{
		{nil, "HTTPS://Example.ORG:443/a/../b?q=1&r=%20#part", "https://example.org/a/../b?q=1&r=%20", checked},
		{nil, "http://例え.テスト/é?é='<", "http://xn--r8jz45g.xn--zckzah/%C3%A9?%C3%A9=%27%3C", checked},
		{nil, "http://example.org:8080", "http://example.org:8080/", checked},
		{nil, "http://[2606:4700:0::1111]:80/", "http://[2606:4700::1111]/", checked},
		{proxy, "http://example.org/", "http://example.org/", unchecked},
	} {
		plan, err := bare(t, test.proxy).Prepare(t.Context(), input(test.text))
		got := plan.Preview
		want := message.Preview{Effect: message.EffectNetwork, URL: test.want, Confinement: test.told, Addresses: message.AddressesChecked}
		if test.proxy != nil {
			want.Addresses = message.AddressesUnchecked
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", test.text, err, diff)
		}
	}
}

func TestDSP04_UnfitAddressesAreRefused(t *testing.T) {
	g := open(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was made") })
	tests := []struct{ text, words string }{
		{"", "begins neither"},
		{"site.test/page", "begins neither"},
		{"file:///etc/passwd", "begins neither"},
		{"ftp://site.test/", "begins neither"},
		{"http:site.test", "names no host"},
		{"http:///path", "names no host"},
		{"http://:80/", "names no host"},
		{"http://user@site.test/", "user name"},
		{"http://user:secret@site.test/", "user name"},
		{"http://@site.test/", "user name"},
		{`http://good.test\@site.test/`, "cannot be read"},
		{"http://site.test/a b", "spaces"},
		{" http://site.test/", "spaces"},
		{"http://site.test/\n", "control"},
		{"http://site.test/\u00a0", "spaces"},
		{"http://site.test/\x7f", "control"},
		{"http://site.test/\u0085", "control"},
		{"http://site.test:0/", "port"},
		{"http://site.test:65536/", "port"},
		{"http://site..test/", "no valid host"},
		{"http://site.test../", "no valid host"},
		{"http://si!te.test/", "no valid host"},
		{"http://%31%32%37.0.0.1/", "cannot be read"},
		{"http://" + strings.Repeat("a", 254) + "/", "no valid host"},
		{"http://[fe80::1%25lo]/", "zone"},
		{"http://site.test/" + strings.Repeat("a", publicnet.MaxURL), "longer than 2048"},
		{"http://site.test/" + strings.Repeat("é", publicnet.MaxURL/4), "longer than 2048"},
	}
	for _, test := range tests {
		result := tooltest.Run(t.Context(), g, input(test.text))
		wantFailure(t, result, message.InvalidArguments, test.words)
		if strings.Contains(result.Text(), "secret") {
			t.Errorf("%s: the failure repeats the password", test.text)
		}
		_, err := g.Prepare(t.Context(), input(test.text))
		var failure *message.ToolError
		if !errors.As(err, &failure) {
			t.Fatalf("%s: preview %v", test.text, err)
		}
		if diff := cmp.Diff(failure, result.Error); diff != "" {
			t.Errorf("%s: run differs from preview: %s", test.text, diff)
		}
	}
}

func TestLimitIsTwentySeconds(t *testing.T) {
	if plan, err := bare(t, nil).Prepare(t.Context(), input("http://site.test/")); err != nil || plan.Limit != 20*time.Second {
		t.Errorf("%v, %v", plan.Limit, err)
	}
}

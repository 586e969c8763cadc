package web

import (
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/publicnet"
	"fairlead/backend/tool/tooltest"
)

// redirect answers with the status and the Location of the query.
func redirect(w http.ResponseWriter, r *http.Request) {
	status := http.StatusFound
	if given := r.URL.Query().Get("status"); given != "" {
		status, _ = strconv.Atoi(given)
	}
	if to := r.URL.Query().Get("to"); to != "" {
		w.Header()["Location"] = []string{to}
	}
	w.WriteHeader(status)
}

func TestRedirectsOnTheSameHostAreFollowed(t *testing.T) {
	g := open(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/end" {
			serve(w, "text/plain", r.URL.String())
			return
		}
		redirect(w, r)
	})
	for _, status := range []int{301, 302, 303, 307, 308} {
		for to, want := range map[string]string{
			"/end?a=b#part":                  "/end?a=b",
			"end":                            "/end",
			"//site.test/end":                "/end",
			"http://SITE.test.:80/end":       "/end",
			"/x?to=/x%3Fto%3D/end":           "/end",
			"http://site.test/end?q=é ü\xff": "/end?q=%C3%A9%20%C3%BC%FF",
		} {
			address := fmt.Sprintf("http://site.test/start?status=%d&to=%s", status, url.QueryEscape(to))
			if got := get(t, g, address); got != want {
				t.Errorf("%d to %s: got %s", status, to, got)
			}
		}
	}
}

func TestSEC_RedirectsElsewhereAreNotFollowed(t *testing.T) {
	var reached atomic.Int64
	var to string
	g := open(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "site.test" {
			reached.Add(1)
			return
		}
		w.Header()["Location"] = []string{to}
		w.WriteHeader(http.StatusFound)
	})
	tests := []struct{ to, words string }{
		{"http://other.test/a?b=c#d", "http://site.test/ redirects to another host: call http_get with the url http://other.test/a?b=c if that is wanted"},
		{"//other.test", "with the url http://other.test/ if"},
		{"http://sub.site.test/", "another host"},
		{"http://site.test:8080/", "another host"},
		{"https://site.test:8443/", "another host"},
		{"https://other.test/", "another host"},
		{"http://user:pw@site.test/", "user name"},
		{"ftp://site.test/", "begins neither"},
		{"file:///etc/passwd", "begins neither"},
		{"javascript:alert(1)", "begins neither"},
		{"http://[::1", "cannot be read"},
		{"http://site.test:x/", "cannot be read"},
		{"/" + strings.Repeat("a", 3000), "longer than"},
	}
	for _, test := range tests {
		to = test.to
		result := tooltest.Run(t.Context(), g, input("http://site.test/"))
		wantFailure(t, result, message.HTTPError, test.words)
		if strings.Contains(result.Text(), "pw") || len(result.Text()) > 500 {
			t.Errorf("%s: the failure repeats too much: %s", to, result.Text())
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("other hosts were reached %d times", n)
	}

	// Once the user agreed to the other host, it is.
	tooltest.Run(t.Context(), g, input("http://other.test/"))
	reached.Store(0)
	to = "http://other.test/"
	tooltest.Run(t.Context(), g, input("http://site.test/"))
	if n := reached.Load(); n != 1 {
		t.Errorf("the agreed host was reached %d times", n)
	}
}

func TestRedirectsComeToAnEnd(t *testing.T) {
	var requests atomic.Int64
	g := open(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		switch r.URL.Path {
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/none":
			w.WriteHeader(http.StatusFound)
		case "/choices":
			w.WriteHeader(http.StatusMultipleChoices)
		default:
			left, _ := strconv.Atoi(r.URL.Path[1:])
			if left == 0 {
				serve(w, "text/plain", "done")
				return
			}
			http.Redirect(w, r, fmt.Sprintf("/%d", left-1), http.StatusFound)
		}
	})
	wantFailure(t, tooltest.Run(t.Context(), g, input("http://site.test/loop")), message.HTTPError, "more than 5 redirects")
	if n := requests.Load(); n != 6 {
		t.Errorf("%d requests", n)
	}
	if got := get(t, g, "http://site.test/5"); got != "done" {
		t.Error(got)
	}
	wantFailure(t, tooltest.Run(t.Context(), g, input("http://site.test/6")), message.HTTPError, "more than 5 redirects, the last one to http://site.test/0")
	wantFailure(t, tooltest.Run(t.Context(), g, input("http://site.test/none")), message.HTTPError, "status 302 Found without an address to go to")
	wantFailure(t, tooltest.Run(t.Context(), g, input("http://site.test/choices")), message.HTTPError, "status 300 Multiple Choices")
}

// secure returns the tool with a server at the ports of http and https, which answers
// with its protocol or redirects to the query's "to".
func secure(t *testing.T) *getter {
	t.Helper()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("to") {
			redirect(w, r)
			return
		}
		serve(w, "text/plain", fmt.Sprint(r.Proto, " ", r.TLS != nil))
	})
	plain := httptest.NewServer(handler)
	t.Cleanup(plain.Close)
	encrypted := httptest.NewUnstartedServer(handler)
	encrypted.EnableHTTP2 = true
	encrypted.Config.ErrorLog = log.New(io.Discard, "", 0)
	encrypted.StartTLS()
	t.Cleanup(encrypted.Close)
	roots := x509.NewCertPool()
	roots.AddCert(encrypted.Certificate())
	g := bare(t, nil)
	g.roots = roots
	g.lead(t, map[string]string{"80": plain.Listener.Addr().String(), "443": encrypted.Listener.Addr().String()})
	return g
}

func TestSEC_RedirectsNeverLeaveEncryption(t *testing.T) {
	g := secure(t)
	if got := get(t, g, "https://example.com/"); got != "HTTP/2.0 true" {
		t.Error(got)
	}
	if got := get(t, g, "http://example.com/"); got != "HTTP/1.1 false" {
		t.Error(got)
	}
	wantFailure(t, tooltest.Run(t.Context(), g, input("https://example.com/?to=http://example.com/")), message.HTTPError,
		"redirects to http://example.com/, which is not followed: it is not encrypted")
	result := tooltest.Run(t.Context(), secure(t), input("http://example.com/?to=https://example.com/x"))
	if want := "https://example.com/x (200, text/plain)\n\nHTTP/2.0 true"; result.Content.Text() != want {
		t.Errorf("got %q", result.Text())
	}
}

func TestSEC_OnlyTheStandardPortsAreOneHost(t *testing.T) {
	for _, test := range []struct {
		from, to string
		want     bool
	}{
		{"http://site.test/", "https://site.test/", true},
		{"http://site.test:80/", "https://site.test:443/", true},
		{"http://site.test/", "https://site.test:8443/", false},
		{"http://site.test:8080/", "https://site.test/", false},
		{"http://site.test:8080/", "https://site.test:8080/", false},
		{"http://site.test:443/", "https://site.test/", false},
		{"http://site.test:8080/", "http://site.test/", false},
		{"http://site.test:8080/", "http://site.test:8080/", true},
	} {
		from, err := publicnet.Parse(test.from)
		if err != nil {
			t.Fatal(err)
		}
		if _, failure := bare(t, nil).next(from, test.to); (failure == nil) != test.want {
			t.Errorf("%s to %s: %v", test.from, test.to, failure)
		}
	}
}

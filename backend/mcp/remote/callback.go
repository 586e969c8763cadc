package remote

import (
	"context"
	"crypto/subtle"
	_ "embed" // the page
	"errors"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

const callbackPath = "/callback"

//go:embed callback.html
var callbackText string

var callbackPage = template.Must(template.New("callback").Parse(callbackText))

// returned is what the browser brought back.
type returned struct {
	code, issuer string
	// problem is why the issuer signs nobody in; empty where it does.
	problem string
}

// callback takes one request of the browser that comes back.
type callback struct {
	listener net.Listener
	server   *http.Server
	state    string
	once     sync.Once
	came     chan result
	served   chan struct{}
}

type result struct {
	returned
	err error
}

// newCallback serves a listener. Only a request with this state is taken for an answer.
func newCallback(listener net.Listener, state string) *callback {
	c := &callback{listener: listener, state: state, came: make(chan result, 1), served: make(chan struct{})}
	c.server = &http.Server{
		Handler: c, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
	}
	c.server.SetKeepAlivesEnabled(false)
	go func() {
		defer close(c.served)
		_ = c.server.Serve(listener) // it ends with close
	}()
	return c
}

// close ends the server, once it has written its page.
func (c *callback) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if c.server.Shutdown(ctx) != nil {
		_ = c.server.Close() // there is nothing else to do
	}
	<-c.served
}

// wait waits for the browser. The error is that of a wrong answer, or the cause of the
// context.
func (c *callback) wait(ctx context.Context) (returned, error) {
	select {
	case got := <-c.came:
		return got.returned, got.err
	case <-ctx.Done():
		return returned{}, context.Cause(ctx)
	}
}

// ServeHTTP implements http.Handler. The first request to the path is the answer, right or
// wrong; a name that another page made to lead here is none.
func (c *callback) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if request.URL.Path != callbackPath || request.Method != http.MethodGet || request.Host != c.listener.Addr().String() {
		http.NotFound(w, request)
		return
	}
	first := false
	c.once.Do(func() { first = true })
	if !first {
		writePage(w, http.StatusGone, false)
		return
	}
	got := readCallback(request.URL.Query(), c.state)
	if got.err != nil || got.problem != "" {
		writePage(w, http.StatusBadRequest, false)
	} else {
		writePage(w, http.StatusOK, true)
	}
	c.came <- got
}

// readCallback reads what the issuer had the browser bring.
func readCallback(query url.Values, state string) result {
	for _, name := range []string{"state", "code", "iss", "error"} {
		if len(query[name]) > 1 {
			return result{err: errors.New("the answer of the browser says something twice")}
		}
	}
	if subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(state)) != 1 {
		return result{err: errors.New("the answer of the browser belongs to another sign-in")}
	}
	got := returned{code: query.Get("code"), issuer: query.Get("iss")}
	switch problem, description := query.Get("error"), query.Get("error_description"); {
	case problem != "" && description != "":
		got.problem = problem + ": " + description
	case problem != "":
		got.problem = problem
	case got.code == "":
		return result{err: errors.New("the answer of the browser has no code")}
	}
	return result{returned: got}
}

// writePage shows the user what became of it. Nothing of the request stands in it.
func writePage(w http.ResponseWriter, status int, ok bool) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = callbackPage.Execute(w, ok) // the browser may have gone
}

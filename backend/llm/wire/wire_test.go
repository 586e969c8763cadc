package wire_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const hello = `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`

// ask sends one request and reads all of its answer.
func ask(t *testing.T, ctx context.Context, transport http.RoundTripper, url string) (string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/chat/completions", strings.NewReader(hello))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer sk-secret")
	response, err := transport.RoundTrip(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

// scripted is a transport onto a script, in memory.
func scripted(script string) *wire.Transport {
	return &wire.Transport{Base: llmtest.Script(script).RoundTripper()}
}

func TestMSG07_KindsOfAnswer(t *testing.T) {
	const plain = `data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}` + "\n\n"
	const done = "data: [DONE]\n\n"
	for _, test := range []struct {
		name, script, want string
		class              llm.Class
		fails              bool
	}{
		{name: "stream", script: "raw " + plain[:len(plain)-2] + "\nraw", want: plain + done},
		{name: "comments go", script: "raw : ping\nraw\nraw event: x\nraw " + plain[:len(plain)-2] + "\nraw", want: plain + done},
		{name: "finish without done", script: "raw " + plain[:len(plain)-2] + "\ncut", want: plain},
		{name: "done without finish", script: "finish none", want: done},
		{name: "neither", script: "raw : ping\ncut", class: llm.Truncated, fails: true},
		{name: "chunk without end", script: `raw data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}` + "\ncut", want: strings.Replace(plain, `,"finish_reason":"stop"`, "", 1), class: llm.Truncated, fails: true},
		{name: "empty", script: "cut", class: llm.Truncated, fails: true},
		{name: "blank", script: `body text/plain " \r\n"`, class: llm.Truncated, fails: true},
		{name: "completion", script: `body text/event-stream {"choices":[{"index":0,"message":{"content":"hi"},"finish_reason":"stop"}]}`, want: plain + done},
		{name: "JSON over lines", script: `raw "data: {\"choices\":\ndata:  []}\n\n"` + "\nfinish none", want: "data: {\"choices\":[]}\n\n" + done},
		{name: "no blank lines", script: `raw data: {"choices":[]}` + "\n" + `raw data: {"choices":[]}` + "\nfinish none", want: "data: {\"choices\":[]}\n\ndata: {\"choices\":[]}\n\n" + done},
		{name: "JSON error", script: `body application/json {"error":"prompt is too long"}`, class: llm.ContextOverflow, fails: true},
		{name: "no JSON", script: `body application/json {"a`, class: llm.Malformed, fails: true},
		{name: "web page", script: `body text/html <html>`, class: llm.Malformed, fails: true},
		{name: "error in the stream", script: `raw data: {"error":{"message":"busy","code":503}}` + "\nraw", class: llm.Overloaded, fails: true},
		{name: "error beside choices", script: `raw data: {"choices":[{"index":0,"delta":{}}], "error": "overloaded"}` + "\nraw", class: llm.Overloaded, fails: true},
		{name: "error event", script: "raw event: error\n" + `raw data: {"message":"rate_limit_exceeded"}` + "\nraw", class: llm.RateLimited, fails: true},
		{name: "error field", script: `raw error: {"error":{"message":"failed to decode"}}` + "\nraw", class: llm.Server, fails: true},
		{name: "unreadable repair", script: `raw data: {"reasoning":1,"choices":5}` + "\nraw", class: llm.Malformed, fails: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ask(t, t.Context(), scripted(test.script), "http://scripted.invalid")
			// The scripted stop chunk is not what is tested here.
			if i := strings.Index(got, `data: {"choices":[{"delta":{},`); i >= 0 {
				got = got[:i] + got[i+strings.Index(got[i:], "\n\n")+2:]
			}
			if got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			var failed *llm.Error
			if errors.As(err, &failed) != test.fails || (test.fails && failed.Class != test.class) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestSEC05_RequestsGoAsTheyAre(t *testing.T) {
	server := llmtest.Script("text hi")
	server.Key = "sk-secret"
	transport := &wire.Transport{Base: server.RoundTripper(), Redact: func([]byte) []byte { return nil }}
	if _, err := ask(t, t.Context(), transport, "http://scripted.invalid"); err != nil {
		t.Fatal(err)
	}
	sent := server.Requests()[0]
	if !sent.Authorized || string(sent.Body) != hello {
		t.Errorf("sent %s, authorized %v", sent.Body, sent.Authorized)
	}
	if up, down := transport.Traffic(); up != int64(len(sent.Body)) || down == 0 {
		t.Errorf("traffic %d up, %d down", up, down)
	}
}

func TestSEC07_RedirectsAreNotFollowed(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.Redirect(w, r, "https://user:pw@elsewhere.invalid/v1?key=sk-secret", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	client := &http.Client{Transport: &wire.Transport{Base: server.Client().Transport}}
	_, err := client.Post(server.URL, "application/json", strings.NewReader(hello))
	var failed *llm.Error
	if !errors.As(err, &failed) || failed.Retryable() || asked.Load() != 1 {
		t.Fatalf("%d requests, %v", asked.Load(), err)
	}
	want := "the server redirects to https://elsewhere.invalid/v1, and a key is not sent to a new address (HTTP 307); fix the base URL"
	if failed.Error() != want {
		t.Errorf("error %q", failed)
	}
}

func TestRefusalIsReadInPart(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		for range 64 {
			if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	transport := &wire.Transport{Base: server.Client().Transport}
	_, err := ask(t, t.Context(), transport, server.URL)
	var failed *llm.Error
	if !errors.As(err, &failed) || failed.Class != llm.Server {
		t.Errorf("error %v", err)
	}
	if _, down := transport.Traffic(); down > 1<<20+64<<10 {
		t.Errorf("read %d bytes of the refusal", down)
	}
}

func TestOneConnectionForARun(t *testing.T) {
	const steps = 200
	scripted := llmtest.Script(strings.Repeat("text hi\n---\n", steps-2) + "status 500 x\n---\nstatus 429 x")
	server := httptest.NewUnstartedServer(scripted)
	var opened atomic.Int32
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	base := wire.NewBase(wire.Network{})
	defer base.CloseIdleConnections()
	transport := &wire.Transport{Base: base}
	for i := range steps {
		// A client stops reading at [DONE]; the rest is for Close to read.
		request, err := http.NewRequest(http.MethodPost, server.URL+"/chat/completions", strings.NewReader(hello))
		if err != nil {
			t.Fatal(err)
		}
		response, err := transport.RoundTrip(request)
		if i >= steps-2 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for buf, got := make([]byte, 4096), ""; !strings.Contains(got, "[DONE]"); {
			n, err := response.Body.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			got += string(buf[:n])
		}
		response.Body.Close()
	}
	if opened.Load() != 1 || len(scripted.Faults()) > 0 {
		t.Errorf("%d connections, faults %v", opened.Load(), scripted.Faults())
	}
}

func TestCloseDoesNotWaitForAServerThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		got, err := ask(t, t.Context(), scripted("raw data: [DONE]\nhang"), "http://scripted.invalid")
		if got != "data: [DONE]\n\n" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("closing took %v", took)
		}
	})
}

func TestLOOP07_ActivityOfEveryByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []time.Duration
		start := time.Now()
		ctx := wire.WithActivity(t.Context(), func() { heard = append(heard, time.Since(start)) })
		if _, err := ask(t, ctx, scripted("wait 1s\nraw : ping\nwait 1s\nraw : ping\nwait 1s\nfinish stop"), "http://x.invalid"); err != nil {
			t.Fatal(err)
		}
		var last time.Duration
		for _, at := range heard {
			if at > last+time.Second {
				t.Errorf("nothing heard between %v and %v", last, at)
			}
			last = at
		}
		if last != 3*time.Second {
			t.Errorf("last heard at %v", last)
		}
	})
}

func TestContextEndsEverything(t *testing.T) {
	for name, script := range map[string]string{
		"before the headers": "hang",
		"in the stream":      "raw : ping\nhang",
		"in a body":          `raw {"choices":` + "\nhang",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stop := errors.New("stop")
				ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, stop)
				defer cancel()
				if _, err := ask(t, ctx, scripted(script), "http://x.invalid"); err != stop {
					t.Errorf("error %v, want the context's cause", err)
				}
			})
		})
	}
}

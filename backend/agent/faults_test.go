package agent_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/agent"
	"fairlead/backend/event"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// A faulty provider, as real ones are: real HTTP over connections in memory, in virtual
// time.
const (
	sequences   = 100
	faultRate   = 0.6
	runLimit    = 25 * time.Second
	stepLimit   = 2 * time.Second
	mostTries   = 4
	noHeaders   = "no headers"
	midSilence  = "silence in mid-stream"
	goodAnswer  = ""
	beginAnswer = `data: {"choices":[{"index":0,"delta":{"content":"I think"}}]}` + "\n\n"
)

// final are the faults after which another attempt makes no sense.
var final = []string{"400", "401", "402", "403", "404", "413", "422"}

// faulty are all faults, each as likely as the others.
var faulty = append([]string{
	"408", "409", "425", "429", "500", "502", "503", "504", "529",
	"reset", "reset in mid-stream", "cut", "junk", "gzip error", noHeaders, midSilence,
}, final...)

// provider answers each request with the next turn's answer, and well after the last.
type provider struct {
	turns []string
	asked []string // what each request got
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	fault := goodAnswer
	if len(p.asked) < len(p.turns) {
		fault = p.turns[len(p.asked)]
	}
	p.asked = append(p.asked, fault)
	if status, err := strconv.Atoi(fault); err == nil {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"error":{"message":"it does not work"}}`)
		return
	}
	begin := func() {
		_, _ = io.WriteString(w, beginAnswer)
		_ = http.NewResponseController(w).Flush()
	}
	switch fault {
	case "reset":
		panic(http.ErrAbortHandler)
	case "reset in mid-stream":
		begin()
		panic(http.ErrAbortHandler)
	case "cut":
		begin()
	case "junk":
		begin()
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"del\x00\xff\n\n")
	case "gzip error":
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, "this is no gzip")
	case noHeaders:
		<-r.Context().Done()
	case midSilence:
		begin()
		<-r.Context().Done()
	default:
		p.good(w)
	}
}

// good asks for a call as long as there are turns, and answers then.
func (p *provider) good(w io.Writer) {
	if len(p.asked) >= len(p.turns) {
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
		return
	}
	_, _ = fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c%d","function":{"name":"touch","arguments":"{\"name\":\"%d\"}"}}]},"finish_reason":"tool_calls"}]}`+
		"\n\ndata: [DONE]\n\n", len(p.asked), len(p.asked))
}

// pipes is a network in memory with one server.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.IPAddr{} }

func (p pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestRET01_RunsEndWellWhateverTheProviderDoes(t *testing.T) {
	completed := 0
	for seed := range uint64(sequences) {
		random := rand.New(rand.NewPCG(seed, 1))
		turns := make([]string, 2+random.IntN(4))
		for i := range turns {
			if random.Float64() < faultRate {
				turns[i] = faulty[random.IntN(len(faulty))]
			}
		}
		synctest.Test(t, func(t *testing.T) {
			if playFaults(t, turns, fmt.Sprintf("sequence %d (%s)", seed, strings.Join(turns, ", "))) {
				completed++
			}
		})
	}
	t.Logf("%d of %d runs completed", completed, sequences)
	if completed < sequences/3 {
		t.Errorf("only %d of %d runs completed", completed, sequences)
	}
}

func TestLOOP07_ASingleSilenceInAStepNeverEndsARun(t *testing.T) {
	for name, test := range map[string]struct {
		turns     []string
		completes bool
	}{
		"as the last attempt":     {[]string{"500", "reset", "cut", midSilence}, true},
		"once in each step":       {[]string{midSilence, goodAnswer, noHeaders, goodAnswer, midSilence}, true},
		"twice in a step":         {[]string{midSilence, noHeaders}, false},
		"twice, with one between": {[]string{noHeaders, "junk", midSilence}, false},
		"and one fault too many":  {[]string{"500", midSilence, "500", "500"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if completed := playFaults(t, test.turns, name); completed != test.completes {
					t.Errorf("completed: %v", completed)
				}
			})
		})
	}
}

// playFaults plays a sequence and reports whether the run completed.
func playFaults(t *testing.T, turns []string, name string) bool {
	t.Helper()
	network := pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	model := &provider{turns: turns}
	server := &http.Server{Handler: model, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(network) }()
	base := wire.NewBase(wire.Network{})
	base.Proxy, base.DialContext = nil, network.dial
	defer func() {
		base.CloseIdleConnections()
		_ = server.Close()
		synctest.Wait()
	}()
	f := newFixture(t, "text unused", gateFunc(func(call message.Call) message.Decision {
		return message.Decision{Verdict: message.Approve, Hash: call.Hash()}
	}))
	var err error
	if f.Model, err = openai.New(protocol.Config{BaseURL: "http://model.test/v1", Model: "any", Transport: base}); err != nil {
		t.Fatal(err)
	}
	f.Limits = message.Limits{
		MaxSteps: 10, RunTimeout: runLimit, StepTimeout: stepLimit, Attempts: mostTries, Parallel: 4,
		ContinueOnError: true, DoomDetection: true,
	}
	f.Jitter = func() time.Duration { return 500 * time.Millisecond }
	began := time.Now()
	result := agent.Run(t.Context(), f.Input)
	took := time.Since(began)
	synctest.Wait() // the server may still be at its last answer

	if took > runLimit+time.Second {
		t.Errorf("%s: it took %v", name, took)
	}
	if ends := slices.DeleteFunc(slices.Clone(f.events), func(d event.Data) bool { return !(event.Event{Type: d.EventType()}).Terminal() }); len(ends) != 1 {
		t.Errorf("%s: %d ends", name, len(ends))
	}
	want, code := expected(model.asked)
	var failed message.FailCode
	if result.Err != nil {
		failed = result.Err.Code
	}
	if result.Reason != want || code != "" && failed != code || failed == message.CodeInternal {
		t.Errorf("%s: it ended %s: %v, want %s %s; it got %q", name, result.Reason, result.Err, want, code, model.asked)
	}
	if want == message.ReasonCompleted && result.Content != "Done." {
		t.Errorf("%s: the answer is %q", name, result.Content)
	}
	return result.Reason == message.ReasonCompleted
}

// expected is how a run ends that was answered so: each step takes four attempts, one
// silence more than that where it was the last of them, and no second silence.
func expected(asked []string) (message.Reason, message.FailCode) {
	tries, most, silences := 0, mostTries, 0
	for i, answer := range asked {
		tries++
		switch {
		case answer == goodAnswer:
			tries, most, silences = 0, mostTries, 0
			continue
		case answer == noHeaders || answer == midSilence:
			if silences++; silences > 1 {
				return last(asked, i, message.ReasonTimeout, message.CodeTimeout)
			}
			most = max(most, tries+1)
		case answer == "413":
			return last(asked, i, message.ReasonContextOverflow, message.CodeContextOverflow)
		case slices.Contains(final, answer):
			return last(asked, i, message.ReasonError, "")
		}
		if tries >= most {
			return last(asked, i, message.ReasonError, "")
		}
	}
	if asked[len(asked)-1] != goodAnswer {
		return "a run that goes on", ""
	}
	return message.ReasonCompleted, ""
}

// last is an end, if nothing was asked after it.
func last(asked []string, i int, reason message.Reason, code message.FailCode) (message.Reason, message.FailCode) {
	if i != len(asked)-1 {
		return "a run that ended before", ""
	}
	return reason, code
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"time"
)

// seen is what the server saw of one run.
type seen struct {
	// connections is how many the client opened.
	connections int
	// first is when the first request had come in, and request is its body.
	first   time.Time
	request []byte
	// gaps are the times from the end of an answer to the end of the request that
	// follows it: all that the client does in a step, and nothing else.
	gaps []time.Duration
	// late is the processor time of a step near the end; 0 where the system does not
	// tell it, or the run is short.
	late time.Duration
	// last is how long the last request was, in bytes.
	last int64
}

// server plays a scenario to one client. It decodes nothing and has all answers
// ready, so that what it measures is the client's time.
type server struct {
	*httptest.Server
	answers [][]byte
	// others are the same answers over other protocols, by the end of their paths.
	others map[string][][]byte

	mu       sync.Mutex
	seen     seen
	requests int
	answered time.Time
	// used is the processor time of the client so far; nil until it has started.
	used func() time.Duration
	// before is what it was lateSteps before the end.
	before time.Duration
}

// lateSteps are the last steps of a run over which the time of a late one is taken.
const lateSteps = 50

// setClock says how the processor time of the client is read.
func (s *server) setClock(used func() time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = used
}

// markStep reads the client's processor time where the last steps begin and end. The
// caller holds the lock.
func (s *server) markStep() {
	switch steps := len(s.answers) - 1; {
	case s.used == nil, steps < 2*lateSteps:
	case s.requests == steps-lateSteps:
		s.before = s.used()
	case s.requests == steps:
		s.seen.late = (s.used() - s.before) / lateSteps
	}
}

// serve starts a server on a loopback port.
func serve(s scenario) *server {
	played := &server{answers: s.write(writeAnswer), others: map[string][][]byte{}}
	for _, p := range protocols {
		played.others[p.name] = s.write(p.write)
	}
	played.Server = httptest.NewUnstartedServer(http.HandlerFunc(played.serveChat))
	played.Config.ConnState = played.countConnection
	played.Start()
	return played
}

// closeAndReport closes the server and says what it saw. A run that did not ask for every
// answer is an error.
func (s *server) closeAndReport() (seen, error) {
	s.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.requests != len(s.answers) {
		return s.seen, fmt.Errorf("the scenario has %d answers, and %d were asked for", len(s.answers), s.requests)
	}
	return s.seen, nil
}

func (s *server) countConnection(_ net.Conn, state http.ConnState) {
	if state != http.StateNew {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen.connections++
}

// serveChat answers one request.
func (s *server) serveChat(w http.ResponseWriter, r *http.Request) {
	body, err := s.receiveRequest(path.Base(r.URL.Path), r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	s.mu.Lock()
	s.answered = time.Now()
	s.mu.Unlock()
	_, _ = w.Write(body) // a client that went away is missed by report
	_ = http.NewResponseController(w).Flush()
}

// receiveRequest takes a request and returns what to answer.
func (s *server) receiveRequest(protocol string, body io.Reader) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.requests == 0 {
		s.seen.request, err = io.ReadAll(body)
		s.seen.first = time.Now()
	} else {
		s.seen.last, err = io.Copy(io.Discard, body)
		s.markStep()
		s.seen.gaps = append(s.seen.gaps, time.Since(s.answered))
	}
	if err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	if s.requests++; s.requests > len(s.answers) {
		return nil, fmt.Errorf("the scenario has %d answers, and one more was asked for", len(s.answers))
	}
	if other := s.others[protocol]; other != nil {
		return other[s.requests-1], nil
	}
	return s.answers[s.requests-1], nil
}

// write writes the answers of a scenario.
func (s scenario) write(writeOne func(calls []call, step int) []byte) [][]byte {
	var answers [][]byte
	for step := range s.steps {
		answers = append(answers, writeOne(s.calls(step), step))
	}
	return append(answers, writeOne(nil, s.steps))
}

// writeAnswer writes a stream that makes calls, or says a text when there are none.
// A call comes in two pieces, the way OpenAI sends it.
func writeAnswer(calls []call, step int) []byte {
	var stream strings.Builder
	finish := "stop"
	if len(calls) == 0 {
		writeChunk(&stream, `{"role":"assistant","content":"Done."}`, "")
	}
	for i, c := range calls {
		writeChunk(&stream, fmt.Sprintf(
			`{"role":"assistant","content":null,"tool_calls":[{"index":%d,"id":"call_%d_%d","type":"function","function":{"name":%q,"arguments":""}}]}`,
			i, step, i, c.name), "")
		writeChunk(&stream, fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, i, quoteJSON(c.argumentsJSON())), "")
		finish = "tool_calls"
	}
	writeChunk(&stream, `{}`, finish)
	// Both clients ask for it, as OpenAI's own server is asked.
	stream.WriteString(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"bench",` +
		`"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":20,"total_tokens":1020}}` + "\n\n")
	stream.WriteString("data: [DONE]\n\n")
	return []byte(stream.String())
}

// argumentsJSON are the arguments of a call.
func (c call) argumentsJSON() []byte {
	text, err := json.Marshal(c.arguments)
	if err != nil {
		panic(fmt.Sprintf("a map of strings is JSON: %v", err))
	}
	return text
}

func writeChunk(stream *strings.Builder, delta, finish string) {
	reason := "null"
	if finish != "" {
		reason = string(quoteJSON([]byte(finish)))
	}
	fmt.Fprintf(stream, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"bench",`+
		`"choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, reason)
}

// quoteJSON is text as a JSON string.
func quoteJSON(text []byte) []byte {
	out, err := json.Marshal(string(text))
	if err != nil {
		panic(fmt.Sprintf("a string is JSON: %v", err))
	}
	return out
}

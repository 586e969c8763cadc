// Package protocoltest plays answers of servers to the client of a protocol.
package protocoltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// answered is what became of an answer.
type answered struct {
	Text      string          `json:"text,omitempty"`
	Reasoning string          `json:"reasoning,omitempty"`
	Details   json.RawMessage `json:"details,omitempty"`
	Calls     []message.Call  `json:"calls,omitempty"`
	Finish    llm.Finish      `json:"finish,omitempty"`
	Usage     *message.Usage  `json:"usage,omitempty"`
	// Error is the code, and whether another attempt is made.
	Error   message.FailCode `json:"error,omitempty"`
	Again   bool             `json:"again,omitempty"`
	Message string           `json:"message,omitempty"`
}

// Open opens a client.
type Open func(protocol.Config) (llm.Model, error)

// Play plays every section of testdata/answers to a client: a line that says what it is,
// "status CODE" where that is no success, the body, and behind === what must become of
// it. A line of JSON in a body stands for an event of that type, and one that begins with
// a bar for what is behind the bar. Each is read as it comes in five ways. update writes
// what becomes of them into the files.
func Play(t *testing.T, update bool, open Open) {
	t.Helper()
	for file, archive := range readAnswers(t) {
		for i, section := range archive.Files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+section.Name, func(t *testing.T) {
				said, want, found := strings.Cut(string(section.Data), "===\n")
				if !found {
					t.Fatal("no === behind the body")
				}
				got := playAnswer(t, said, open)
				if update {
					archive.Files[i].Data = []byte(said + "===\n" + got)
				} else if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
		if update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Fuzz has a client read bodies of any bytes, which begin as those of testdata/answers.
// None may do more than fail with a typed error.
func Fuzz(f *testing.F, open Open) {
	f.Helper()
	for _, archive := range readAnswers(f) {
		for _, section := range archive.Files {
			said, _, _ := strings.Cut(string(section.Data), "===\n")
			_, body := readBody(f, said)
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		readAnswer(t, http.StatusOK, bytes.NewReader(body), open)
	})
}

// readAnswers reads testdata/answers, by file.
func readAnswers(t testing.TB) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob("testdata/answers/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no answers: %v", err)
	}
	archives := map[string]*txtar.Archive{}
	for _, file := range files {
		if archives[file], err = txtar.ParseFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return archives
}

// playAnswer has a client read an answer in each way, and returns what became of it.
func playAnswer(t *testing.T, said string, open Open) string {
	t.Helper()
	status, body := readBody(t, said)
	first := ""
	for name, deliver := range deliveries {
		got := readAnswer(t, status, deliver(body), open)
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%s: %s, and else %s", name, got, first)
		}
	}
	return first
}

// readBody reads what stands in a section above what must become of it.
func readBody(t testing.TB, said string) (status int, body []byte) {
	t.Helper()
	status = http.StatusOK
	for line := range strings.Lines(said) {
		line = strings.TrimSuffix(line, "\n")
		code, isStatus := strings.CutPrefix(line, "status ")
		raw, isRaw := strings.CutPrefix(line, "|")
		switch {
		case line == "", strings.HasPrefix(line, "# "):
		case isStatus:
			status, _ = strconv.Atoi(code)
		case isRaw:
			body = append(body, raw+"\n"...)
		default:
			var event struct {
				Type string `json:"type"`
			}
			if err := json.Unmarshal([]byte(line), &event); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			body = append(body, "event: "+event.Type+"\ndata: "+line+"\n\n"...)
		}
	}
	return status, body
}

// deliveries are ways in which a body comes.
var deliveries = map[string]func([]byte) io.Reader{
	"whole":           func(body []byte) io.Reader { return bytes.NewReader(body) },
	"byte by byte":    func(body []byte) io.Reader { return pieces(body, 1) },
	"pieces of seven": func(body []byte) io.Reader { return pieces(body, 7) },
	"carriage returns": func(body []byte) io.Reader {
		return bytes.NewReader(bytes.ReplaceAll(body, []byte("\n"), []byte("\r\n")))
	},
	"keep-alives": func(body []byte) io.Reader {
		if !bytes.Contains(body, []byte("data:")) {
			return bytes.NewReader(body)
		}
		return bytes.NewReader(bytes.ReplaceAll(body, []byte("\n\n"), []byte("\n\n: ping\n\n")))
	},
}

// pieces is a body that comes so many bytes at a time.
func pieces(body []byte, size int) io.Reader {
	return &slow{bytes.NewReader(body), size}
}

type slow struct {
	body io.Reader
	size int
}

func (s *slow) Read(p []byte) (int, error) { return s.body.Read(p[:min(len(p), s.size)]) }

// one is a server that gives one answer.
type one struct {
	status int
	body   io.Reader
}

// RoundTrip implements http.RoundTripper.
func (o one) RoundTrip(request *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: o.status, Header: http.Header{}, Body: io.NopCloser(o.body), Request: request}, nil
}

// readAnswer has a client read a body, and returns what became of it, as JSON.
func readAnswer(t *testing.T, status int, body io.Reader, open Open) string {
	t.Helper()
	model, err := open(protocol.Config{BaseURL: "http://model/v1", Model: "m", Transport: one{status, body}})
	if err != nil {
		t.Fatal(err)
	}
	var text, reasoning strings.Builder
	reply, err := model.Stream(t.Context(), hello, func(d llm.Delta) {
		switch d.Kind {
		case llm.TextDelta:
			text.WriteString(d.Text)
		case llm.ReasoningDelta:
			reasoning.WriteString(d.Text)
		}
	})
	if text.String() != reply.Text || reasoning.String() != reply.Reasoning {
		t.Errorf("streamed %q and %q, returned %q and %q", text.String(), reasoning.String(), reply.Text, reply.Reasoning)
	}
	got := answered{
		Text: reply.Text, Reasoning: reply.Reasoning, Details: reply.Details, Calls: reply.Calls, Finish: reply.Finish, Usage: reply.Usage,
	}
	if err != nil && len(reply.Calls) > 0 {
		t.Error("a reply that failed has calls")
	}
	if failure, ok := errors.AsType[*llm.Error](err); ok {
		got.Error, got.Again, got.Message = failure.FailCode(), failure.Retryable(), failure.Message
	} else if err != nil {
		t.Errorf("an error without a type: %v", err)
	}
	var shown bytes.Buffer
	encoder := json.NewEncoder(&shown)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(got); err != nil {
		t.Fatal(err)
	}
	return shown.String()
}

// hello is a request.
var hello = llm.Request{
	System:   "Be brief.",
	Messages: []message.Message{{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: "Hello"}}}},
}

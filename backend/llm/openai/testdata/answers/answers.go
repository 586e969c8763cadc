// Package answers holds answers as real servers write them, one quirk a file, and
// what must become of each. It is for tests: of the client that reads the answers,
// of the layers below it, and of the program that lives with what they say.
//
// A file is a txtar archive. Its comment says which quirk this is and who has it,
// head (left out for a stream that begins as it should) gives the HTTP status and
// the headers, one a line, answer is the body, and want is the outcome as JSON. In
// answer and want stand
//
//	␍ and ␊   for a carriage return and a line feed that must be seen
//	␂         for a byte order mark
//	⟦N×TEXT⟧  for N times TEXT
//	␄         for the end: the line feed behind it is not sent
package answers

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed *.txtar
var files embed.FS

// Answer is one answer of a server.
type Answer struct {
	// Name is the quirk, and the name of the file.
	Name string
	// Status and Header begin the answer.
	Status int
	Header http.Header
	Body   []byte
	Want   Want
}

// Want is what must become of an answer, in the client's terms. JSON in it is
// compact.
type Want struct {
	Text      string          `json:"text,omitempty"`
	Reasoning string          `json:"reasoning,omitempty"`
	Details   json.RawMessage `json:"details,omitempty"`
	Calls     []Call          `json:"calls,omitempty"`
	Finish    string          `json:"finish,omitempty"`
	Usage     *Usage          `json:"usage,omitempty"`
	Error     *Failure        `json:"error,omitempty"`
}

// Call is a call of a reply. One without arguments may not run.
type Call struct {
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Repaired  bool            `json:"repaired,omitempty"`
	Extra     json.RawMessage `json:"extra,omitempty"`
}

// Usage is what a reply cost, in tokens.
type Usage struct {
	Prompt     int `json:"prompt"`
	Completion int `json:"completion"`
	Reasoning  int `json:"reasoning,omitempty"`
	Cached     int `json:"cached,omitempty"`
}

// Failure is a typed error.
type Failure struct {
	Class  string `json:"class"`
	Status int    `json:"status,omitempty"`
	Code   string `json:"code,omitempty"`
	// Message is what the user reads. One that ends in … only begins so.
	Message string `json:"message"`
	// Wait is a duration as Go writes it; empty for none, "years" for more than one.
	Wait string `json:"wait,omitempty"`
	// Window is how much the model takes, in tokens; 0 where the server does not say.
	Window int `json:"window,omitempty"`
	// Retry says that the same request can succeed later.
	Retry bool `json:"retry,omitempty"`
}

// Read returns all answers in the order of their names.
func Read() ([]Answer, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("list answers: %w", err)
	}
	var all []Answer
	for _, entry := range entries {
		text, err := files.ReadFile(entry.Name())
		if err != nil {
			return nil, fmt.Errorf("read answer: %w", err)
		}
		a, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("read answer %s: %w", entry.Name(), err)
		}
		a.Name = strings.TrimSuffix(entry.Name(), path.Ext(entry.Name()))
		all = append(all, a)
	}
	return all, nil
}

func parse(text []byte) (Answer, error) {
	a := Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}}
	archive := txtar.Parse(text)
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		return a, fmt.Errorf("no comment names the quirk")
	}
	for _, file := range archive.Files {
		var err error
		switch file.Name {
		case "head":
			err = a.head(string(file.Data))
		case "answer":
			a.Body = sent(string(file.Data))
		case "want":
			err = a.want(file.Data)
		default:
			err = fmt.Errorf("it is none of head, answer, want")
		}
		if err != nil {
			return a, fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return a, nil
}

func (a *Answer) head(text string) error {
	status, headers, _ := strings.Cut(text, "\n")
	var err error
	if a.Status, err = strconv.Atoi(status); err != nil {
		return fmt.Errorf("read status: %w", err)
	}
	a.Header = http.Header{}
	for line := range strings.Lines(headers) {
		name, value, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found {
			return fmt.Errorf("%q is no header", line)
		}
		a.Header.Set(name, value)
	}
	return nil
}

func (a *Answer) want(text []byte) error {
	var compact bytes.Buffer
	if err := json.Compact(&compact, sent(string(text))); err != nil {
		return err
	}
	decoder := json.NewDecoder(&compact)
	decoder.DisallowUnknownFields()
	return decoder.Decode(&a.Want)
}

var (
	repeated = regexp.MustCompile(`⟦(\d+)×([^⟧]*)⟧`)
	pictures = strings.NewReplacer("␍", "\r", "␊", "\n", "␂", "\ufeff")
)

// sent is the body that is written in the notation of the package comment.
func sent(text string) []byte {
	text, _, _ = strings.Cut(text, "␄")
	text = repeated.ReplaceAllStringFunc(text, func(found string) string {
		parts := repeated.FindStringSubmatch(found)
		times, err := strconv.Atoi(parts[1])
		if err != nil {
			panic(err) // only digits match
		}
		return strings.Repeat(parts[2], times)
	})
	return []byte(pictures.Replace(text))
}

package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	kept "fairlead/backend/llm/openai/testdata/answers"
)

// split returns the events of a stream, a failed one with a mark in front.
func split(source io.Reader) ([]string, error) {
	s := newSplitter(source)
	var events []string
	for {
		event, err := s.next()
		if err != nil {
			return events, err
		}
		mark := ""
		if event.failed {
			mark = "!"
		}
		events = append(events, mark+string(event.data))
	}
}

func TestSplitter(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"LF", "data: a\n\ndata: b\n\n", []string{"a", "b"}},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}},
		{"CRLF, joined", "data: a\r\ndata: b\r\n\r\n", []string{"a\nb"}},
		{"CR", "data: a\r\rdata: b\r\r", []string{"a", "b"}},
		{"mixed", "data: a\r\n\ndata: b\n\r\ndata: c\r\n\r", []string{"a", "b", "c"}},
		{"byte order mark", "\ufeffdata: a\n\n", []string{"a"}},
		{"no space", "data:a\n\n", []string{"a"}},
		{"one space only", "data:  a\n\n", []string{" a"}},
		{"comments", ": ping\n\n: ping\n\ndata: a\n: ping\ndata: b\n\n", []string{"a\nb"}},
		{"other fields", "event: x\nid: 1\nretry: 5\nnonsense\ndata: a\n\n", []string{"a"}},
		{"joined lines", "data: a\ndata:\ndata: b\n\n", []string{"a\n\nb"}},
		{"empty data", "data:\n\ndata: \n\ndata\n\ndata: a\n\n", []string{"a"}},
		{"no last newline", "data: a\n\ndata: b", []string{"a", "b"}},
		{"no last blank line", "data: a\n\ndata: b\n", []string{"a", "b"}},
		{"done at once", "data: [DONE]\nhello", []string{"[DONE]"}},
		{"done without blank line", "data: a\ndata: [DONE]\n", []string{"a\n[DONE]"}},
		{"error event", "event: error\ndata: a\n\ndata: b\n\n", []string{"!a", "b"}},
		{"error field", "error: a\n\ndata: b\n\n", []string{"!a", "b"}},
		{"nothing", "", nil},
		{"only comments", ": ping\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, source := range map[string]io.Reader{
				"whole": strings.NewReader(test.in),
				"bytes": iotest.OneByteReader(strings.NewReader(test.in)),
				"eof":   iotest.DataErrReader(strings.NewReader(test.in)),
			} {
				got, err := split(source)
				if diff := cmp.Diff(test.want, got); diff != "" || err != io.EOF {
					t.Errorf("%s: error %v, events (-want +got):\n%s", name, err, diff)
				}
			}
		})
	}
}

func TestSplitterLongLines(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	got, err := split(strings.NewReader("data: " + long + "\n\ndata: b\n\n"))
	if err != io.EOF || len(got) != 2 || got[0] != long {
		t.Errorf("300 kB line: %d events, %v", len(got), err)
	}
	for _, endless := range []string{"data: xxxxxxxxxxxxxxxx", "data: xxxxxxxxxxxxxxxx\n"} {
		if _, err := split(repeating(endless)); !errors.Is(err, errTooLong) {
			t.Errorf("endless %q: %v, want errTooLong", endless, err)
		}
	}
}

// repeating reads the same text for ever.
type repeating string

func (r repeating) Read(p []byte) (int, error) {
	return copy(p, strings.Repeat(string(r), len(p)/len(r)+1)), nil
}

func TestSplitterPassesErrorsOn(t *testing.T) {
	broke := errors.New("broke")
	source := io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broke))
	got, err := split(source)
	if diff := cmp.Diff([]string{"a"}, got); diff != "" || err != broke {
		t.Errorf("error %v, events (-want +got):\n%s", err, diff)
	}
}

func FuzzSplitter(f *testing.F) {
	for _, seed := range []string{
		"data: a\n\n", "\ufeffdata: a\r\n\r\n", ": c\rdata: b\r\r", "event: error\ndata: {}\n\n",
		"data: a\ndata: [DONE]\n", "error: x", "\n\r\n\r", "\xef\xbbdata: x",
	} {
		f.Add([]byte(seed))
	}
	list, err := kept.Read()
	if err != nil {
		f.Fatal(err)
	}
	for _, answer := range list {
		if len(answer.Body) < 4<<10 { // longer ones only slow the search
			f.Add(answer.Body)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, err := split(bytes.NewReader(in))
		if err != io.EOF {
			t.Fatalf("split: %v", err)
		}
		pieces, _ := split(iotest.OneByteReader(bytes.NewReader(in)))
		if diff := cmp.Diff(whole, pieces); diff != "" {
			t.Errorf("events differ by the size of reads (-whole +bytes):\n%s", diff)
		}
		for _, event := range whole {
			if strings.TrimSpace(event) == "" {
				t.Errorf("empty event %q", event)
			}
		}
	})
}

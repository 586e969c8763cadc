package cli_test

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// screened is a run that asks at a console, whose screen the test reads.
type screened struct {
	*console
	mu   sync.Mutex
	text strings.Builder
	more chan struct{}
	from int // how much of the text was awaited
}

// console starts a run that asks at a console of its own.
func (p *place) console(args ...string) *screened {
	p.t.Helper()
	s := &screened{console: p.newConsole(args...), more: make(chan struct{}, 1)}
	s.start("at-console")
	go s.follow()
	s.waitFor(new(sync.WaitGroup))
	return s
}

// follow reads what the console draws.
func (s *screened) follow() {
	buffer := make([]byte, 4096)
	for {
		n, err := s.screen.Read(buffer)
		if err != nil {
			return // the console is gone
		}
		s.mu.Lock()
		s.text.Write(buffer[:n])
		s.mu.Unlock()
		select {
		case s.more <- struct{}{}:
		default:
		}
	}
}

// forward moves the cursor over spaces, and drawn is all else that is no text.
var (
	forward = regexp.MustCompile("\x1b\\[(\\d*)C")
	drawn   = regexp.MustCompile("\x1b(\\[[0-9;?]*[a-zA-Z]|\\][^\x07]*\x07)|\r")
)

// shown is the text that was drawn.
func (s *screened) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := forward.ReplaceAllStringFunc(s.text.String(), func(found string) string {
		n, _ := strconv.Atoi(forward.FindStringSubmatch(found)[1])
		return strings.Repeat(" ", max(n, 1))
	})
	return drawn.ReplaceAllString(text, "")
}

// sees waits until the screen shows a text below what was awaited before, and returns what
// stands from there to its end.
func (s *screened) sees(text string) string {
	s.t.Helper()
	limit := time.After(patience)
	for {
		shown := s.shown()[s.from:]
		if at := strings.Index(shown, text); at >= 0 {
			s.from += at + len(text)
			return shown[:at+len(text)]
		}
		select {
		case <-s.more:
		case <-limit:
			s.t.Fatalf("the screen does not show %q but %q", text, shown)
		}
	}
}

func (s *screened) types(text string) {
	s.t.Helper()
	_, err := s.keys.WriteString(text)
	s.must(err)
}

const choices = "[w]ait longer:"

func TestHITL10_AQuestionIsAnsweredAtTheConsole(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "call c1 read_file {\"path\":\"note.txt\"}\n---\n"+
		`call c2 edit_file {"path":"note.txt","edits":[{"old":"one","new":"two 你好"}]}`+"\n---\ntext done")
	p.write("note.txt", "one\n")
	run := p.console()
	shown := run.sees(choices)
	for _, want := range []string{"? edit_file note.txt (+1 −1)", "\n  │ -one\n", "\n  │ +two 你好\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the question lacks %q: %q", want, shown)
		}
	}
	for _, answer := range []string{"\r", "x\r"} {
		run.types(answer)
		run.sees(choices)
	}
	if got := p.read("note.txt"); got != "one\n" {
		t.Errorf("note.txt was changed without an answer: %q", got)
	}
	run.types("y\r")
	run.sees("done")
	run.exits(0)
	if got := p.read("note.txt"); got != "two 你好\n" {
		t.Errorf("note.txt is %q", got)
	}
}

func TestHITL03_ARejectionAtTheConsoleHasAReason(t *testing.T) {
	t.Parallel()
	run := newPlace(t, `call c1 shell {"command":"touch ran"}`+"\n---\ntext done").console()
	run.sees(choices)
	run.types("r\r")
	run.sees("reason:")
	run.types("nicht jetzt, 以后\r")
	run.sees("done")
	run.exits(0)
	if got := run.sent(2); got != "REJECTED: the user rejected this call; it was not run: nicht jetzt, 以后" {
		t.Errorf("the model was sent %q", got)
	}
}

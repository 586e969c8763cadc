package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// console is a terminal with a program at it.
type console struct {
	*program
	side *os.File // the user's
	mu   sync.Mutex
	text strings.Builder
	more chan struct{}
	from int // how much of the text was awaited
}

// console starts a run in a terminal of its own, as a shell would.
func (p *place) console(args ...string) *console {
	p.t.Helper()
	return p.terminal(p.task(args...)...)
}

// terminal starts a command in a terminal of its own.
func (p *place) terminal(args ...string) *console {
	p.t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		p.t.Skipf("there are no terminals here: %v", err)
	}
	p.must(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	p.must(err)
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	p.must(err)
	c := &console{
		program: &program{place: p, cmd: p.command(args...)}, more: make(chan struct{}, 1),
		side: os.NewFile(uintptr(fd), "terminal"),
	}
	p.t.Cleanup(func() { c.side.Close() })
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = terminal, terminal, terminal
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.must(c.cmd.Start())
	p.must(terminal.Close())
	c.ended = awaitEnd(p.t, c.cmd)
	go c.follow()
	return c
}

func (c *console) follow() {
	buffer := make([]byte, 4096)
	for {
		n, err := c.side.Read(buffer)
		if err != nil {
			return // the program has left its terminal
		}
		c.mu.Lock()
		c.text.Write(buffer[:n])
		c.mu.Unlock()
		select {
		case c.more <- struct{}{}:
		default:
		}
	}
}

// sees waits until the screen shows a text below what was awaited before, and
// returns what stands from there to its end.
func (c *console) sees(text string) string {
	c.t.Helper()
	limit := time.After(patience)
	for {
		shown := c.screen()[c.from:]
		if at := strings.Index(shown, text); at >= 0 {
			c.from += at + len(text)
			return shown[:at+len(text)]
		}
		select {
		case <-c.more:
		case <-limit:
			c.t.Fatalf("the screen does not show %q but %q", text, shown)
		}
	}
}

func (c *console) screen() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.ReplaceAll(c.text.String(), "\r\n", "\n")
}

func (c *console) types(text string) {
	c.t.Helper()
	_, err := c.side.WriteString(text)
	c.must(err)
}

const prompt = "[w]ait longer: "

func TestHITL10_TheQuestionShowsTheChangeAndEnterIsNoAnswer(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "call c1 read_file {\"path\":\"a.txt\"}\n---\n"+
		`call c2 edit_file {"path":"a.txt","edits":[{"old":"one","new":"t\u202ewo"}]}`+"\n---\ntext done")
	p.write("a.txt", "one\n")
	c := p.console()
	shown := c.sees(prompt)
	for _, want := range []string{"? edit_file a.txt (+1 −1)", "\n  │ -one\n", "\n  │ +t\\u{202e}wo\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the question lacks %q: %q", want, shown)
		}
	}
	for _, answer := range []string{"\n", "  \n", "x\n", "yesterday\n"} {
		c.types(answer)
		c.sees(prompt)
	}
	if got := p.read("a.txt"); got != "one\n" {
		t.Errorf("a.txt was changed without an answer: %q", got)
	}
	c.types("y\n")
	c.sees("done")
	c.exits(0)
	if got := p.read("a.txt"); got != "t\u202ewo\n" {
		t.Errorf("a.txt is %q", got)
	}
}

func TestHITL10_ACommandIsShownWhole(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("true && ", 300) + "echo last"
	p := newPlace(t, `call c1 shell {"command":"`+long+`\u001b[2J"}`+"\n---\ntext done")
	c := p.console()
	shown := c.sees(prompt)
	unfolded := strings.ReplaceAll(shown, "\n  │ ", "")
	if !strings.Contains(unfolded, long+`\u{1b}[2J`+"\nNot confined: ") || !strings.Contains(shown, "? shell in "+p.workspace) {
		t.Errorf("the question: %q", shown)
	}
	if !strings.Contains(shown, "lines above; scroll up and read them all") {
		t.Errorf("a question longer than the screen does not say so: %q", shown)
	}
	c.types("n\n")
	c.exits(0)
	if got := p.sent(2); !strings.HasPrefix(got, "REJECTED: ") {
		t.Errorf("the model was sent %q", got)
	}
}

func TestHITL10_APathBeginsNoLine(t *testing.T) {
	t.Parallel()
	c := newPlace(t, `call c1 write_file {"path":"a\n    +harmless","content":"x\n"}`+"\n---\ntext done").console()
	if shown := c.sees(prompt); !strings.Contains(shown, `? write_file "a\n    +harmless" (+1`) {
		t.Errorf("the question: %q", shown)
	}
	c.types("n\n")
	c.exits(0)
}

func TestHITL03_AnswersAtTheTerminal(t *testing.T) {
	t.Parallel()
	const command = `call c1 shell {"command":"echo one > a.txt"}` + "\n---\ntext done\n"
	tests := []struct {
		name string
		// answers are what is typed, one at each prompt given.
		prompts, answers []string
		file, sent       string
		code             int
	}{
		{"reject with a reason", []string{prompt, "reason: "}, []string{"r\n", "not now\n"}, "", "REJECTED: the user rejected this call; it was not run: not now", 0},
		{
			"edit",
			[]string{prompt, "new command (Enter keeps it): ", "edited by you)", "echo two > a.txt", prompt},
			[]string{"e\n", "echo two > a.txt\n", "", "", "y\n"},
			"two\n", "(the user edited this call before it ran)", 0,
		},
		{"edit nothing", []string{prompt, "new command (Enter keeps it): ", prompt}, []string{"e\n", "\n", "y\n"}, "one\n", "", 0},
		{"stop", []string{prompt}, []string{"s\n"}, "", "", 6},
		{"wait longer", []string{prompt, prompt}, []string{"w\n", "y\n"}, "one\n", "", 0},
		{"interrupt", []string{prompt}, []string{"\x03"}, "", "", 130},
		{"end of input", []string{prompt}, []string{"\x04"}, "", "REJECTED: ", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newPlace(t, command).console()
			for i, text := range test.prompts {
				c.sees(text)
				c.types(test.answers[i])
			}
			c.exits(test.code)
			if got := c.read("a.txt"); got != test.file {
				t.Errorf("a.txt is %q", got)
			}
			if test.sent != "" && !strings.HasPrefix(c.sent(2), test.sent) {
				t.Errorf("the model was sent %q", c.sent(2))
			}
		})
	}
}

// TestHITL10_NothingIsWrittenBelowAQuestion has one command end while the user
// is asked about the next.
func TestHITL10_NothingIsWrittenBelowAQuestion(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `call c1 shell {"command":"while [ ! -e go ]; do sleep 0.02; done; echo fake; touch done"}`+"\n"+
		`call c2 shell {"command":"echo real > a.txt"}`+"\n---\ntext the end")
	c := p.console()
	c.sees(prompt)
	c.types("y\n")
	c.sees("echo real > a.txt")
	c.sees(prompt)
	p.write("go", "")
	p.eventually("the first command has ended", func() bool { return p.exists("done") })
	c.types("\n")
	if shown := c.sees(prompt); strings.Contains(shown, "fake") {
		t.Errorf("the output stands below the question: %q", shown)
	}
	c.types("y\n")
	c.sees("fake")
	c.exits(0)
}

func TestHITL03_AFileChangeIsEditedAsJSON(t *testing.T) {
	t.Parallel()
	c := newPlace(t, `call c1 write_file {"path":"a.txt","content":"one\n"}`+"\n---\ntext done\n").console()
	for _, answer := range []string{"null\n", "[1]\n", "{oops\n"} {
		c.sees(prompt)
		c.types("e\n")
		c.sees("new arguments as JSON")
		c.types(answer)
		c.sees("that is not a JSON object; nothing was changed")
	}
	c.sees(prompt)
	c.types("e\n")
	c.sees("new arguments as JSON")
	c.types(`{"path":"b.txt","content":"two\n"}` + "\n")
	c.sees("? write_file b.txt (+1 −0) (edited by you)")
	c.sees("+two")
	c.sees(prompt)
	c.types("y\n")
	c.exits(0)
	if c.exists("a.txt") || c.read("b.txt") != "two\n" {
		t.Errorf("a.txt exists: %v, b.txt is %q", c.exists("a.txt"), c.read("b.txt"))
	}
}

// TestHITL10_WhatWasTypedBeforeIsNoAnswer types while a command runs, before the
// question about the next one.
func TestHITL10_WhatWasTypedBeforeIsNoAnswer(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `
call c1 shell {"command":"touch up; while [ ! -e go ]; do sleep 0.02; done"}
---
call c2 shell {"command":"touch ran"}
---
text done
`)
	c := p.console()
	c.sees(prompt)
	c.types("y\n")
	p.eventually("the command runs", func() bool { return p.exists("up") })
	c.types("y\nyes\ny\ny\ny") // the last without Enter
	c.sees("y\nyes\ny\ny\ny")  // it has reached the terminal
	p.write("go", "")
	c.sees(prompt)
	c.types("\n")
	c.sees(prompt)
	c.types("n\n")
	c.exits(0)
	if p.exists("ran") {
		t.Error("an answer typed too early was taken")
	}
	if got := p.sent(3); !strings.HasPrefix(got, "REJECTED: ") {
		t.Errorf("the model was sent %q", got)
	}
}

func TestCLI01_TheAnswerStreamsToATerminal(t *testing.T) {
	t.Parallel()
	c := newPlace(t, "chunk \"first \"\nchunk half\ncut\n---\nchunk \"second \"\nwait 100ms\nchunk \\x1b[2Jwhole\nheader X: y").console()
	c.sees("first half\n(the text above is discarded)\n! ")
	c.sees("; attempt 2 of 5 in ")
	c.sees("second ")
	c.sees("whole\n")
	c.exits(0)
	if strings.Contains(c.screen(), "\x1b") {
		t.Errorf("an escape reached the terminal: %q", c.screen())
	}
}

// exists reports whether a file of the workspace is there.
func (p *place) exists(name string) bool {
	_, err := os.Stat(filepath.Join(p.workspace, name))
	return err == nil
}

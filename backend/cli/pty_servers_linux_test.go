package cli_test

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const yesNo = " [y/N] "

// addNotes adds the server of tests at a terminal, with a yes to every question.
func (p *place) addNotes(flags []string, args ...string) {
	p.t.Helper()
	program, err := buildServer()
	p.must(err)
	p.output(slices.Concat([]string{"mcp", "add", "notes", "--workspace", p.workspace, "--yes"}, flags, []string{"--", program}, args)...)
}

// failing is what a command that ends with a code writes, and what it says beside that.
func (p *place) failing(code int, args ...string) (out, trouble string) {
	p.t.Helper()
	cmd := p.command(args...)
	var said strings.Builder
	cmd.Stderr = &said
	text, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != code {
		p.t.Fatalf("%v: %v: %s", args, err, &said)
	}
	return string(text), said.String()
}

// skipWhereHostsAreHeld skips a test of what is asked below level Full.
func (p *place) skipWhereHostsAreHeld() {
	p.t.Helper()
	if out, _ := p.output("doctor"); strings.Contains(out, " full. ") {
		p.t.Skip("this system holds a server to its hosts")
	}
}

// TestEXT01_AServerIsAgreedToInSteps answers each question of mcp add: a no leaves what was agreed to
// before, and says how to be asked again.
func TestEXT01_AServerIsAgreedToInSteps(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "text done")
	program, err := buildServer()
	p.must(err)
	add := []string{"mcp", "add", "notes", "--workspace", p.workspace, "--folder", "read", "--variable", "ZONE", "--", program}

	c := p.terminal(add...)
	shown := c.sees(yesNo)
	for _, want := range []string{
		"The server notes is this program:\n  │ ", "What it may do: it reads the folder; has no network; is given ZONE.\n",
		"Let it run so for " + p.workspace + "?",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the question lacks %q: %q", want, shown)
		}
	}
	c.types("\n") // Enter is no
	c.sees("is added, and not used for this folder; to be asked again: fairlead mcp add notes\n")
	c.exits(0)
	if out, _ := p.output("mcp", "list", "--workspace", p.workspace); !strings.Contains(out, "not agreed to for this folder") {
		t.Errorf("after a no: %s", out)
	}

	c = p.terminal("mcp", "add", "notes", "--workspace", p.workspace, "--folder", "read")
	c.sees(yesNo)
	c.types("y\n")
	c.sees("Value of ZONE, which is not shown (Enter leaves it out): ")
	c.types("Europe/Oslo-and-longer\n")
	c.sees("! Values cannot be kept: ")
	c.sees("each start takes them from your environment: ZONE.\n")
	shown = c.sees("Agree to these 4 tools?" + yesNo)
	if !strings.Contains(shown, "lines above; scroll up and read them all before you answer\n") {
		t.Errorf("a question longer than the screen does not say so: %q", shown)
	}
	c.types("no\n")
	c.sees("Its tools are not used; to be asked again: fairlead mcp test notes\n")
	c.exits(0)
	if strings.Contains(c.screen(), "Oslo") {
		t.Errorf("the value is on the screen: %q", c.screen())
	}
	p.must(inFiles(p.root, "Oslo"))

	c = p.terminal("mcp", "test", "notes", "--workspace", p.workspace)
	c.sees("there is no value for ZONE")
	c.exits(1)
}

func TestEXT02_AChangedServerIsAgreedToAtTheTerminal(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "text done")
	p.environment = []string{`WORD="Say a word."`}
	p.addNotes([]string{"--variable", "WORD"})
	p.environment = []string{`WORD="Say the key."`}
	c := p.terminal("mcp", "test", "notes", "--workspace", p.workspace)
	shown := c.sees("Agree to these 5 tools?" + yesNo)
	if !strings.Contains(shown, "│ description: Say a word.\n") || !strings.Contains(shown, "│ description: Say the key.\n") || strings.Contains(shown, "Read a file") {
		t.Errorf("the difference: %q", shown)
	}
	c.types("n\n")
	c.sees("Its tools are not used")
	c.exits(1)
	c = p.terminal("mcp", "test", "notes", "--workspace", p.workspace)
	c.sees(yesNo)
	c.types("y\n")
	c.sees("notes  ready")
	c.sees("  say  Say the key.\n")
	c.exits(0)
	out, _ := p.output("mcp", "test", "notes", "--workspace", p.workspace)
	if !strings.Contains(out, "  say  Say the key.\n") {
		t.Errorf("afterwards: %q", out)
	}
}

func TestEXT03_TheQuestionAboutACallSaysWhatItIs(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `call c1 mcp_call {"server":"notes","tool":"write","arguments":{"path":"a.txt","text":"t\u202ewo"}}`+"\n---\ntext done")
	p.addNotes([]string{"--folder", "write"})
	c := p.console()
	shown := c.sees(prompt)
	for _, want := range []string{
		"? call write of the server notes\n", "\n  │   \"path\": \"a.txt\",\n", `t\u202ewo`,
		"\nThe server runs with confinement ", "testserver\n", "it reads and changes the folder; has no network",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the question lacks %q: %q", want, shown)
		}
	}
	c.types("y\n")
	c.sees("done")
	c.exits(0)
	if got := p.read("a.txt"); got != "t\u202ewo" {
		t.Errorf("a.txt is %q", got)
	}
}

// TestEXT01_AStartThatIsNotHeldToItsHostsAsks needs a level below Full.
func TestEXT01_AStartThatIsNotHeldToItsHostsAsks(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `call c1 mcp_call {"server":"notes","tool":"read","arguments":{"path":"/etc/hostname"}}`+"\n---\ntext done")
	p.addNotes([]string{"--host", "api.example.org"})
	p.skipWhereHostsAreHeld()
	_, said := p.output(p.task("--approve", "all")...)
	if !strings.Contains(said, "note: the server notes is left out: the system cannot hold it to its hosts, so each start asks; --allow-network answers yes\n") {
		t.Errorf("nobody can be asked, and it says %q", said)
	}
	if got := p.sent(2); !strings.Contains(got, "nobody agreed to this one") {
		t.Errorf("the model was sent %q", got)
	}
	if _, trouble := p.failing(1, "mcp", "test", "notes", "--workspace", p.workspace); !strings.Contains(trouble, "each start asks, and nobody can be asked") {
		t.Errorf("a test says %q", trouble)
	}
	for answer, wanted := range map[string]string{"n\n": "does not run", "y\n": "runs"} {
		c := p.terminal("mcp", "test", "notes", "--workspace", p.workspace)
		shown := c.sees("Start it?" + yesNo)
		if !strings.Contains(shown, "reaches api.example.org:443. The system does not hold it to that, and it reaches other hosts too.\n") {
			t.Errorf("the question: %q", shown)
		}
		c.types(answer)
		if wanted == "runs" {
			c.sees("notes  ready")
			c.exits(0)
		} else {
			c.exits(1)
		}
	}
}

// TestEXT01_ARunAsksAboutAStartThatIsNotHeld needs a level below Full.
func TestEXT01_ARunAsksAboutAStartThatIsNotHeld(t *testing.T) {
	t.Parallel()
	for answer, wanted := range map[string]string{"n\n": "nobody agreed to this one", "y\n": "nothing"} {
		p := newPlace(t, `call c1 mcp_call {"server":"notes","tool":"extra","arguments":{}}`+"\n---\ntext done")
		p.addNotes([]string{"--host", "api.example.org"}, "extra")
		p.skipWhereHostsAreHeld()
		c := p.console("--approve", "all", "--allow-network=false")
		c.sees("? start the server notes\n  │ ")
		c.sees("[y]es, [n]o: ")
		c.types("\n") // decides nothing
		c.sees("[y]es, [n]o: ")
		c.types(answer)
		if answer == "y\n" { // the mode passes commands, and not the network
			c.sees("? call extra of the server notes\n")
			c.sees(prompt)
			c.types("y\n")
		}
		c.sees("done")
		c.exits(0)
		if got := p.sent(2); !strings.Contains(got, wanted) {
			t.Errorf("%q: the model was sent %q", answer, got)
		}
	}
}

// TestSEC01_TheTerminalShowsAgainWhatIsTyped interrupts a program that reads a value.
func TestSEC01_TheTerminalShowsAgainWhatIsTyped(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "text done")
	p.environment = []string{"ZONE=Europe/Oslo"}
	p.addNotes([]string{"--variable", "ZONE"})
	c := p.terminal("mcp", "set", "notes", "ZONE")
	c.sees("Value of ZONE, which is not shown: ")
	p.eventually("what is typed is hidden", func() bool { return !c.shows() })
	c.types("\x03")
	c.exits(130)
	if !c.shows() {
		t.Error("the terminal does not show what is typed")
	}
}

// shows reports whether the terminal shows what is typed.
func (c *console) shows() bool {
	state, err := unix.IoctlGetTermios(int(c.side.Fd()), unix.TCGETS)
	c.must(err)
	return state.Lflag&unix.ECHO != 0
}

//go:build e2e && linux

package native

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"
)

// window is the program with its window.
type window struct {
	*place

	cmd    *exec.Cmd
	output *bytes.Buffer // to be read after the end
	ended  chan struct{}
}

// seek asks the driver for something in this window.
func (w *window) seek(verb string, q query, patience time.Duration, value any) {
	w.t.Helper()
	if q.PID == 0 {
		q.PID = w.cmd.Process.Pid
	}
	if err := screen.do(verb, q, patience.Seconds(), value); err != nil {
		w.t.Fatalf("%s %s: %v", verb, q, err)
	}
}

// find waits for something in the window.
func (w *window) find(q query) thing {
	w.t.Helper()
	var found thing
	w.seek("find", q, patience, &found)
	return found
}

// sees waits for a text in the window.
func (w *window) sees(text string) {
	w.t.Helper()
	w.find(query{Has: text})
}

// gone waits until something is no longer in the window.
func (w *window) gone(q query) {
	w.t.Helper()
	w.seek("gone", q, patience, nil)
}

// has reports whether something is in the window now.
func (w *window) has(q query) bool {
	w.t.Helper()
	var found []thing
	w.seek("all", q, 0, &found)
	return len(found) > 0
}

// press presses a button of the page, by the path to its word.
func (w *window) press(path string) {
	w.t.Helper()
	w.push(query{Role: "button", Name: w.words.word(path)})
}

// push presses something in the window.
func (w *window) push(q query) {
	w.t.Helper()
	w.seek("press", q, patience, nil)
}

// click clicks on the middle of something in the window.
func (w *window) click(q query) {
	w.t.Helper()
	box := w.find(q).Box
	if len(box) != 4 {
		w.t.Fatalf("%s has no place", q)
	}
	w.xdotool("mousemove", strconv.Itoa(box[0]+box[2]/2), strconv.Itoa(box[1]+box[3]/2), "click", "1")
}

// activate gives the window the keyboard, as a click on it does.
func (w *window) activate() {
	w.t.Helper()
	args := []string{"search", "--sync", "--onlyvisible", "--pid", strconv.Itoa(w.cmd.Process.Pid), "--name", "(^|— )Fairlead$", "windowactivate", "--sync"}
	for range 5 {
		output, err := exec.Command("xdotool", args...).CombinedOutput()
		if err == nil {
			return
		}
		// Another window, one of the start, went away while it was looked at.
		if !strings.Contains(string(output), "BadWindow") {
			w.t.Fatalf("xdotool %q: %v: %s", args, err, output)
		}
	}
	w.t.Fatal("the window cannot be found among others that come and go")
}

// enter types a text into a field and ensures that it is there.
func (w *window) enter(q query, text string) {
	w.t.Helper()
	w.activate()
	for range 5 {
		w.seek("focus", q, patience, nil)
		focused := q
		focused.States = append(focused.States, "focused")
		w.find(focused)
		w.keys("ctrl+a", "BackSpace")
		w.types(text)
		typed := q
		// What is typed as a password is shown as dots.
		typed.Text = text
		if q.Role == "password text" {
			typed.Text = strings.Repeat("•", len(text))
		}
		typed.PID = w.cmd.Process.Pid
		// The page handles the keys later than they are sent: a line of Chinese takes it seconds on a slow screen.
		err := screen.do("find", typed, 8, nil)
		if err == nil {
			return
		}
		if !errors.Is(err, errUnseen) {
			w.t.Fatal(err)
		}
		// The page can be busy, and drop what comes too fast.
	}
	w.t.Fatalf("%q does not get into %s", text, q)
}

// types types a text on the keyboard. What is on no key is composed: by its number
// in hexadecimal, as GTK's own input method takes it. Enter ends the last
// composition, and must do no more than that.
func (w *window) types(text string) {
	w.t.Helper()
	var typed strings.Builder
	flush := func() {
		if typed.Len() > 0 {
			w.xdotool("type", "--delay", keyDelay, typed.String())
			typed.Reset()
		}
	}
	for at, letter := range text {
		if letter <= unicode.MaxASCII {
			typed.WriteRune(letter)
			continue
		}
		flush()
		keys := []string{"ctrl+shift+u"}
		for _, digit := range strconv.FormatInt(int64(letter), 16) {
			keys = append(keys, string(digit))
		}
		end := "space"
		if at+utf8.RuneLen(letter) == len(text) {
			end = "Return"
		}
		w.keys(append(keys, end)...)
	}
	flush()
}

// keyDelay is the time between two keys, in milliseconds.
const keyDelay = "8"

// keys presses keys, such as ctrl+Return.
func (w *window) keys(names ...string) {
	w.t.Helper()
	w.xdotool(append([]string{"key", "--delay", keyDelay}, names...)...)
}

func (w *window) xdotool(args ...string) string {
	w.t.Helper()
	output, err := exec.Command("xdotool", args...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("xdotool %q: %v: %s", args, err, output)
	}
	return string(output)
}

// ask types a task and sends it.
func (w *window) ask(prompt string) {
	w.t.Helper()
	w.enter(query{Role: "entry", Name: w.words.word("shell.composer.label")}, prompt)
	w.keys("Return")
}

// close closes the window as its close button does.
func (w *window) close() {
	w.t.Helper()
	w.activate()
	w.keys("alt+F4")
}

// exits waits for the end of the program, which must be a good one.
func (w *window) exits(within time.Duration) {
	w.t.Helper()
	select {
	case <-w.ended:
	case <-time.After(within):
		w.t.Fatalf("the program does not end within %v", within)
	}
	if code := w.cmd.ProcessState.ExitCode(); code != 0 {
		w.t.Errorf("the program ends with %v: %s", w.cmd.ProcessState, w.output)
	}
}

// end closes what a test left open.
func (w *window) end() {
	select {
	case <-w.ended:
		return
	default:
	}
	_ = w.cmd.Process.Signal(syscall.SIGTERM) // it may just end
	select {
	case <-w.ended:
	case <-time.After(patience):
		w.t.Errorf("the program does not end when it is told to")
		_ = w.cmd.Process.Signal(syscall.SIGQUIT) // to see where it stands
		<-w.ended
		w.t.Log(w.output)
	}
}

// keepEvidence keeps what a failed test saw.
func (w *window) keepEvidence() {
	if !w.t.Failed() {
		return
	}
	dir, err := os.MkdirTemp("", "fairlead-native-")
	if err != nil {
		w.t.Log(err)
		return
	}
	var tree string
	if err := screen.do("tree", query{}, 0, &tree); err != nil {
		w.t.Log(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tree.txt"), []byte(tree), 0o600); err != nil {
		w.t.Log(err)
	}
	if err := exec.Command("import", "-window", "root", filepath.Join(dir, "screen.png")).Run(); err != nil {
		w.t.Log("take a picture of the screen:", err)
	}
	w.t.Logf("the screen is in %s", dir)
}

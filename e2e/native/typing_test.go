//go:build e2e && linux

package native

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"fairlead/backend/store"
)

// typing is somebody who types a message while questions wait.
type typing struct {
	*window
	questions int
	length    time.Duration
	random    *rand.Rand
	escaped   time.Time
	letters   int // typed so far
}

// TestHITL11_SoakTypingAnswersNothing types while each of several conversations waits
// for an answer: as people type, with pauses in which dialogs open.
func TestHITL11_SoakTypingAnswersNothing(t *testing.T) {
	t.Run("where new windows do not get the keyboard", func(t *testing.T) {
		y := newTyping(t)
		y.typeOn(y.letter)
		if lost := y.answerAll(); lost != 0 {
			t.Errorf("%d of %d letters were lost", lost, y.letters)
		}
	})
	t.Run("where new windows get the keyboard", func(t *testing.T) {
		y := newTyping(t)
		stop := y.focusNewWindows()
		y.typeOn(y.letter)
		stop()
		t.Logf("%d of %d letters fell on a dialog", y.answerAll(), y.letters)
	})
}

func newTyping(t *testing.T) *typing {
	y := &typing{questions: 2, length: 4 * time.Second, random: rand.New(rand.NewPCG(1, 2))}
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		y.questions, y.length = 20, 2*time.Minute
	}
	var script strings.Builder
	for n := range y.questions {
		fmt.Fprintf(&script, "call c%d shell {\"command\":\"touch ran-%d\"}\n---\n", n, n)
	}
	p := newPlace(t, script.String()+strings.TrimSuffix(strings.Repeat("text I see.\n---\n", 500), "---\n"))
	y.window = p.open()
	for n := range y.questions {
		if n > 0 {
			y.keys("ctrl+n")
			y.find(query{Has: p.words.word("shell.empty.title", "name", "work")})
		}
		y.ask(taskOf(n))
		eventually(t, "the question comes", patience, func() bool { return len(p.model.Requests()) > n })
		y.find(query{Role: "landmark", Has: fmt.Sprintf("ran-%d", n)})
	}
	y.activate()
	y.seek("focus", query{Role: "entry", Name: p.words.word("shell.composer.label")}, patience, nil)
	return y
}

func taskOf(n int) string { return fmt.Sprintf("task %d", n) }

// typeOn types until the time is over: letters, and between them what is pressed while
// writing.
func (y *typing) typeOn(letter func()) {
	until := time.Now().Add(y.length)
	for time.Now().Before(until) {
		switch n := y.random.IntN(100); {
		case n < 78:
			letter()
		case n < 91:
			y.keys("space")
		case n < 95:
			y.keys("Return")
		case n < 97:
			y.keys("ctrl+Return")
		case time.Since(y.escaped) > time.Second:
			y.keys("Escape")
			y.escaped = time.Now()
		}
		time.Sleep(time.Duration(30+y.random.IntN(170)) * time.Millisecond)
		if y.random.IntN(20) == 0 {
			time.Sleep(time.Duration(300+y.random.IntN(3700)) * time.Millisecond)
		}
	}
	for n := range y.questions {
		if y.exists(fmt.Sprintf("ran-%d", n)) {
			y.t.Errorf("typing approved question %d", n)
		}
	}
	if asked := len(y.model.Requests()); asked != y.questions {
		y.t.Errorf("typing answered: the model was asked %d times, not %d", asked, y.questions)
	}
}

func (y *typing) letter() {
	y.keys(string(rune('a' + y.random.IntN(26))))
	y.letters++
}

// focusNewWindows gives each dialog the keyboard as soon as it is there, whatever it
// asks the window manager for.
func (y *typing) focusNewWindows() (stop func()) {
	done := make(chan struct{})
	var working sync.WaitGroup
	working.Go(func() {
		given := map[string]bool{}
		for {
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
			}
			found, _ := exec.Command("xdotool", "search", "--onlyvisible", "--name", "^"+strings.TrimSuffix(runTitle, "?")).Output() // none is an error
			for _, id := range strings.Fields(string(found)) {
				if !given[id] {
					given[id] = exec.Command("xdotool", "windowfocus", id).Run() == nil
				}
			}
		}
	})
	return func() {
		close(done)
		working.Wait()
	}
}

// answerAll answers each question, in turn by a click and by the keyboard, and returns
// how many letters are neither in the composer nor sent.
func (y *typing) answerAll() (lost int) {
	y.t.Helper()
	y.activate()
	composer := y.find(query{Role: "entry", Name: y.words.word("shell.composer.label")})
	kept := countLetters(composer.Text)
	for answered := range y.questions {
		open := y.left()
		if err := screen.do("find", query{PID: y.cmd.Process.Pid, Role: "dialog", Name: runTitle}, 4, nil); err == nil {
			y.answer(dialog{y.window, runTitle}, answered%2 == 0)
		} else {
			// Escape left it to the window.
			y.push(query{Role: "button", Has: taskOf(open[0])})
			y.press("confirm.approve")
		}
		eventually(y.t, "a command runs", patience, func() bool { return len(y.left()) < len(open) })
	}
	y.sees("I see.")
	eventually(y.t, "all is said", patience, func() bool { return len(y.model.Requests()) >= 2*y.questions })
	y.close()
	y.exits(patience)
	return y.letters - kept - y.saved()
}

func (y *typing) answer(question dialog, click bool) {
	y.t.Helper()
	question.offers(approve)
	if click {
		question.press(approve)
		return
	}
	question.activate()
	question.rests()
	for !question.has(query{Role: dialogButton, Name: approve, States: []string{"focused"}}) {
		y.keys("Tab")
	}
	y.keys("space")
}

// left are the questions whose commands have not run.
func (y *typing) left() (open []int) {
	for n := range y.questions {
		if !y.exists(fmt.Sprintf("ran-%d", n)) {
			open = append(open, n)
		}
	}
	return open
}

// saved counts the letters of the messages that were typed, and of those that wait.
func (y *typing) saved() (letters int) {
	saved, _, err := store.Open(y.t.Context(), store.Options{Folder: y.data, Redact: func(text []byte) []byte { return text }})
	y.must(err)
	defer func() { _ = saved.Close() }()
	sessions, err := saved.Sessions(y.t.Context(), "", 100)
	y.must(err)
	for _, session := range sessions {
		for _, prompt := range session.Queue {
			letters += countLetters(prompt.Text)
		}
		messages, err := saved.Messages(y.t.Context(), session.ID)
		y.must(err)
		for _, one := range messages {
			if one.Role == "user" && !strings.HasPrefix(one.Text(), "task ") {
				letters += countLetters(one.Text())
			}
		}
	}
	return letters
}

func countLetters(text string) (n int) {
	for _, r := range text {
		if unicode.IsLower(r) {
			n++
		}
	}
	return n
}

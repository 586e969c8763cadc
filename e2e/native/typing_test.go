//go:build e2e && linux

package native

import (
	"fmt"
	"math/rand/v2"
	"strings"
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
	// word is being composed, of which so many letters are typed.
	word     string
	composed int
	// letters and characters were typed so far: such that stay as they are typed, and
	// Chinese ones that were composed.
	letters, characters int
}

// syllables are words that an input method makes two characters of each.
var syllables = []string{"nihao", "women", "zhongguo", "shijian", "xiexie", "gongzuo", "pengyou", "keyi"}

// TestHITL11_SoakTypingAnswersNothing types while each of several conversations waits
// for an answer: as people type, with pauses in which dialogs open.
func TestHITL11_SoakTypingAnswersNothing(t *testing.T) {
	ways := []struct {
		name             string
		chinese, focuses bool
	}{
		{"English", false, false},
		{"English, where new windows get the keyboard", false, true},
		{"Chinese", true, false},
		{"Chinese, where new windows get the keyboard", true, true},
	}
	for _, way := range ways {
		if way.chinese && !soak {
			continue
		}
		t.Run(way.name, func(t *testing.T) {
			y := newTyping(t, way.chinese)
			restore := func() {}
			if way.focuses {
				restore = giveNewWindowsTheKeyboard(t)
			} else {
				y.activate()
			}
			y.dialog(runTitle)
			if way.chinese {
				y.choose(pinyin)
				y.typeOn(y.compose)
				y.choose(latin)
			} else {
				y.typeOn(y.letter)
			}
			restore()
			letters, characters := y.answerAll()
			t.Logf("of %d letters %d fell elsewhere, of %d Chinese characters %d", y.letters, letters, y.characters, characters)
			if !way.focuses && (letters != 0 || characters != 0) {
				t.Error("something of it was lost")
			}
		})
	}
}

func newTyping(t *testing.T, chinese bool) *typing {
	y := &typing{questions: 1, length: 3 * time.Second, random: rand.New(rand.NewPCG(1, 2))}
	if soak {
		y.questions, y.length = 20, 2*time.Minute
	}
	var script strings.Builder
	for n := range y.questions {
		fmt.Fprintf(&script, "call c%d shell {\"command\":\"touch %s\"}\n---\n", n, fileOf(n))
	}
	p := newPlace(t, script.String()+strings.TrimSuffix(strings.Repeat("text I see.\n---\n", 500), "---\n"))
	if chinese {
		p.startInputMethod()
	}
	y.window = p.open()
	for n := range y.questions {
		if n > 0 {
			y.keys("ctrl+n")
			y.find(query{Has: p.words.word("shell.empty.title", "name", "work")})
		}
		y.ask(taskOf(n))
		eventually(t, "the question comes", patience, func() bool { return len(p.model.Requests()) > n })
		y.find(y.card(n))
	}
	y.seek("focus", query{Role: "entry", Name: p.words.word("shell.composer.label")}, patience, nil)
	return y
}

// taskOf is the title of the n-th conversation, fileOf what its command writes. None is
// a part of another.
func taskOf(n int) string { return fmt.Sprintf("task %02d", n) }
func fileOf(n int) string { return fmt.Sprintf("ran-%02d", n) }

// card is the question of the n-th conversation in the page.
func (y *typing) card(n int) query { return query{Role: "landmark", Has: fileOf(n)} }

// typeOn types until the time is over: letters, and between them what is pressed while
// writing.
func (y *typing) typeOn(letter func()) {
	until := time.Now().Add(y.length)
	for time.Now().Before(until) {
		switch n := y.random.IntN(100); {
		case n < 78:
			letter()
		case n < 91 && y.word == "":
			y.keys("space")
		case n < 95:
			y.keys("Return")
			y.letters += y.composed // the input method leaves them as they were typed
			y.word, y.composed = "", 0
		case n < 97 && y.word == "":
			y.keys("ctrl+Return")
		case time.Since(y.escaped) > time.Second:
			y.keys("Escape")
			y.escaped = time.Now()
			y.word, y.composed = "", 0
		}
		time.Sleep(time.Duration(30+y.random.IntN(170)) * time.Millisecond)
		if y.random.IntN(20) == 0 {
			time.Sleep(time.Duration(300+y.random.IntN(3700)) * time.Millisecond)
		}
	}
	for y.word != "" {
		letter()
	}
	for n := range y.questions {
		if y.exists(fileOf(n)) {
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

// compose types the next letter of a word, and a space after its last, which chooses
// the first of the words that the input method offers.
func (y *typing) compose() {
	if y.word == "" {
		y.word = syllables[y.random.IntN(len(syllables))]
	}
	if y.composed < len(y.word) {
		y.keys(y.word[y.composed : y.composed+1])
		y.composed++
		return
	}
	y.keys("space")
	y.characters += 2
	y.word, y.composed = "", 0
}

// answerAll answers each question, in turn by a click and by its key, in the dialog and
// on the card. It returns how many letters and Chinese characters are neither in the
// composer nor sent.
func (y *typing) answerAll() (letters, characters int) {
	y.t.Helper()
	y.activate()
	composer := y.find(query{Role: "entry", Name: y.words.word("shell.composer.label")})
	letters, characters = y.letters, y.characters
	took := func(text string) {
		for _, r := range text {
			switch {
			case unicode.IsLower(r):
				letters--
			case unicode.Is(unicode.Han, r):
				characters--
			}
		}
	}
	took(composer.Text)
	for answered := range y.questions {
		open := y.left()
		// Escape left some to the window.
		err := screen.do("find", query{PID: y.cmd.Process.Pid, Role: "dialog", Name: runTitle}, 4, nil)
		if err == nil && answered%4 < 2 {
			y.answer(dialog{y.window, runTitle}, answered%2 == 0)
		} else {
			y.push(query{Role: "button", Has: taskOf(open[0])})
			y.find(y.card(open[0]))
			y.answerCard(open[0], answered%2 == 0)
		}
		eventually(y.t, "a command runs", patience, func() bool { return len(y.left()) < len(open) })
	}
	y.sees("I see.")
	eventually(y.t, "all is said", patience, func() bool { return len(y.model.Requests()) >= 2*y.questions })
	y.close()
	y.exits(patience)
	y.saved(took)
	return letters, characters
}

func (y *typing) answer(question dialog, click bool) {
	y.t.Helper()
	question.offers(approve)
	if click {
		y.click(question.within(query{Role: dialogButton, Name: approve}))
		return
	}
	question.activate()
	rest()
	for !question.has(query{Role: dialogButton, Name: approve, States: []string{"focused"}}) {
		y.keys("Tab")
	}
	y.keys("space")
}

func (y *typing) answerCard(n int, click bool) {
	y.t.Helper()
	y.activate()
	if card := y.card(n); click {
		y.click(query{Role: "button", Name: y.words.word("confirm.approve"), Within: &card, States: []string{"showing", "sensitive"}})
		return
	}
	rest()
	y.keys("F8", "alt+a")
}

// left are the questions whose commands have not run.
func (y *typing) left() (open []int) {
	for n := range y.questions {
		if !y.exists(fileOf(n)) {
			open = append(open, n)
		}
	}
	return open
}

// saved passes each message that was typed on, and each that waits.
func (y *typing) saved(each func(text string)) {
	saved, _, err := store.Open(y.t.Context(), store.Options{Folder: y.data, Redact: func(text []byte) []byte { return text }})
	y.must(err)
	defer func() { _ = saved.Close() }()
	sessions, err := saved.Sessions(y.t.Context(), "", store.All, 100)
	y.must(err)
	for _, session := range sessions {
		for _, prompt := range session.Queue {
			each(prompt.Text)
		}
		for _, one := range y.messages(saved, session.ID) {
			if one.Role == "user" && !strings.HasPrefix(one.Text(), "task ") {
				each(one.Text())
			}
		}
	}
}

package cli_test

import (
	"strings"
	"testing"
)

const guardPrompt = "[c]ontinue, [s]top, [k]eep waiting: "

func TestDOOM02_AGuardAsksAtTheTerminal(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		answers []string // what is typed, one at each prompt
		code    int
	}{
		{"continue", []string{"c\n"}, 0},
		{"continue in words", []string{" Continue \n"}, 0},
		{"stop", []string{"s\n"}, 5},
		{"keep waiting", []string{"k\n", "k\n", "c\n"}, 0},
		{"nothing decides by itself", []string{"\n", "y\n", "yes\n", "n\n", "cs\n", "s\n"}, 5},
		{"interrupt", []string{"\x03"}, 130},
		{"end of input", []string{"\x04"}, 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newPlace(t, looping).console()
			shown := c.sees(guardPrompt)
			const question = "! the same call of list_files came 3 times in a row\n" // of the call before
			if !strings.Contains(shown, question) ||
				!strings.HasSuffix(shown, "\n\n? the run repeats itself; may it go on\n  │ the same call of list_files came 4 times in a row\n"+guardPrompt) {
				t.Errorf("the question: %q", shown)
			}
			for i, answer := range test.answers {
				if i > 0 {
					c.sees(guardPrompt)
				}
				c.types(answer)
			}
			c.exits(test.code)
			if strings.Contains(c.screen(), "may the run go on") {
				t.Errorf("it is asked here and told of too: %q", c.screen())
			}
		})
	}
}

func TestDOOM02_AGuardIsNotAnsweredBeforeItAsks(t *testing.T) {
	t.Parallel()
	p := patient(t, looping)
	c := p.console()
	for range 3 {
		p.turn <- struct{}{}
	}
	c.sees("came 3 times in a row")
	c.types("c\nc\nc") // the last without Enter
	c.sees("c\nc\nc")  // it has reached the terminal
	p.turn <- struct{}{}
	c.sees(guardPrompt)
	c.types("\n")
	c.sees(guardPrompt)
	c.types("s\n")
	c.exits(5)
}

func TestDOOM02_AnUnansweredGuardStops(t *testing.T) {
	t.Parallel()
	c := newPlace(t, failing).console("--confirm-timeout", "300ms")
	c.sees("? nothing that the run tries succeeds; may it go on\n  │ every call failed in 3 rounds in a row\n")
	c.sees(guardPrompt)
	c.sees("  not answered in time: the run stops\n")
	c.exits(5)
}

package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"fairlead/backend/message"
)

// asker asks for a yes, each time to what was shown since the last question. Anything but a yes
// is a no.
type asker struct {
	streams Streams
	// yes answers every question with yes.
	yes bool

	in *bufio.Reader
	// lines counts those that were shown since the last question.
	lines int
}

func newAsker(streams Streams, yes bool) *asker {
	return &asker{streams: streams, yes: yes, in: bufio.NewReader(streams.In)}
}

// canAsk reports whether there is an answer to be had.
func (a *asker) canAsk() bool { return a.yes || a.streams.Terminal }

// say shows a text of Fairlead's own, with a line break at its end.
func (a *asker) say(format string, values ...any) {
	text := message.Visible(fmt.Sprintf(format, values...)) + "\n"
	a.lines += strings.Count(text, "\n")
	fmt.Fprint(a.streams.Err, text)
}

// quote shows a text that others wrote, whole, beside the gutter.
func (a *asker) quote(text string) {
	columns := 0
	if a.streams.Size != nil {
		columns, _ = a.streams.Size()
	}
	for _, row := range foldRows(message.Visible(text), columns) {
		a.lines++
		fmt.Fprint(a.streams.Err, gutter+row+"\n")
	}
}

// ask asks a question about what was shown.
func (a *asker) ask(question string) (bool, error) {
	if a.yes {
		a.say("%s yes", question)
		a.lines = 0
		return true, nil
	}
	if a.streams.Size != nil {
		if _, lines := a.streams.Size(); a.lines+1 > lines {
			a.say("%d lines above; scroll up and read them all before you answer", a.lines)
		}
	}
	a.lines = 0
	a.streams.Forget()
	if _, err := fmt.Fprintf(a.streams.Err, "%s [y/N] ", message.Visible(question)); err != nil {
		return false, err
	}
	line, err := a.in.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read the answer: %w", err)
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

package mcp

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"fairlead/backend/message"
)

const (
	// logLines is how many lines of a server are kept, and logLine how many bytes of each.
	logLines = 100
	logLine  = 500
)

// lines are the last lines that a server has written beside its messages.
type lines struct {
	mu   sync.Mutex
	kept []string
	// stray is the first line since a start that should have been a message.
	stray string
}

// begin notes that the server is started.
func (l *lines) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stray = ""
}

// addStray keeps a line that should have been a message.
func (l *lines) addStray(line string) {
	l.add("(on its standard output) " + line)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stray = cmp.Or(l.stray, line)
}

func (l *lines) firstStray() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stray
}

// add keeps a line, hidden characters visible.
func (l *lines) add(line string) {
	line = strings.TrimRight(line, "\r\n")
	if len(line) > logLine {
		cut := logLine
		for cut > 0 && !utf8.RuneStart(line[cut]) {
			cut--
		}
		line = line[:cut] + "…"
	}
	line = message.Inline(validText(line))
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) == logLines {
		l.kept = slices.Delete(l.kept, 0, 1)
	}
	l.kept = append(l.kept, line)
}

// last are the lines that were kept, the oldest first.
func (l *lines) last() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.kept)
}

// drain keeps the last lines of what is read, to its end. Of a long line only its beginning is held.
func (l *lines) drain(from io.Reader) {
	reader := bufio.NewReaderSize(from, 4096)
	for {
		line, err := reader.ReadSlice('\n')
		text := string(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = reader.ReadSlice('\n')
		}
		if text != "" {
			l.add(text)
		}
		if err != nil {
			return
		}
	}
}

package process

import (
	"errors"
	"io"
)

// errNoSpill says that a long output had nowhere to go.
var errNoSpill = errors.New("no place to keep a long output")

// spill takes the whole text of a long output. What goes wrong with it is kept
// and told, but does not disturb the command.
type spill struct {
	open    func() (io.WriteCloser, error)
	begun   bool
	file    io.WriteCloser
	written int64
	err     error
}

// openSpill opens the place and writes what came before.
func (s *spill) openSpill(before ...[]byte) {
	s.begun = true
	if s.open == nil {
		s.err = errNoSpill
		return
	}
	s.file, s.err = s.open()
	for _, text := range before {
		s.write(text)
	}
}

// write writes as much of the text as there is space for.
func (s *spill) write(text []byte) {
	if s.err != nil {
		return
	}
	space := SpillLimit - s.written
	full := int64(len(text)) > space
	if full {
		text = text[:space]
	}
	n, err := s.file.Write(text)
	s.written += int64(n)
	s.err = err
	if s.err == nil && full {
		s.err = ErrSpillFull
	}
}

// close closes the place if it was opened.
func (s *spill) close() {
	if s.file == nil {
		return
	}
	if err := s.file.Close(); s.err == nil {
		s.err = err
	}
}

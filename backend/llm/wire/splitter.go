package wire

import (
	"bytes"
	"errors"
	"io"
)

// maxEvent is the most one event may hold, in bytes. The largest honest ones are
// whole files as the arguments of one call.
const maxEvent = 16 << 20

// readSize is how much space a read is given, in bytes.
const readSize = 16 << 10

// errTooLong is an event beyond maxEvent.
var errTooLong = errors.New("an event of the stream is larger than 16 MiB")

var byteOrderMark = []byte("\ufeff")

// sseEvent is one event of a stream. Its data is valid until the next call.
type sseEvent struct {
	// data is the joined data lines.
	data []byte
	// failed says that the server calls the event an error: its type is error, or
	// its text came in the field error, which older llama.cpp servers use.
	failed bool
}

// splitter cuts a byte stream into server-sent events by the rules of the HTML
// standard (lines end in LF, CRLF or CR; comments are dropped; data lines are
// joined) with two liberties that real servers need: the last event counts
// without its blank line, and [DONE] ends a stream at once.
type splitter struct {
	source io.Reader
	// buf[at:] is what was read and not yet split; buf[at:seen] holds no line end.
	buf      []byte
	at, seen int
	// skipLF says that the line before ended in CR, so that LF belongs to it.
	skipLF bool
	// first says that no line was taken yet.
	first bool
	err   error

	data    []byte
	hasData bool
	failed  bool
}

func newSplitter(source io.Reader) *splitter {
	return &splitter{source: source, first: true}
}

// peek returns the first byte that is neither space nor byte order mark, without
// taking anything.
func (s *splitter) peek() (byte, error) {
	for {
		text := s.buf[s.at:]
		if !bytes.HasPrefix(byteOrderMark, text) || s.err != nil {
			text = bytes.TrimLeft(bytes.TrimPrefix(text, byteOrderMark), " \t\r\n")
			if len(text) > 0 {
				return text[0], nil
			}
		}
		if s.err != nil {
			return 0, s.err
		}
		s.read()
	}
}

// readRest returns everything up to the end of the stream.
func (s *splitter) readRest() ([]byte, error) {
	for s.err == nil {
		s.read()
	}
	if s.err != io.EOF {
		return nil, s.err
	}
	return bytes.TrimPrefix(s.buf[s.at:], byteOrderMark), nil
}

// next returns the next event that holds data, or io.EOF, or why reading failed.
func (s *splitter) next() (sseEvent, error) {
	s.data, s.hasData, s.failed = s.data[:0], false, false
	for {
		line, err := s.readLine()
		if err != nil && (err != io.EOF || !s.hasData) {
			return sseEvent{}, err
		}
		if err == nil && len(line) > 0 {
			s.readField(line)
			if len(s.data) > maxEvent {
				return sseEvent{}, errTooLong
			}
			if !isDone(s.data) {
				continue
			}
		}
		if len(bytes.TrimSpace(s.data)) > 0 {
			return sseEvent{data: s.data, failed: s.failed}, nil
		}
		s.data, s.hasData, s.failed = s.data[:0], false, false
	}
}

// isDone says that data ends in the line that ends every stream.
func isDone(data []byte) bool {
	line := data[bytes.LastIndexByte(data, '\n')+1:]
	return string(bytes.TrimSpace(line)) == "[DONE]"
}

// readField takes one line that is not blank into the event.
func (s *splitter) readField(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		s.failed = string(value) == "error"
		return
	case "error":
		s.failed = true
	case "data":
	default:
		return
	}
	if s.hasData {
		s.data = append(s.data, '\n')
	}
	s.data, s.hasData = append(s.data, value...), true
}

// readLine returns the next line without its end; the last one needs none.
func (s *splitter) readLine() ([]byte, error) {
	for {
		if s.skipLF && s.at < len(s.buf) {
			if s.buf[s.at] == '\n' {
				s.at++
			}
			s.skipLF = false
		}
		s.seen = max(s.seen, s.at)
		if i := lineEnd(s.buf[s.seen:]); i >= 0 {
			end := s.seen + i
			line := s.buf[s.at:end]
			s.skipLF = s.buf[end] == '\r'
			s.at, s.seen = end+1, end+1
			return s.trim(line), nil
		}
		s.seen = len(s.buf)
		if s.err == io.EOF && s.at < len(s.buf) {
			line := s.buf[s.at:]
			s.at = len(s.buf)
			return s.trim(line), nil
		}
		if s.err != nil {
			return nil, s.err
		}
		s.read()
	}
}

// trim takes the byte order mark off the first line.
func (s *splitter) trim(line []byte) []byte {
	if s.first {
		s.first = false
		return bytes.TrimPrefix(line, byteOrderMark)
	}
	return line
}

// lineEnd is the place of the first LF or CR, or -1.
func lineEnd(text []byte) int {
	lf := bytes.IndexByte(text, '\n')
	if lf >= 0 {
		text = text[:lf]
	}
	if cr := bytes.IndexByte(text, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

// read asks the source once for more.
func (s *splitter) read() {
	if s.at > 0 {
		s.buf = s.buf[:copy(s.buf, s.buf[s.at:])]
		s.seen, s.at = max(0, s.seen-s.at), 0
	}
	if len(s.buf) > maxEvent {
		s.err = errTooLong
		return
	}
	if cap(s.buf)-len(s.buf) < readSize {
		s.buf = append(make([]byte, 0, 2*cap(s.buf)+readSize), s.buf...)
	}
	n, err := s.source.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf, s.err = s.buf[:len(s.buf)+n], err
}

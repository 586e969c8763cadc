package protocol

import (
	"encoding/json"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

const (
	whiteSpace = " \t\r\n"
	fenceMark  = "```"
)

// scanner reads a text for calls. It goes forward only, past what could not be read
// too, so that it takes time in proportion to the text whatever stands in it, and
// does not look for calls inside of what it has read as something else.
type scanner struct {
	text string
	// at is how far the text is read, in bytes.
	at    int
	tools []llm.Tool
	// family are the forms that count; 0 for all.
	family llm.Marks
	// inFence says that a fence was opened that holds no call.
	inFence bool
	// mending is how many bytes of malformed JSON may still be repaired.
	mending int
}

// next moves behind the next opening. It returns where that begins, and what reads the
// form that it opens: nil at the end of the text.
func (s *scanner) next() (read func(*scanner) []message.Call, begin int) {
	for ; !s.atEnd(); s.at++ {
		// Every opening begins with one of these.
		ahead := strings.IndexAny(s.text[s.at:], "<[`c")
		if ahead < 0 {
			break
		}
		s.at += ahead
		begin = s.at
		for _, form := range writtenForms {
			if (s.family == 0 || form.family&s.family != 0) && s.skipMark(form.opening) {
				return form.read, begin
			}
		}
	}
	return nil, len(s.text)
}

func (s *scanner) atEnd() bool {
	return s.at >= len(s.text)
}

func (s *scanner) isNext(mark string) bool {
	return strings.HasPrefix(s.text[s.at:], mark)
}

// skipMark moves behind mark, when that comes next.
func (s *scanner) skipMark(mark string) bool {
	if !s.isNext(mark) {
		return false
	}
	s.at += len(mark)
	return true
}

// skipLater moves behind mark, when only white space comes before it.
func (s *scanner) skipLater(mark string) {
	begin := s.at
	if s.skipSpace(); !s.skipMark(mark) {
		s.at = begin
	}
}

// skipAll moves behind the run of these characters.
func (s *scanner) skipAll(characters string) {
	s.at = len(s.text) - len(strings.TrimLeft(s.text[s.at:], characters))
}

func (s *scanner) skipSpace() {
	s.skipAll(whiteSpace)
}

// skipWrapping moves behind white space, and behind the fences that some models put
// around the JSON inside of tags.
func (s *scanner) skipWrapping() {
	for s.skipSpace(); s.skipMark(fenceMark); s.skipSpace() {
		s.skipMark("json")
	}
}

// upTo moves to the first of the marks, or to the end of the text.
func (s *scanner) upTo(marks ...string) {
	for ; !s.atEnd(); s.at++ {
		for _, mark := range marks {
			if s.isNext(mark) {
				return
			}
		}
	}
}

// readName reads the name of a tool; empty for none.
func (s *scanner) readName() string {
	begin := s.at
	s.skipAll("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/")
	return s.text[begin:s.at]
}

// readValue reads a JSON object or array.
func (s *scanner) readValue() (json.RawMessage, bool) {
	if !s.isNext("{") && !s.isNext("[") {
		return nil, false
	}
	var value json.RawMessage
	decoder := json.NewDecoder(strings.NewReader(s.text[s.at:]))
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	s.at += int(decoder.InputOffset())
	return value, true
}

// repairText repairs malformed JSON as far as the text may still be repaired.
func (s *scanner) repairText(text string) json.RawMessage {
	text = strings.TrimSpace(text)
	if len(text) > s.mending {
		return nil
	}
	s.mending -= len(text)
	return RepairJSON(text)
}

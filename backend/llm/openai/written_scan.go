package openai

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
	// inFence says that a fence was opened that holds no call.
	inFence bool
	// mending is how many bytes of malformed JSON may still be repaired.
	mending int
}

// next moves behind the next opening. It returns where that begins, and what reads the
// form that it opens: nil at the end of the text.
func (s *scanner) next() (read func(*scanner) []message.Call, begin int) {
	for ; !s.ended(); s.at++ {
		// Every opening begins with one of these.
		ahead := strings.IndexAny(s.text[s.at:], "<[`")
		if ahead < 0 {
			break
		}
		s.at += ahead
		begin = s.at
		for _, form := range writtenForms {
			if s.skip(form.opening) {
				return form.read, begin
			}
		}
	}
	return nil, len(s.text)
}

func (s *scanner) ended() bool {
	return s.at >= len(s.text)
}

func (s *scanner) ahead(mark string) bool {
	return strings.HasPrefix(s.text[s.at:], mark)
}

// skip moves behind mark, when that comes next.
func (s *scanner) skip(mark string) bool {
	if !s.ahead(mark) {
		return false
	}
	s.at += len(mark)
	return true
}

// skipLater moves behind mark, when only white space comes before it.
func (s *scanner) skipLater(mark string) {
	begin := s.at
	if s.space(); !s.skip(mark) {
		s.at = begin
	}
}

// all moves behind the run of these characters.
func (s *scanner) all(characters string) {
	s.at = len(s.text) - len(strings.TrimLeft(s.text[s.at:], characters))
}

func (s *scanner) space() {
	s.all(whiteSpace)
}

// wrapping moves behind white space, and behind the fences that some models put
// around the JSON inside of tags.
func (s *scanner) wrapping() {
	for s.space(); s.skip(fenceMark); s.space() {
		s.skip("json")
	}
}

// upTo moves to the first of the marks, or to the end of the text.
func (s *scanner) upTo(marks ...string) {
	for ; !s.ended(); s.at++ {
		for _, mark := range marks {
			if s.ahead(mark) {
				return
			}
		}
	}
}

// name reads the name of a tool; empty for none.
func (s *scanner) name() string {
	begin := s.at
	s.all("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/")
	return s.text[begin:s.at]
}

// value reads a JSON object or array.
func (s *scanner) value() (json.RawMessage, bool) {
	if !s.ahead("{") && !s.ahead("[") {
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

// mend repairs malformed JSON as far as the text may still be repaired.
func (s *scanner) mend(text string) json.RawMessage {
	text = strings.TrimSpace(text)
	if len(text) > s.mending {
		return nil
	}
	s.mending -= len(text)
	return repair(text)
}

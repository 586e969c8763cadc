package protocol

import (
	"encoding/json"
	"strings"

	"fairlead/backend/message"
)

// readDSML reads the calls of DeepSeek since V3.2, whose tags all have the same prefix. The
// section around them has two names, and is often missing.
func readDSML(prefix string) func(*scanner) []message.Call {
	return func(s *scanner) []message.Call {
		for _, section := range []string{"function_calls", "tool_calls"} {
			if s.skipMark(section + ">") {
				return s.readInvokes(prefix, "</"+prefix+section+">")
			}
		}
		s.at -= len("<" + prefix)
		calls := s.readInvokes(prefix, "")
		if len(calls) == 0 {
			s.at += len("<" + prefix) // the opening is read, or it would be found again
		}
		return calls
	}
}

// readMiniMax reads the calls of MiniMax.
func readMiniMax(s *scanner) []message.Call {
	return s.readInvokes("", "</minimax:tool_call>")
}

// readSeed reads a call of Seed, which is Qwen's in tags of its own.
func readSeed(s *scanner) []message.Call {
	if s.skipSpace(); !s.skipMark(functionOpen) {
		return nil
	}
	calls := readFunction(s)
	if len(calls) > 0 {
		s.skipLater("</seed:tool_call>")
	}
	return calls
}

// readInvokes reads <invoke name="NAME"> with its parameters, one or several, and the
// closing tag behind them, where it is there.
func (s *scanner) readInvokes(prefix, closing string) []message.Call {
	var calls []message.Call
	for {
		end := s.at
		if s.skipSpace(); !s.skipMark("<" + prefix + `invoke name="`) {
			s.at = end
			break
		}
		call := s.readInvoke(prefix)
		if call == nil {
			return nil
		}
		calls = append(calls, *call)
	}
	if len(calls) > 0 && closing != "" {
		s.skipLater(closing)
	}
	return calls
}

// readInvoke reads one call from behind the quote that opens its name; nil where it is not
// whole.
func (s *scanner) readInvoke(prefix string) *message.Call {
	name, ok := s.readQuoted()
	if !ok || name == "" || !s.skipMark(">") {
		return nil
	}
	texts := textParameters(s.tools, name)
	begin := s.at
	var object objectWriter
	for {
		s.skipSpace()
		end := s.at
		if s.skipMark("</" + prefix + "invoke>") {
			call := s.namedCall(name, object.String())[0]
			call.Raw = s.text[begin:end]
			return &call
		}
		key, value, ok := s.readInvokeParameter(prefix, texts)
		if !ok || !object.add(key, value) {
			return nil
		}
	}
}

// readInvokeParameter reads one parameter. DeepSeek says of each whether it is a string;
// else the schema of the tool says it.
func (s *scanner) readInvokeParameter(prefix string, texts map[string]bool) (key string, value json.RawMessage, ok bool) {
	if !s.skipMark("<" + prefix + `parameter name="`) {
		return "", nil, false
	}
	if key, ok = s.readQuoted(); !ok || key == "" {
		return "", nil, false
	}
	text := texts[key]
	switch {
	case s.skipMark(` string="true"`):
		text = true
	case s.skipMark(` string="false"`):
		text = false
	}
	if !s.skipMark(">") {
		return "", nil, false
	}
	begin := s.at
	closing := "</" + prefix + "parameter>"
	for s.upTo(closing); !s.atEnd(); s.upTo(closing) {
		end := s.at
		s.skipMark(closing)
		after := strings.TrimLeft(s.text[s.at:], whiteSpace)
		// Another closing tag is one that the value holds.
		if strings.HasPrefix(after, "<"+prefix+"parameter ") || strings.HasPrefix(after, "</"+prefix+"invoke>") {
			return key, argumentJSON(s.text[begin:end], text), true
		}
	}
	return "", nil, false
}

// readQuoted reads up to the closing quote, which is on the same line.
func (s *scanner) readQuoted() (string, bool) {
	length := strings.IndexAny(s.text[s.at:], "\"\n")
	if length < 0 || s.text[s.at+length] != '"' {
		return "", false
	}
	text := s.text[s.at : s.at+length]
	s.at += length + 1
	return text, true
}

// readHarmony reads a call of gpt-oss from behind "functions.": its name, the marks of its
// content type, and its arguments.
func readHarmony(s *scanner) []message.Call {
	name := s.readName()
	for s.skipSpace(); ; s.skipSpace() {
		if !s.skipMark("<|constrain|>") && !s.skipMark("<|message|>") && !s.skipMark("<|channel|>") &&
			!s.skipMark("commentary") && !s.skipMark("json") && !s.skipMark("code") {
			break
		}
	}
	if name == "" || !s.isNext("{") {
		return nil
	}
	value, ok := s.readValue()
	if !ok {
		return nil
	}
	s.skipLater("<|call|>")
	return s.namedCall(name, string(value))
}

package protocol

import (
	"encoding/json"
	"slices"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// readObjects reads JSON objects, or arrays of them, that white space or semicolons
// divide. Unless every one of them stands for calls there are none. tagged says that
// tags around them tell that calls are meant.
func (s *scanner) readObjects(tagged bool) []message.Call {
	var calls []message.Call
	whole := true
	for {
		end := s.at
		s.skipAll(whiteSpace + ";")
		value, ok := s.readValue()
		if !ok {
			s.at = end
			break
		}
		if !whole {
			continue // read, so that nothing looks for calls inside
		}
		meant := s.callsOf(value, tagged)
		whole = len(meant) > 0
		calls = append(calls, meant...)
	}
	if !whole {
		return nil
	}
	return calls
}

// callsOf returns the calls that an object or an array of objects stands for; nil when
// any of it is something else.
func (s *scanner) callsOf(value json.RawMessage, tagged bool) []message.Call {
	var objects []json.RawMessage
	if value[0] == '{' {
		objects = append(objects, value)
	} else if json.Unmarshal(value, &objects) != nil {
		return nil
	}
	calls := make([]message.Call, 0, len(objects))
	for _, object := range objects {
		d, ok := readDescription(object, true)
		if !ok {
			return nil
		}
		if tagged {
			calls = append(calls, s.namedCall(d.name, d.arguments)...)
			continue
		}
		c := NewCall("", d.name, d.arguments, false)
		if d.more || c.Arguments == nil || !s.isOffered(d.name) {
			return nil
		}
		c.Written = true
		calls = append(calls, c)
	}
	return calls
}

// namedCall makes the call of a tool that tags name.
func (s *scanner) namedCall(name, raw string) []message.Call {
	c := NewCall("", name, raw, len(raw) <= s.mending)
	if c.Repaired || c.Arguments == nil {
		s.mending -= min(len(raw), s.mending)
	}
	c.Written = true
	return []message.Call{c}
}

// repairedCalls makes the calls of malformed JSON that can be repaired.
func (s *scanner) repairedCalls(raw string) []message.Call {
	value := s.repairText(raw)
	if value == nil {
		return nil
	}
	calls := s.callsOf(value, true)
	for i := range calls {
		calls[i].Raw, calls[i].Repaired = raw, calls[i].Arguments != nil
	}
	return calls
}

// readArguments reads the JSON arguments of a call whose name is known, up to its closing
// mark. The mark may be missing at the end of the text only. Arguments that are
// malformed make a call that has none: the model hears of it.
func (s *scanner) readArguments(name, opening, closing string) []message.Call {
	begin := s.at
	s.skipWrapping()
	if value, ok := s.readValue(); ok {
		s.skipWrapping()
		if s.skipMark(closing) || s.atEnd() {
			return s.namedCall(name, string(value))
		}
	}
	s.upTo(opening, closing)
	raw := s.text[begin:s.at]
	if !s.skipMark(closing) {
		return nil
	}
	return s.namedCall(name, raw)
}

func (s *scanner) isOffered(name string) bool {
	return slices.ContainsFunc(s.tools, func(t llm.Tool) bool { return t.Name == name })
}

// description is what a JSON object says of a call.
type description struct {
	name, arguments string
	// more says that it says other things too.
	more bool
}

// readDescription reads the object of a call. Models use several words for its name and for
// its arguments; two for the same thing make it no call. nested says that the two may
// stand in an object of their own.
func readDescription(object json.RawMessage, nested bool) (d description, ok bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(object, &fields) != nil {
		return d, false
	}
	var names, arguments []json.RawMessage
	for key, value := range fields {
		switch key {
		case "name", "tool", "tool_name", "function":
			names = append(names, value)
		case "arguments", "parameters", "args", "input":
			arguments = append(arguments, value)
		case "id", "type":
		default:
			d.more = true
		}
	}
	if len(names) != 1 || len(arguments) > 1 {
		return d, false
	}
	if nested && names[0][0] == '{' && len(arguments) == 0 {
		inner, ok := readDescription(names[0], false)
		inner.more = inner.more || d.more
		return inner, ok
	}
	if json.Unmarshal(names[0], &d.name) != nil || d.name == "" {
		return d, false
	}
	if len(arguments) == 1 {
		d.arguments = plainJSON(arguments[0])
	}
	return d, true
}

// plainJSON is the JSON that a text holds, or value itself when it is no text.
func plainJSON(value json.RawMessage) string {
	var text string
	if value[0] == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

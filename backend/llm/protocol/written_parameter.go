package protocol

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// parameterMarks are the tags of a form that gives every argument on its own.
type parameterMarks struct {
	// open and named stand around the name of an argument.
	open, named string
	// value and end stand around its value; value is empty where the name's tag opens
	// the value too.
	value, end string
	// closing ends the call.
	closing string
}

var (
	qwenParameters = parameterMarks{open: "<parameter=", named: ">", end: "</parameter>", closing: functionClose}
	glmParameters  = parameterMarks{open: "<arg_key>", named: "</arg_key>", value: "<arg_value>", end: "</arg_value>", closing: toolCallClose}
)

// readParameters reads the arguments of a call and its closing tag, without which it is
// not whole. An argument that is there twice makes it no call.
func (s *scanner) readParameters(name string, marks parameterMarks) []message.Call {
	texts := textParameters(s.tools, name)
	begin, end := s.at, s.at
	var object objectWriter
	for ; !s.skipMark(marks.closing); end = s.at {
		key, value, ok := s.readParameter(marks)
		if !ok || !object.add(key, argumentJSON(value, texts[key])) {
			return nil
		}
		s.skipSpace()
	}
	calls := s.namedCall(name, object.String())
	calls[0].Raw = s.text[begin:end]
	return calls
}

// objectWriter writes a JSON object member by member.
type objectWriter struct {
	members bytes.Buffer
	seen    map[string]bool
}

// add reports whether a member was added: none may be there twice.
func (w *objectWriter) add(key string, value json.RawMessage) bool {
	if w.seen[key] {
		return false
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	} else {
		w.members.WriteByte(',')
	}
	w.seen[key] = true
	w.members.Write(MustEncode(key))
	w.members.WriteByte(':')
	w.members.Write(value)
	return true
}

// String is the object.
func (w *objectWriter) String() string { return "{" + w.members.String() + "}" }

// readParameter reads one argument.
func (s *scanner) readParameter(marks parameterMarks) (key, value string, ok bool) {
	if !s.skipMark(marks.open) {
		return "", "", false
	}
	begin := s.at
	s.upTo(marks.named, "<", "\n")
	key = strings.TrimSpace(s.text[begin:s.at])
	if key == "" || !s.skipMark(marks.named) {
		return "", "", false
	}
	if marks.value != "" {
		if s.skipSpace(); !s.skipMark(marks.value) {
			return "", "", false
		}
	}
	value, ok = s.readUntilEnd(marks)
	return key, value, ok
}

// readUntilEnd reads a value up to the end tag that another argument or the end of the call
// follows: others belong to a text that speaks of such tags.
func (s *scanner) readUntilEnd(marks parameterMarks) (string, bool) {
	begin := s.at
	for {
		s.upTo(marks.end)
		end := s.at
		if !s.skipMark(marks.end) {
			return "", false
		}
		if s.skipSpace(); s.isNext(marks.open) || s.isNext(marks.closing) {
			return s.text[begin:end], true
		}
	}
}

// argumentJSON is the JSON of a value that was written without: the text where text says
// that one is wanted, else the JSON that it is, else text. The line breaks that set a
// value off from its tags are no part of it.
func argumentJSON(value string, text bool) []byte {
	inner, opened := strings.CutPrefix(value, "\n")
	if inner, closed := strings.CutSuffix(inner, "\n"); opened && (closed || inner == "") {
		value = inner
	}
	if trimmed := bytes.TrimSpace([]byte(value)); !text && json.Valid(trimmed) {
		return trimmed
	}
	return MustEncode(value)
}

// textParameters are the parameters for which the schema of a tool wants a text.
func textParameters(tools []llm.Tool, name string) map[string]bool {
	at := slices.IndexFunc(tools, func(t llm.Tool) bool { return t.Name == name })
	if at < 0 {
		return nil
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(tools[at].Parameters, &schema) != nil {
		return nil
	}
	texts := map[string]bool{}
	for key, property := range schema.Properties {
		var wanted struct {
			Type any `json:"type"`
		}
		if json.Unmarshal(property, &wanted) != nil {
			continue // it takes anything, or nothing
		}
		types, _ := wanted.Type.([]any)
		texts[key] = wanted.Type == "string" || slices.Contains(types, any("string"))
	}
	return texts
}

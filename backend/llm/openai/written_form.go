package openai

import (
	"strings"

	"fairlead/backend/message"
)

// The marks of the forms that are used in more than one place.
const (
	toolCallOpen  = "<tool_call>"
	toolCallClose = "</tool_call>"
	functionOpen  = "<function="
	functionClose = "</function>"

	kimiCall = "<|tool_call_begin|>"

	deepSeekCall = "<｜tool▁call▁begin｜>"
)

// writtenForms are the forms in which models write calls: the text that opens one, and
// what reads it from behind that. A reader returns nil for what it cannot read.
var writtenForms = []struct {
	opening string
	read    func(*scanner) []message.Call
}{
	{toolCallOpen, toolCall},
	{"<tool_calls>", objectsIn("<tool_calls>", "</tool_calls>")},
	{"<function_call>", objectsIn("<function_call>", "</function_call>")},
	{functionOpen, function},
	{"<|python_tag|>", pythonTag},
	{"[TOOL_CALLS]", mistral},
	{"<|tool_calls_section_begin|>", section(kimiCall, kimi)},
	{kimiCall, kimi},
	{"<｜tool▁calls▁begin｜>", section(deepSeekCall, deepSeek)},
	{deepSeekCall, deepSeek},
	{fenceMark, fence},
}

// toolCall reads what is inside of <tool_call>: the JSON of Hermes and Qwen, the
// function of Qwen3-Coder, or GLM's name and arguments.
func toolCall(s *scanner) []message.Call {
	s.space()
	if s.skip(functionOpen) {
		return function(s)
	}
	if name := s.name(); name != "" {
		if s.space(); s.ahead(toolCallClose) && !s.offered(name) {
			return nil // a word between tags, in a text that speaks of them
		}
		return s.parameters(name, glmParameters)
	}
	return objectsIn(toolCallOpen, toolCallClose)(s)
}

// objectsIn reads JSON inside of a tag. The closing tag may be missing at the end of
// the text, or before another such tag.
func objectsIn(opening, closing string) func(*scanner) []message.Call {
	return func(s *scanner) []message.Call {
		begin := s.at
		s.wrapping()
		calls := s.objects(true)
		s.wrapping()
		if len(calls) > 0 && (s.skip(closing) || s.ended() || s.ahead(opening)) {
			return calls
		}
		s.upTo(opening, closing)
		raw := s.text[begin:s.at]
		if !s.skip(closing) {
			return nil
		}
		return s.mended(raw)
	}
}

// function reads <function=NAME> with the JSON of Llama or the parameters of
// Qwen3-Coder, who writes it inside of a <tool_call> that it does not always open.
func function(s *scanner) []message.Call {
	name := s.name()
	if name == "" || !s.skip(">") {
		return nil
	}
	s.space()
	var calls []message.Call
	if s.ahead(qwenParameters.open) || s.ahead(functionClose) {
		calls = s.parameters(name, qwenParameters)
	} else {
		calls = s.arguments(name, functionOpen, functionClose)
	}
	if len(calls) > 0 {
		s.skipLater(toolCallClose)
	}
	return calls
}

// pythonTag reads the objects that Llama writes behind its tag.
func pythonTag(s *scanner) []message.Call {
	return s.objects(true)
}

// mistral reads an array of calls, or a name and its arguments.
func mistral(s *scanner) []message.Call {
	s.space()
	name := s.name()
	if name == "" {
		return s.objects(true)
	}
	if s.skip("[CALL_ID]") {
		s.name()
	}
	s.skip("[ARGS]")
	s.space()
	if !s.ahead("{") {
		return nil
	}
	value, ok := s.value()
	if !ok {
		return nil
	}
	return s.call(name, string(value))
}

// section reads the first call of a section that holds calls; the others are found by
// their own openings.
func section(opening string, read func(*scanner) []message.Call) func(*scanner) []message.Call {
	return func(s *scanner) []message.Call {
		s.space()
		if !s.skip(opening) {
			return nil
		}
		return read(s)
	}
}

// kimi reads a call whose id holds the name: functions.NAME:0.
func kimi(s *scanner) []message.Call {
	s.space()
	name := strings.TrimPrefix(s.name(), "functions.")
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		name = name[:at]
	}
	s.space()
	if name == "" || !s.skip("<|tool_call_argument_begin|>") {
		return nil
	}
	calls := s.arguments(name, kimiCall, "<|tool_call_end|>")
	if len(calls) > 0 {
		s.skipLater("<|tool_calls_section_end|>")
	}
	return calls
}

// deepSeek reads a call of DeepSeek: its type, its name and fenced arguments, or only
// name and arguments.
func deepSeek(s *scanner) []message.Call {
	s.space()
	name := s.name()
	if name == "" || !s.skip("<｜tool▁sep｜>") {
		return nil
	}
	if second := s.name(); second != "" {
		name = second
	}
	calls := s.arguments(name, deepSeekCall, "<｜tool▁call▁end｜>")
	if len(calls) > 0 {
		s.skipLater("<｜tool▁calls▁end｜>")
	}
	return calls
}

// fence reads calls in a code fence, when it is one for JSON and holds nothing else.
// The fence that closes another opens none.
func fence(s *scanner) []message.Call {
	s.all("`")
	language := strings.ToLower(s.name())
	if s.inFence && language == "" {
		s.inFence = false
		return nil
	}
	s.inFence = true
	switch language {
	case "", "json", "tool_call", "tool_code":
	default:
		return nil
	}
	calls := s.objects(false)
	if s.space(); !s.skip(fenceMark) {
		return nil
	}
	s.all("`")
	s.inFence = false
	return calls
}

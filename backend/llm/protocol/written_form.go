package protocol

import (
	"strings"

	"fairlead/backend/llm"
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

// writtenForms are the forms in which models write calls: the text that opens one, the
// families whose own form it is, and what reads it from behind the opening. A reader
// returns nil for what it cannot read.
var writtenForms = []struct {
	opening string
	family  llm.Marks
	read    func(*scanner) []message.Call
}{
	{toolCallOpen, llm.MarkToolCall, toolCall},
	{"<tool_calls>", 0, objectsIn("<tool_calls>", "</tool_calls>")},
	{"<function_call>", 0, objectsIn("<function_call>", "</function_call>")},
	{functionOpen, llm.MarkFunction, readFunction},
	{"<|python_tag|>", llm.MarkPython, pythonTag},
	{"[TOOL_CALLS]", llm.MarkMistral, readMistral},
	{"<|tool_calls_section_begin|>", llm.MarkKimi, readSection(kimiCall, readKimi)},
	{kimiCall, llm.MarkKimi, readKimi},
	{"<｜tool▁calls▁begin｜>", llm.MarkDeepSeek, readSection(deepSeekCall, deepSeek)},
	{deepSeekCall, llm.MarkDeepSeek, deepSeek},
	{"<｜DSML｜", llm.MarkDSML, readDSML("｜DSML｜")},
	{"<｜｜DSML｜｜", llm.MarkDSML, readDSML("｜｜DSML｜｜")},
	{"<‖DSML‖", llm.MarkDSML, readDSML("‖DSML‖")},
	{"<|DSML|", llm.MarkDSML, readDSML("|DSML|")},
	{"<minimax:tool_call>", llm.MarkMiniMax, readMiniMax},
	{"<seed:tool_call>", llm.MarkSeed, readSeed},
	{"<|channel|>commentary to=functions.", llm.MarkHarmony, readHarmony},
	{"<|start|>assistant to=functions.", llm.MarkHarmony, readHarmony},
	{"commentary to=functions.", llm.MarkHarmony, readHarmony},
	{fenceMark, 0, readFence},
}

// toolCall reads what is inside of <tool_call>: the JSON of Hermes and Qwen, the
// function of Qwen3-Coder, or GLM's name and arguments.
func toolCall(s *scanner) []message.Call {
	s.skipSpace()
	if s.skipMark(functionOpen) {
		return readFunction(s)
	}
	if name := s.readName(); name != "" {
		if s.skipSpace(); s.isNext(toolCallClose) && !s.isOffered(name) {
			return nil // a word between tags, in a text that speaks of them
		}
		return s.readParameters(name, glmParameters)
	}
	return objectsIn(toolCallOpen, toolCallClose)(s)
}

// objectsIn reads JSON inside of a tag. The closing tag may be missing at the end of
// the text, or before another such tag.
func objectsIn(opening, closing string) func(*scanner) []message.Call {
	return func(s *scanner) []message.Call {
		begin := s.at
		s.skipWrapping()
		calls := s.readObjects(true)
		s.skipWrapping()
		if len(calls) > 0 && (s.skipMark(closing) || s.atEnd() || s.isNext(opening)) {
			return calls
		}
		s.upTo(opening, closing)
		raw := s.text[begin:s.at]
		if !s.skipMark(closing) {
			return nil
		}
		return s.repairedCalls(raw)
	}
}

// readFunction reads <function=NAME> with the JSON of Llama or the parameters of
// Qwen3-Coder, who writes it inside of a <tool_call> that it does not always open.
func readFunction(s *scanner) []message.Call {
	name := s.readName()
	if name == "" || !s.skipMark(">") {
		return nil
	}
	s.skipSpace()
	var calls []message.Call
	if s.isNext(qwenParameters.open) || s.isNext(functionClose) {
		calls = s.readParameters(name, qwenParameters)
	} else {
		calls = s.readArguments(name, functionOpen, functionClose)
	}
	if len(calls) > 0 {
		s.skipLater(toolCallClose)
	}
	return calls
}

// pythonTag reads the objects that Llama writes behind its tag.
func pythonTag(s *scanner) []message.Call {
	return s.readObjects(true)
}

// readMistral reads an array of calls, or a name and its arguments.
func readMistral(s *scanner) []message.Call {
	s.skipSpace()
	name := s.readName()
	if name == "" {
		return s.readObjects(true)
	}
	if s.skipMark("[CALL_ID]") {
		s.readName()
	}
	s.skipMark("[ARGS]")
	s.skipSpace()
	if !s.isNext("{") {
		return nil
	}
	value, ok := s.readValue()
	if !ok {
		return nil
	}
	return s.namedCall(name, string(value))
}

// readSection reads the first call of a section that holds calls; the others are found by
// their own openings.
func readSection(opening string, read func(*scanner) []message.Call) func(*scanner) []message.Call {
	return func(s *scanner) []message.Call {
		s.skipSpace()
		if !s.skipMark(opening) {
			return nil
		}
		return read(s)
	}
}

// readKimi reads a call whose id holds the name: functions.NAME:0.
func readKimi(s *scanner) []message.Call {
	s.skipSpace()
	name := strings.TrimPrefix(s.readName(), "functions.")
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		name = name[:at]
	}
	s.skipSpace()
	if name == "" || !s.skipMark("<|tool_call_argument_begin|>") {
		return nil
	}
	calls := s.readArguments(name, kimiCall, "<|tool_call_end|>")
	if len(calls) > 0 {
		s.skipLater("<|tool_calls_section_end|>")
	}
	return calls
}

// deepSeek reads a call of DeepSeek: its type, its name and fenced arguments, or only
// name and arguments.
func deepSeek(s *scanner) []message.Call {
	s.skipSpace()
	name := s.readName()
	if name == "" || !s.skipMark("<｜tool▁sep｜>") {
		return nil
	}
	if second := s.readName(); second != "" {
		name = second
	}
	calls := s.readArguments(name, deepSeekCall, "<｜tool▁call▁end｜>")
	if len(calls) > 0 {
		s.skipLater("<｜tool▁calls▁end｜>")
	}
	return calls
}

// readFence reads calls in a code fence, when it is one for JSON and holds nothing else.
// The fence that closes another opens none.
func readFence(s *scanner) []message.Call {
	s.skipAll("`")
	language := strings.ToLower(s.readName())
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
	calls := s.readObjects(false)
	if s.skipSpace(); !s.skipMark(fenceMark) {
		return nil
	}
	s.skipAll("`")
	s.inFence = false
	return calls
}

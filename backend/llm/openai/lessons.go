package openai

import (
	"slices"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
)

// lessons are tried in order; the first that changes something is learned. The
// wordings are those of the providers as far as they were recorded.
var lessons = []protocol.Lesson[sending]{
	{
		Name: "no_usage_option", Words: []string{"stream_options"},
		Teach: func(s *sending) { s.dialect.NoUsageOption = true },
	},
	{
		Name: "max_completion_tokens", Words: []string{"max_tokens", "max_completion_tokens"},
		OneOf: []string{"instead"},
		Teach: func(s *sending) { s.dialect.MaxTokens = "max_completion_tokens" },
	},
	{
		Name: "max_tokens", Words: []string{"max_completion_tokens"},
		OneOf: protocol.Refused,
		Teach: func(s *sending) { s.dialect.MaxTokens = "max_tokens" },
	},
	{
		Name: "effort_none", Words: []string{"reasoning_effort", "none"},
		OneOf: []string{"/v1/responses"},
		Teach: func(s *sending) {
			s.dialect.Effort, s.effort = llm.EffortField, llm.EffortOff
		},
	},
	{
		Name: "no_effort", Words: []string{"reasoning_effort"},
		OneOf: protocol.Refused,
		Teach: func(s *sending) { s.dialect.Effort = llm.EffortNone },
	},
	{
		Name: "no_thinking", Words: []string{"does not support thinking"},
		Teach: func(s *sending) { s.dialect.Effort = llm.EffortNone },
	},
	{
		Name: "fixed_temperature", Words: []string{"temperature"},
		OneOf: append(slices.Clone(protocol.Refused), "only 1 is", "deprecated"),
		Teach: func(s *sending) { s.dialect.FixedTemperature = true },
	},
	{
		Name: "no_parallel_flag", Words: []string{"parallel_tool_calls"},
		Teach: func(s *sending) { s.dialect.ParallelFlag = false },
	},
	{
		Name: "echo_reasoning", Words: []string{"reasoning_content"},
		OneOf: []string{"must be passed back", "is missing"},
		Teach: func(s *sending) { s.dialect.Echo = llm.EchoContent },
	},
	{
		Name: "no_echo", Words: []string{"reasoning_content"},
		OneOf: protocol.Refused,
		Teach: func(s *sending) { s.dialect.Echo = llm.EchoNone },
	},
	{
		Name: "no_details", Words: []string{"reasoning_details"},
		OneOf: protocol.Refused,
		Teach: func(s *sending) { s.dialect.Echo = llm.EchoNone },
	},
	{
		Name: "signatures", Words: []string{"thought_signature", "missing"},
		Teach: func(s *sending) { s.dialect.Signatures = true },
	},
	{
		Name: "no_signatures", Words: []string{"extra_content"},
		OneOf: protocol.Refused,
		Teach: func(s *sending) { s.dialect.Signatures = false },
	},
	{
		Name: "nine_letter_ids", Words: []string{"tool call id", "length of 9"},
		Teach: func(s *sending) { s.dialect.CallIDs = llm.NineID },
	},
	{
		Name: "plain_ids", Words: []string{"tool_use.id"},
		Teach: func(s *sending) { s.dialect.CallIDs = llm.PlainID },
	},
	{
		Name: "plain_ids_length", Words: []string{"tool_calls", ".id", "too long"},
		Teach: func(s *sending) { s.dialect.CallIDs = llm.PlainID },
	},
	{
		Name: "only_auto_choice", Words: []string{"tool_choice"},
		Teach: func(s *sending) { s.dialect.OnlyAuto = true },
	},
	{
		Name: "no_system_role", Words: []string{"system"},
		OneOf: []string{"role not supported", "does not support system", "system role", "only user and assistant roles"},
		Teach: func(s *sending) {
			s.dialect.NoSystemRole = true
		},
	},
	{
		Name: "take_turns", Words: []string{"role"},
		OneOf: []string{"must alternate", "after role 'tool'"},
		Teach: func(s *sending) { s.dialect.TakeTurns = true },
	},
	{
		Name: "take_turns_alternating", Words: []string{"alternat"},
		OneOf: []string{"user or tool message", "user and assistant"},
		Teach: func(s *sending) { s.dialect.TakeTurns = true },
	},
	{
		Name: "plain_schemas_gemini", Words: []string{"function_declarations"},
		OneOf: []string{"unknown name", "cannot start list"},
		Teach: func(s *sending) { s.dialect.PlainSchemas = true },
	},
	{
		Name: "plain_schemas_closed", Words: []string{"additionalproperties"},
		Teach: func(s *sending) { s.dialect.PlainSchemas = true },
	},
	{
		Name: "plain_schemas_grammar", Words: []string{"failed to parse grammar"},
		Teach: func(s *sending) { s.dialect.PlainSchemas = true },
	},
	{
		Name: "plain_schemas_draft", Words: []string{"$schema"},
		Teach: func(s *sending) { s.dialect.PlainSchemas = true },
	},
}

// teachEfforts takes the efforts that a model takes.
func teachEfforts(s *sending, efforts llm.Efforts) {
	if s.dialect.Efforts == efforts || s.effort == "" {
		return
	}
	s.dialect.Efforts = efforts
	s.dialect.EffortBeside = s.dialect.Effort != llm.EffortField && s.dialect.Effort != llm.EffortObject
}

package responses

import (
	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
)

// lessons are tried in order; the first that changes something is learned.
var lessons = []protocol.Lesson[sending]{
	{
		// Models that do not reason, and endpoints that keep the reasoning to themselves.
		Name: "no_encrypted_reasoning", Words: []string{"encrypted"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.noEncrypted = true },
	},
	{
		// Organizations that OpenAI has not verified get no summaries.
		Name: "no_summary", Words: []string{"summar"}, OneOf: append([]string{"verified"}, protocol.Refused...),
		Teach: func(s *sending) { s.noSummary = true },
	},
	{
		Name: "no_reasoning", Words: []string{"reasoning"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.noReasoning = true },
	},
	{
		Name: "no_temperature", Words: []string{"temperature"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.noTemperature = true },
	},
	{
		Name: "no_parallel_flag", Words: []string{"parallel_tool_calls"},
		Teach: func(s *sending) { s.noParallelFlag = true },
	},
	{
		Name: "no_max_output_tokens", Words: []string{"max_output_tokens"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.noMaxTokens = true },
	},
	{
		Name: "no_include", Words: []string{"include"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.noEncrypted = true },
	},
	{
		Name: "no_store", Words: []string{"store"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.noStore = true },
	},
}

// teachEfforts takes the efforts that a model takes.
func teachEfforts(s *sending, efforts llm.Efforts) { s.efforts = efforts }

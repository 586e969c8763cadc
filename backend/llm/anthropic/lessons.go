package anthropic

import (
	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
)

// fewTokens is how long a reply of the oldest models may be, in tokens.
const fewTokens = 8_192

// lessons are tried in order; the first that changes something is learned.
var lessons = []protocol.Lesson[sending]{
	{
		// Models before Claude 4.6.
		Name: "thinking_budget", Words: []string{"adaptive"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.budgets = true },
	},
	{
		Name: "no_output_effort", Words: []string{"effort"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.noEffort = true },
	},
	{
		Name: "no_output_config", Words: []string{"output_config"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.noEffort = true },
	},
	{
		Name: "no_thinking", Words: []string{"thinking"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.noThinking = true },
	},
	{
		Name: "no_temperature", Words: []string{"temperature"}, OneOf: append([]string{"may only be set", "deprecated"}, protocol.Refused...),
		Teach: func(s *sending) { s.noTemperature = true },
	},
	{
		Name: "few_tokens", Words: []string{"max_tokens", "maximum allowed"},
		Teach: func(s *sending) { s.maxTokens = min(s.maxTokens, fewTokens) },
	},
	{
		Name: "no_cache", Words: []string{"cache_control"}, OneOf: protocol.Refused,
		Teach: func(s *sending) { s.noCache = true },
	},
}

// teachEfforts takes the efforts that a model takes.
func teachEfforts(s *sending, efforts llm.Efforts) {
	s.efforts = efforts | llm.EffortSet(llm.EffortOff)
}

package anthropic

import (
	"encoding/json"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
)

// mostTokens is how long a reply may be where the settings do not say, in tokens: the
// protocol has to be told. It is what the Claude 4 models and later all take.
const mostTokens = 32_000

// sending is how requests are written at the moment.
type sending struct {
	effort  llm.Effort
	efforts llm.Efforts
	// maxTokens bounds a reply.
	maxTokens int
	// budgets is set for models that take a number of tokens for thinking in place of an
	// effort.
	budgets bool
	// What an endpoint or a model may refuse.
	noThinking, noEffort, noTemperature, noCache bool
}

// sentEffort is the effort that goes out; empty for none.
func (s sending) sentEffort() llm.Effort {
	if s.effort == "" || s.noThinking {
		return ""
	}
	return s.efforts.Nearest(s.effort)
}

// request is the body of a request.
type request struct {
	Model       string      `json:"model"`
	MaxTokens   int         `json:"max_tokens"`
	System      []block     `json:"system,omitempty"`
	Tools       []tool      `json:"tools,omitempty"`
	ToolChoice  *toolChoice `json:"tool_choice,omitempty"`
	Messages    []turn      `json:"messages"`
	Thinking    *thinking   `json:"thinking,omitempty"`
	Output      *output     `json:"output_config,omitempty"`
	Temperature *float64    `json:"temperature,omitempty"`
	Stream      bool        `json:"stream"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"input_schema"`
	Cache       *cacheMark      `json:"cache_control,omitempty"`
}

type toolChoice struct {
	Type string `json:"type"`
	Name string `json:"name,omitempty"`
	// Alone asks for no more than one call.
	Alone bool `json:"disable_parallel_tool_use,omitempty"`
}

// thinking turns thinking on or off, and bounds it in older models.
type thinking struct {
	Type   string `json:"type"`
	Budget int    `json:"budget_tokens,omitempty"`
}

type output struct {
	Effort llm.Effort `json:"effort"`
}

func newRequest(config protocol.Config, req llm.Request, sent sending) request {
	w := &writer{Texts: protocol.Texts{Redact: config.RedactText}}
	r := request{Model: config.Model, MaxTokens: sent.maxTokens, Messages: w.writeTurns(req.Messages), Stream: true}
	if system := w.Text(req.System); system != "" {
		r.System = []block{{Type: textBlock, Text: system}}
	}
	for _, offered := range req.Tools {
		r.Tools = append(r.Tools, tool{Name: offered.Name, Description: offered.Description, Schema: offered.Parameters})
	}
	forced := false
	if len(r.Tools) > 0 {
		r.ToolChoice, forced = chooseTool(req)
	}
	if !forced { // the two exclude each other
		r.Thinking, r.Output = sent.thinking()
	}
	if !sent.noTemperature && r.Thinking == nil {
		r.Temperature = config.Temperature
	}
	if !sent.noCache {
		r.markCache()
	}
	return r
}

// chooseTool returns nil for auto, which is what endpoints assume. forced reports whether
// a call is demanded.
func chooseTool(req llm.Request) (choice *toolChoice, forced bool) {
	switch req.Choice {
	case llm.ChoiceNone:
		return &toolChoice{Type: "none"}, false
	case "", llm.ChoiceAuto:
		if req.Sequential {
			return &toolChoice{Type: "auto", Alone: true}, false
		}
		return nil, false
	}
	return &toolChoice{Type: "tool", Name: string(req.Choice), Alone: req.Sequential}, true
}

// budgets are how many tokens older models may think for an effort.
var budgets = map[llm.Effort]int{
	llm.EffortMinimal: 1_024, llm.EffortLow: 2_048, llm.EffortMedium: 8_192, llm.EffortHigh: 16_384,
	llm.EffortXHigh: 24_576, llm.EffortMax: 30_720,
}

// leastBudget is the least that the protocol allows, and what is left for the answer.
const leastBudget = 1_024

func (s sending) thinking() (*thinking, *output) {
	effort := s.sentEffort()
	switch {
	case effort == "":
		return nil, nil
	case effort == llm.EffortOff:
		return &thinking{Type: "disabled"}, nil
	case s.budgets:
		budget := min(budgets[effort], s.maxTokens-leastBudget)
		if budget < leastBudget {
			return nil, nil // nothing would be left for the answer
		}
		return &thinking{Type: "enabled", Budget: budget}, nil
	case s.noEffort:
		return &thinking{Type: "adaptive"}, nil
	}
	return &thinking{Type: "adaptive"}, &output{effort}
}

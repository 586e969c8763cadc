package responses

import (
	"encoding/json"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
)

// sending is how requests are written at the moment.
type sending struct {
	effort  llm.Effort
	efforts llm.Efforts
	// What an endpoint or a model may refuse.
	noReasoning, noSummary, noEncrypted, noStore, noTemperature, noParallelFlag, noMaxTokens bool
}

// sentEffort is the effort that goes out; empty for none.
func (s sending) sentEffort() llm.Effort {
	if s.effort == "" || s.noReasoning {
		return ""
	}
	return s.efforts.Nearest(s.effort)
}

// request is the body of a request.
type request struct {
	Model        string `json:"model"`
	Instructions string `json:"instructions,omitempty"`
	Input        []item `json:"input"`
	Tools        []tool `json:"tools,omitempty"`
	ToolChoice   any    `json:"tool_choice,omitempty"`
	ParallelFlag *bool  `json:"parallel_tool_calls,omitempty"`
	// Reasoning says how much the model should reason, and that it tells of it.
	Reasoning   *reasoning `json:"reasoning,omitempty"`
	MaxTokens   int        `json:"max_output_tokens,omitempty"`
	Temperature *float64   `json:"temperature,omitempty"`
	// Include asks for the reasoning in the form that goes back.
	Include []string `json:"include,omitempty"`
	Store   *bool    `json:"store,omitempty"`
	Stream  bool     `json:"stream"`
}

type reasoning struct {
	Effort  string `json:"effort,omitempty"`
	Summary string `json:"summary,omitempty"`
}

type tool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Strict      bool            `json:"strict"`
}

// encryptedReasoning is what a conversation that the provider does not keep goes on with.
const encryptedReasoning = "reasoning.encrypted_content"

func newRequest(config protocol.Config, req llm.Request, sent sending) request {
	w := &writer{Texts: protocol.Texts{Redact: config.RedactText}}
	r := request{
		Model: config.Model, Instructions: w.Text(req.System), Input: w.writeItems(req.Messages), Stream: true,
	}
	for _, offered := range req.Tools {
		r.Tools = append(r.Tools, tool{
			Type: functionType, Name: offered.Name, Description: offered.Description, Parameters: offered.Parameters,
		})
	}
	if len(r.Tools) > 0 {
		r.ToolChoice = toolChoice(req.Choice)
		if req.Sequential && !sent.noParallelFlag {
			r.ParallelFlag = new(false)
		}
	}
	if !sent.noReasoning {
		r.Reasoning = sent.reasoning()
	}
	if !sent.noEncrypted {
		r.Include = []string{encryptedReasoning}
	}
	if !sent.noStore {
		r.Store = new(false)
	}
	if !sent.noMaxTokens {
		r.MaxTokens = config.MaxTokens
	}
	if !sent.noTemperature {
		r.Temperature = config.Temperature
	}
	return r
}

// functionType is the type of a tool and of the choice of one.
const functionType = "function"

// toolChoice is nil for auto, which is what endpoints assume.
func toolChoice(choice llm.ToolChoice) any {
	switch choice {
	case "", llm.ChoiceAuto:
		return nil
	case llm.ChoiceNone:
		return string(choice)
	}
	return map[string]string{"type": functionType, "name": string(choice)}
}

func (s sending) reasoning() *reasoning {
	effort := string(s.sentEffort())
	if effort == string(llm.EffortOff) {
		effort = "none"
	}
	summary := "auto"
	if s.noSummary {
		summary = ""
	}
	if effort == "" && summary == "" {
		return nil
	}
	return &reasoning{Effort: effort, Summary: summary}
}

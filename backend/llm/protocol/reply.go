package protocol

import (
	"strings"

	"fairlead/backend/llm"
)

// Reply gathers the text and the reasoning of a reply, tells of them as they come, and keeps
// them within llm.MaxText.
type Reply struct {
	// Receive is told of what comes.
	Receive func(llm.Delta)

	text, reasoning strings.Builder
}

// Text is the text so far.
func (r *Reply) Text() string { return r.text.String() }

// Reasoning is the reasoning so far.
func (r *Reply) Reasoning() string { return r.reasoning.String() }

// CheckSize fails when the reply would exceed what it may hold with these.
func (r *Reply) CheckSize(text, reasoning string) error {
	if r.text.Len()+len(text) > llm.MaxText {
		return TooLarge("more text", llm.MaxText>>20, "MiB")
	}
	if r.reasoning.Len()+len(reasoning) > llm.MaxText {
		return TooLarge("more reasoning", llm.MaxText>>20, "MiB")
	}
	return nil
}

// AddText adds a piece of text, which CheckSize has passed.
func (r *Reply) AddText(text string) {
	if text != "" {
		r.text.WriteString(text)
		r.Receive(llm.Delta{Kind: llm.TextDelta, Text: text})
	}
}

// AddReasoning adds a piece of reasoning, which CheckSize has passed.
func (r *Reply) AddReasoning(text string) {
	if text != "" {
		r.reasoning.WriteString(text)
		r.Receive(llm.Delta{Kind: llm.ReasoningDelta, Text: text})
	}
}

// RecallText makes reasoning of all text so far.
func (r *Reply) RecallText() {
	text := r.text.String()
	r.text.Reset()
	if text != "" {
		r.reasoning.WriteString(text)
		r.Receive(llm.Delta{Kind: llm.TextRecalled, Text: text})
	}
}

package message

import "slices"

// Target says when a queued prompt is given to the model.
type Target string

// The targets.
const (
	// TargetStep is the next step of the current run, or the next run when there is
	// no further step.
	TargetStep Target = "step"
	// TargetRun is a run of its own, after the one that is running.
	TargetRun Target = "run"
)

// Prompt is what the user says while a run is active.
type Prompt struct {
	ID   string `json:"promptId"`
	Text string `json:"text"`
	// Target says when the model is to have it.
	Target Target `json:"target"`
	// Blocks go with it.
	Blocks Content `json:"blocks,omitempty"`
}

// WithoutData is the prompt without the bytes of its blocks, for telling of it.
func (p Prompt) WithoutData() Prompt {
	p.Blocks = slices.Clone(p.Blocks)
	for i, block := range p.Blocks {
		p.Blocks[i] = block.WithoutData()
	}
	return p
}

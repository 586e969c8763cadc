package agent

import (
	"fairlead/backend/event"
	"fairlead/backend/message"
)

// protected and batch are the sizes of pruning for the model's window, in tokens.
func (r *run) protected() int { return part(r.meter.window, protectedTokens, protectedPart) }
func (r *run) batch() int     { return part(r.meter.window, pruneTokens, prunePart) }

// part is a size, or that part of a window which is too small for it.
func part(window, size, divisor int) int {
	if window == 0 {
		return size
	}
	return min(size, window/divisor)
}

// prune leaves the outputs of older calls out of what the model is shown, once that
// is worth it; the calls stay, with a title in place of the output (SPEC CTX-01).
func (r *run) prune() {
	shown := view(r.messages)
	protected, saved := r.protected(), 0
	var outputs []*message.Part
	for i := len(shown) - 1; i >= 0; i-- {
		if protected > 0 {
			protected -= r.meter.size(&shown[i])
			continue
		}
		for _, part := range shown[i].ToolParts() {
			if saving := r.saving(*part.Tool); saving > 0 {
				outputs, saved = append(outputs, part), saved+saving
			}
		}
	}
	if saved < r.batch() {
		return
	}
	before := r.used()
	r.meter.shrunk()
	for _, part := range outputs {
		use := *part.Tool // whoever gave the history keeps it as it was
		use.State.Pruned = true
		part.Tool = &use
		delete(r.meter.sizes, part.MessageID)
		r.SetPart(*part)
	}
	r.Publish(event.ContextCompacted{Before: before, After: max(before-saved, 0), Mode: event.Prune})
}

// saving is how many tokens the output of a call takes more than its title.
func (r *run) saving(use message.ToolUse) int {
	if use.State.Pruned || use.State.Output == nil {
		return 0
	}
	whole := r.meter.count(use.Seen())
	use.State.Pruned = true
	return whole - r.meter.count(use.Seen())
}

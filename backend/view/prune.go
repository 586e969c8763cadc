package view

import "fairlead/backend/message"

// Prune finds the outputs of older calls that the model need not be shown any more,
// and marks them in shown as pruned; the calls stay, with a title in place of the
// output. It returns their parts, none while there are too few to be worth it, and how
// many tokens that saves (SPEC CTX-01).
func (m *Meter) Prune(shown []message.Message) (pruned []message.Part, saved int) {
	left := m.share(protected, protectedPart)
	var outputs []*message.Part
	for i := len(shown) - 1; i >= 0; i-- {
		if left > 0 {
			left -= m.Size(&shown[i])
			continue
		}
		for _, part := range shown[i].ToolParts() {
			if saving := m.saving(part); saving > 0 {
				outputs, saved = append(outputs, part), saved+saving
			}
		}
	}
	if saved < m.share(batch, batchPart) {
		return nil, 0
	}
	for _, part := range outputs {
		use := *part.Tool // whoever gave the history keeps it as it was
		use.State.Pruned = true
		part.Tool = &use
		m.Shrunk(part.MessageID)
		pruned = append(pruned, *part)
	}
	return pruned, saved
}

// saving is how many tokens the output of a call takes more than its title.
func (m *Meter) saving(part *message.Part) int {
	use := *part.Tool
	if use.State.Pruned || use.State.Output == nil {
		return 0
	}
	saving, known := m.savings[part.ID]
	if !known {
		saving = m.count(use.Seen())
		use.State.Pruned = true
		saving -= m.count(use.Seen())
		m.savings[part.ID] = saving
	}
	return saving
}

package message

// Repair returns the history with every call ended: one that a crash or an older
// run left open gets a result that says so, because no provider accepts a call
// without an answer (SPEC CAN-04). Messages that need nothing are shared.
func Repair(history []Message) []Message {
	repaired := make([]Message, len(history))
	for i, m := range history {
		repaired[i] = m
		if !open(m) {
			continue
		}
		repaired[i].Parts = make([]Part, len(m.Parts))
		for j, part := range m.Parts {
			repaired[i].Parts[j] = closeCall(part)
		}
	}
	return repaired
}

func open(m Message) bool {
	for _, part := range m.ToolParts() {
		if part.Tool.State.Output == nil {
			return true
		}
	}
	return false
}

func closeCall(part Part) Part {
	if part.Type != ToolPart || part.Tool.State.Output != nil {
		return part
	}
	use := *part.Tool
	result := Fail(Cancelled, "the program ended before this call did; it may have run in part")
	use.State.Status, use.State.Output, use.State.Interrupted = Failed, &result, true
	part.Tool = &use
	return part
}

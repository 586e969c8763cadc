package anthropic

// cacheMark asks the provider to keep everything up to it in its cache.
type cacheMark struct {
	Type string `json:"type"`
}

var ephemeral = &cacheMark{Type: "ephemeral"}

// cachedTurns is how many turns of the user are marked. The last is what the next request
// begins with; the one before it is where this request finds what the last one kept.
const cachedTurns = 2

// markCache marks the tools, the system prompt and the last turns: four places, which is
// the most that there may be.
func (r *request) markCache() {
	if last := len(r.Tools) - 1; last >= 0 {
		r.Tools[last].Cache = ephemeral
	}
	if last := len(r.System) - 1; last >= 0 {
		r.System[last].Cache = ephemeral
	}
	marked := 0
	for i := len(r.Messages) - 1; i >= 0 && marked < cachedTurns; i-- {
		if turn := r.Messages[i]; turn.Role == userRole {
			turn.Content[len(turn.Content)-1].Cache = ephemeral
			marked++
			for i > 0 && r.Messages[i-1].Role == userRole {
				i-- // they are one turn to the provider
			}
		}
	}
}

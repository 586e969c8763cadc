package agent

import (
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// What the model is shown is bounded in tokens (SPEC §11): the newest of it stays
// whole, older outputs are left out in batches, and when that is not enough a summary
// takes the place of the older messages. Everything is kept; only the view shrinks.
const (
	// protectedTokens of the newest messages are never pruned, and a batch is worth
	// at least pruneTokens: each one costs the provider's cache. Of a small window
	// they are these parts.
	protectedTokens, protectedPart = 40_000, 2
	pruneTokens, prunePart         = 20_000, 4
	// fullPercent of the window may be used before a request, so that the reply fits.
	fullPercent = 80
)

// view is what the model is shown of a history: from the last summary on, without
// what that stands for and without older summaries.
func view(history []message.Message) []message.Message {
	last := len(history) - 1
	for last >= 0 && history[last].Covers() == "" {
		last--
	}
	if last < 0 {
		return history
	}
	shown := []message.Message{history[last]}
	covered := slices.IndexFunc(history, func(m message.Message) bool { return m.ID == history[last].Covers() })
	for _, m := range history[covered+1:] {
		if m.Covers() == "" {
			shown = append(shown, m)
		}
	}
	return shown
}

// meter knows how much of the model's window is used: from what the provider said
// last, and by estimate for what came since.
type meter struct {
	count func(string) int
	// sizes are the tokens of messages that were counted, by id.
	sizes map[string]int
	// window is how many tokens the model takes; 0 where nobody knows.
	window int
	// said are the tokens that the provider counted up to and with message number
	// upTo of the view; 0 where it has not said since the view last shrank.
	said, upTo int
}

// size estimates the tokens of a message.
func (m *meter) size(of *message.Message) int {
	if known, ok := m.sizes[of.ID]; ok {
		return known
	}
	const overhead = 8 // role, ids and punctuation
	tokens := overhead
	for i := range of.Parts {
		part := &of.Parts[i]
		switch part.Type {
		case message.TextPart:
			tokens += m.count(part.Text)
		case message.ToolPart:
			tokens += overhead + m.count(part.Tool.Name) + m.count(string(part.Tool.State.Input)) + m.count(part.Tool.Seen())
		case message.ReasoningPart: // few providers are sent it back
		}
	}
	m.sizes[of.ID] = tokens
	return tokens
}

// used estimates the tokens of the next request: what the provider counted of it, and
// the rest.
func (m *meter) used(shown []message.Message, prefix int) int {
	tokens, from := m.said, m.upTo
	if tokens == 0 {
		tokens, from = prefix, 0
	}
	for i := min(from, len(shown)); i < len(shown); i++ {
		tokens += m.size(&shown[i])
	}
	return tokens
}

// shrunk forgets what the provider said of a view that is no more.
func (m *meter) shrunk() { m.said, m.upTo = 0, 0 }

// prefix estimates the tokens that stand before the messages of every request.
func (r *run) prefix() int {
	if r.prefixSize == 0 {
		r.prefixSize = r.meter.count(r.System)
		for _, t := range r.offer {
			r.prefixSize += r.meter.count(t.Name + t.Description + string(t.Parameters))
		}
	}
	return r.prefixSize
}

// used estimates the tokens of the next request.
func (r *run) used() int { return r.meter.used(view(r.messages), r.prefix()) }

// isSmall says without counting that there can be nothing to make room for: a token
// has at least a byte.
func (r *run) isSmall() bool {
	bytes, enough := len(r.System), r.batch()
	for i := range r.messages {
		for j := range r.messages[i].Parts {
			part := &r.messages[i].Parts[j]
			bytes += len(part.Text)
			if part.Tool != nil {
				bytes += len(part.Tool.State.Input) + len(part.Tool.Seen())
			}
		}
		if bytes > enough {
			return false
		}
	}
	return true
}

// makeRoom prunes, and compacts when the window is nearly full. It returns how the
// run ends when that cannot be done.
func (r *run) makeRoom() (ending, bool) {
	if r.Limits.NoCompact || r.isSmall() {
		return ending{}, false
	}
	r.prune()
	if r.meter.window == 0 || r.used() <= r.meter.window*fullPercent/100 {
		return ending{}, false
	}
	return r.compact()
}

// tally counts what a call took: what the provider said, else an estimate.
func (r *run) tally(request llm.Request, reply llm.Reply) {
	usage, estimated := message.Usage{}, reply.Usage == nil
	if !estimated {
		usage = *reply.Usage
	} else {
		usage.Prompt = r.meter.used(request.Messages, r.prefix())
		usage.Completion = r.meter.count(reply.Text) + r.meter.count(reply.Reasoning)
		for _, call := range reply.Calls {
			usage.Completion += r.meter.count(call.Name + call.Raw)
		}
	}
	r.usage = r.usage.Add(usage)
	r.Publish(event.UsageData{Call: usage, Run: r.usage, Estimated: estimated, Window: r.meter.window})
}

// biggest names what takes most of the view, for a person.
func (r *run) biggest() string {
	const named = 3
	shown := slices.Clone(view(r.messages))
	slices.SortStableFunc(shown, func(a, b message.Message) int { return r.meter.size(&b) - r.meter.size(&a) })
	var names []string
	for i := range shown[:min(named, len(shown))] {
		what := "a text of the " + string(shown[i].Role)
		if tools := shown[i].ToolParts(); len(tools) > 0 {
			what = "the round of " + tools[0].Tool.Name
		}
		names = append(names, fmt.Sprintf("%s (%d tokens)", what, r.meter.size(&shown[i])))
	}
	return strings.Join(names, ", ")
}

package view

import (
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/message"
)

// Sizes in tokens. Of a window that is too small for one it is a part, by the divisor.
const (
	// protected of the newest messages are never pruned, and a batch is worth at least
	// so much: each one costs the provider's cache (SPEC CTX-01).
	protected, protectedPart = 40_000, 2
	batch, batchPart         = 20_000, 4
	// tail of the newest messages stays whole when the older ones are summed up.
	tail, tailPart = 20_000, 4
	// fullPercent of the window may be used before a request, so that the reply fits.
	fullPercent = 80
)

// Meter knows how much of a model's window a view takes: from what the provider said
// last, and by estimate for what came since.
type Meter struct {
	// Window is how many tokens the model takes at once; 0 where nobody knows.
	Window int

	// parts knows how many tokens each part takes.
	parts *Parts
	// prefix is what stands before the messages, in tokens once it was counted.
	prefix  string
	counted int
	// sizes are the tokens of messages that were added up, by id.
	sizes map[string]int
	// titles are the tokens of what stands for outputs that are left out.
	titles map[string]int
	// said are the tokens that the provider counted of a request with upTo messages; 0
	// where it has not said since the view last shrank.
	said, upTo int
}

// NewMeter returns a meter for a window, with what knows the parts of the conversation and
// what stands before the messages of each request.
func NewMeter(window int, parts *Parts, prefix string) *Meter {
	return &Meter{Window: window, parts: parts, prefix: prefix, sizes: map[string]int{}, titles: map[string]int{}}
}

// Said takes what the provider counted of a request with so many messages.
func (m *Meter) Said(tokens, messages int) { m.said, m.upTo = tokens, messages }

// Shrunk forgets what the provider said, and the sizes of messages of which less is
// shown now.
func (m *Meter) Shrunk(messageIDs ...string) {
	m.said, m.upTo = 0, 0
	for _, id := range messageIDs {
		delete(m.sizes, id)
	}
}

// Count estimates the tokens of a text.
func (m *Meter) Count(text string) int { return m.parts.count(text) }

// Size estimates the tokens of a message.
func (m *Meter) Size(of *message.Message) int {
	if known, ok := m.sizes[of.ID]; ok {
		return known
	}
	const overhead = 8 // role, ids and punctuation
	size := overhead
	for i := range of.Parts {
		part := &of.Parts[i]
		tokens := m.parts.Tokens(part)
		size += tokens.Part
		switch {
		case part.Tool == nil:
		case part.Tool.State.Pruned:
			size += overhead + m.title(part.Tool)
		default:
			size += overhead + tokens.Output
		}
	}
	if of.ID != "" {
		m.sizes[of.ID] = size
	}
	return size
}

// title estimates the tokens of what stands for an output that is left out.
func (m *Meter) title(use *message.ToolUse) int {
	pruned := *use
	pruned.State.Pruned = true
	text := pruned.Seen()
	tokens, ok := m.titles[text]
	if !ok {
		tokens = m.Count(text)
		m.titles[text] = tokens
	}
	return tokens
}

// Used estimates the tokens of a request with these messages.
func (m *Meter) Used(shown []message.Message) int {
	tokens, from := m.said, m.upTo
	if tokens == 0 {
		if m.counted == 0 {
			m.counted = m.Count(m.prefix)
		}
		tokens, from = m.counted, 0
	}
	for i := min(from, len(shown)); i < len(shown); i++ {
		tokens += m.Size(&shown[i])
	}
	return tokens
}

// Full says that a request with these messages leaves too little room for the reply.
func (m *Meter) Full(shown []message.Message) bool {
	return m.Window > 0 && m.Used(shown) > m.Window*fullPercent/100
}

// Small says without counting that there is nothing to make room for: a token has at
// least a byte.
func (m *Meter) Small(history []message.Message) bool {
	return small(history, m.share(batch, batchPart)-len(m.prefix))
}

// small says that the texts of a history have at most so many bytes.
func small(history []message.Message, left int) bool {
	for i := range history {
		for j := range history[i].Parts {
			part := &history[i].Parts[j]
			left -= len(part.Text)
			if part.Tool != nil {
				left -= len(part.Tool.State.Input) + len(part.Tool.Seen())
			}
			if part.Lacks() {
				left -= part.Left.Text + part.Left.Input + part.Left.Output
			}
		}
		if left < 0 {
			return false
		}
	}
	return true
}

// share is a size, or that part of a window which is too small for it.
func (m *Meter) share(size, divisor int) int {
	if m.Window == 0 {
		return size
	}
	return min(size, m.Window/divisor)
}

// Biggest names what takes most of a view, for a person.
func (m *Meter) Biggest(shown []message.Message) string {
	const named = 3
	shown = slices.Clone(shown)
	slices.SortStableFunc(shown, func(a, b message.Message) int { return m.Size(&b) - m.Size(&a) })
	var names []string
	for i := range shown[:min(named, len(shown))] {
		what := "a text of the " + string(shown[i].Role)
		if tools := shown[i].ToolParts(); len(tools) > 0 {
			what = "the round of " + tools[0].Tool.Name
		}
		names = append(names, fmt.Sprintf("%s (%d tokens)", what, m.Size(&shown[i])))
	}
	return strings.Join(names, ", ")
}

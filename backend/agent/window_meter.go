package agent

import (
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/message"
)

// Sizes in tokens. Of a window that is too small for one it is a part, by the divisor.
const (
	// protectedTokens of the newest messages are never pruned, and what is pruned at once takes
	// at least batchTokens: each time costs the provider's cache (SPEC CTX-01).
	protectedTokens, protectedPart = 40_000, 2
	batchTokens, batchPart         = 20_000, 4
	// tailTokens of the newest messages stays whole when the older ones are summed up.
	tailTokens, tailPart = 20_000, 4
	// pictureTokens is what is taken for a picture: what Anthropic counts for the largest that is
	// sent (https://docs.claude.com/en/docs/build-with-claude/vision).
	pictureTokens = 1_600
	// fullPercent of the window may be used before a request, so that the reply fits.
	fullPercent = 80
)

// windowMeter knows how much of a model's context window a request takes: from what the
// provider counted last, and by estimate for what was added since.
type windowMeter struct {
	// window is how many tokens the model takes at once; 0 where nobody knows.
	window int

	// parts knows how many tokens each part takes.
	parts *Parts
	// prefix is what stands before the messages, in tokens once it was counted.
	prefix  string
	counted int
	// sizes are the tokens of messages that were added up, by id.
	sizes map[string]int
	// titles are the tokens of what stands for outputs that are left out.
	titles map[string]int
	// used are the tokens that the provider counted of a request with upTo messages; 0
	// where it has not said since the view last shrank.
	used, upTo int
}

// newWindowMeter returns a meter for a window of so many tokens, 0 where nobody knows. prefix
// is what stands before the messages of each request.
func newWindowMeter(window int, parts *Parts, prefix string) *windowMeter {
	return &windowMeter{window: window, parts: parts, prefix: prefix, sizes: map[string]int{}, titles: map[string]int{}}
}

// setUsed sets the tokens that the provider counted of a request with so many messages.
func (m *windowMeter) setUsed(tokens, messages int) { m.used, m.upTo = tokens, messages }

// forgetSizes forgets what the provider said, and the sizes of messages of which less is
// shown now.
func (m *windowMeter) forgetSizes(messageIDs ...string) {
	m.used, m.upTo = 0, 0
	for _, id := range messageIDs {
		delete(m.sizes, id)
	}
}

// countTokens estimates the tokens of a text.
func (m *windowMeter) countTokens(text string) int { return m.parts.count(text) }

// messageTokens estimates the tokens of a message.
func (m *windowMeter) messageTokens(of *message.Message) int {
	if known, ok := m.sizes[of.ID]; ok {
		return known
	}
	const overhead = 8 // role, ids and punctuation
	size := overhead
	for i := range of.Parts {
		part := &of.Parts[i]
		tokens := m.parts.partTokens(part)
		size += tokens.Part + pictureTokens*len(part.Pictures())
		switch {
		case part.Tool == nil:
		case part.Tool.State.Pruned:
			size += overhead + m.titleTokens(part.Tool)
		default:
			size += overhead + tokens.Output
		}
	}
	if of.ID != "" {
		m.sizes[of.ID] = size
	}
	return size
}

// titleTokens estimates the tokens of what stands for an output that is left out.
func (m *windowMeter) titleTokens(use *message.ToolUse) int {
	pruned := *use
	pruned.State.Pruned = true
	text := pruned.Seen()
	tokens, ok := m.titles[text]
	if !ok {
		tokens = m.countTokens(text)
		m.titles[text] = tokens
	}
	return tokens
}

// requestTokens estimates the tokens of a request with these messages.
func (m *windowMeter) requestTokens(shown []message.Message) int {
	tokens, from := m.used, m.upTo
	if tokens == 0 {
		if m.counted == 0 {
			m.counted = m.countTokens(m.prefix)
		}
		tokens, from = m.counted, 0
	}
	for i := min(from, len(shown)); i < len(shown); i++ {
		tokens += m.messageTokens(&shown[i])
	}
	return tokens
}

// isFull reports whether a request with these messages leaves too little space for the reply.
func (m *windowMeter) isFull(shown []message.Message) bool {
	return m.window > 0 && m.requestTokens(shown) > m.window*fullPercent/100
}

// isSmall reports, without counting tokens, whether a history is too small to be pruned: a
// token has at least a byte.
func (m *windowMeter) isSmall(history []message.Message) bool {
	return hasAtMost(history, m.sizeOrShare(batchTokens, batchPart)-len(m.prefix))
}

// hasAtMost reports whether the texts of a history have at most so many bytes.
func hasAtMost(history []message.Message, left int) bool {
	for i := range history {
		for j := range history[i].Parts {
			part := &history[i].Parts[j]
			left -= len(part.Text) + pictureTokens*len(part.Pictures())
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

// sizeOrShare is a size, or that part of a window which is too small for it.
func (m *windowMeter) sizeOrShare(size, divisor int) int {
	if m.window == 0 {
		return size
	}
	return min(size, m.window/divisor)
}

// nameBiggest names what takes most of a view, for the user.
func (m *windowMeter) nameBiggest(shown []message.Message) string {
	const named = 3
	shown = slices.Clone(shown)
	slices.SortStableFunc(shown, func(a, b message.Message) int { return m.messageTokens(&b) - m.messageTokens(&a) })
	var names []string
	for i := range shown[:min(named, len(shown))] {
		what := "a text of the " + string(shown[i].Role)
		if tools := shown[i].ToolParts(); len(tools) > 0 {
			what = "the round of " + tools[0].Tool.Name
		}
		names = append(names, fmt.Sprintf("%s (%d tokens)", what, m.messageTokens(&shown[i])))
	}
	return strings.Join(names, ", ")
}

package agent

import (
	"slices"

	"fairlead/backend/message"
)

// Parts knows the parts of a conversation beyond a run: how many tokens each takes, which
// is counted once, and how to read those of which only an outline was loaded. One
// goroutine at a time uses it.
type Parts struct {
	count func(string) int
	read  func(outline message.Part) (message.Part, error)
	data  func(sum string) ([]byte, error)
	known map[string]message.Tokens
	fresh []string // ids of those counted since Fresh was called
}

// NewParts knows nothing yet of a conversation. It counts tokens with count; read reads a
// part whole, and data the bytes of a block, nil where they are lost. These are nil where every
// part is whole.
func NewParts(
	count func(text string) int, read func(outline message.Part) (message.Part, error), data func(sum string) ([]byte, error),
) *Parts {
	return &Parts{count: count, read: read, data: data, known: map[string]message.Tokens{}}
}

// Know takes what was counted before, by the ids of parts.
func (p *Parts) Know(counted map[string]message.Tokens) {
	for id, tokens := range counted {
		p.known[id] = tokens
	}
}

// Fresh returns what was counted since it was last asked, by the ids of parts.
func (p *Parts) Fresh() map[string]message.Tokens {
	fresh := make(map[string]message.Tokens, len(p.fresh))
	for _, id := range p.fresh {
		fresh[id] = p.known[id]
	}
	p.fresh = nil
	return fresh
}

// bytesPerToken is what is taken for the tokens of a text that was left in the store and
// never counted: about what English has.
const bytesPerToken = 4

// partTokens estimates the tokens of a part: once, unless it lacks texts and was never
// counted.
func (p *Parts) partTokens(part *message.Part) message.Tokens {
	if tokens, ok := p.known[part.ID]; ok {
		return tokens
	}
	var tokens message.Tokens
	switch part.Type {
	case message.TextPart, message.ImagePart, message.FilePart:
		tokens.Part = p.count(part.Said())
	case message.ToolPart:
		use := *part.Tool
		use.State.Pruned = false
		tokens.Part = p.count(use.Name) + p.count(string(use.State.Input))
		tokens.Output = p.count(use.Seen())
	case message.ReasoningPart: // few providers are sent it back
		return tokens
	}
	if left := part.Left; left != nil {
		tokens.Part += (left.Text + left.Input) / bytesPerToken
		tokens.Output += left.Output / bytesPerToken
	}
	if part.Lacks() {
		return tokens
	}
	if part.ID != "" && (part.Tool == nil || part.Tool.State.Output != nil) {
		p.known[part.ID] = tokens
		p.fresh = append(p.fresh, part.ID)
	}
	return tokens
}

// Count counts the newest parts of a history that were never counted: as many as matter
// in a window, of which the older ones are left out or summed up whatever they take.
func (p *Parts) Count(history []message.Message, window int) error {
	left := max(window, protectedTokens+batchTokens)
	if hasAtMost(history, batchTokens) {
		return nil
	}
	indexes := shownIndexes(history)
	for i := len(indexes) - 1; i >= 0 && left > 0; i-- {
		parts := history[indexes[i]].Parts
		for j := range parts {
			part := &parts[j]
			if _, known := p.known[part.ID]; !known && part.Lacks() && part.Type != message.ReasoningPart {
				whole, err := p.wholePart(*part)
				if err != nil {
					return err
				}
				part = &whole
			}
			tokens := p.partTokens(part)
			left -= tokens.Part
			if part.Tool != nil && !part.Tool.State.Pruned {
				left -= tokens.Output
			}
		}
	}
	return nil
}

// wholePart reads a part of which there is an outline.
func (p *Parts) wholePart(part message.Part) (message.Part, error) {
	if part.Left == nil {
		return part, nil
	}
	whole, err := p.read(part)
	if err != nil {
		return message.Part{}, err
	}
	if whole.Tool != nil && part.Tool != nil && part.Tool.State.Pruned { // the mark is the outline's
		use := *whole.Tool
		use.State.Pruned = true
		whole.Tool = &use
	}
	return whole, nil
}

// WholeMessage returns a message with the texts that the model is shown of it.
func (p *Parts) WholeMessage(m message.Message) (message.Message, error) {
	copied := false
	for i := range m.Parts {
		if !m.Parts[i].Lacks() {
			continue
		}
		whole, err := p.wholePart(m.Parts[i])
		if err != nil {
			return m, err
		}
		if !copied {
			m.Parts, copied = append([]message.Part(nil), m.Parts...), true
		}
		if whole.Tool != nil && whole.Tool.State.Pruned {
			whole = withoutOutput(whole)
		}
		m.Parts[i] = whole
	}
	return m, nil
}

// readShown returns what the model is shown of a history, and reads the texts of it that are
// only in the store. They stay in the history, whose messages are replaced.
func (p *Parts) readShown(history []message.Message) ([]message.Message, error) {
	for _, at := range shownIndexes(history) {
		whole, err := p.WholeMessage(history[at])
		if err == nil {
			whole, err = p.withPictures(whole)
		}
		if err != nil {
			return nil, err
		}
		history[at] = whole
	}
	return shownMessages(history), nil
}

// withPictures returns a message with the bytes of the pictures that the model is shown of it.
func (p *Parts) withPictures(m message.Message) (message.Message, error) {
	copied := false
	for i := range m.Parts {
		if !slices.ContainsFunc(m.Parts[i].Pictures(), func(b message.Block) bool { return b.Data == nil }) {
			continue
		}
		if !copied {
			m.Parts, copied = slices.Clone(m.Parts), true
		}
		var err error
		m.Parts[i], err = m.Parts[i].MapPictures(func(b message.Block) (_ message.Block, err error) {
			if b.Data == nil {
				b.Data, err = p.data(b.Sum)
			}
			return b, err
		})
		if err != nil {
			return m, err
		}
	}
	return m, nil
}

// Shed lets go of the texts and bytes of a history that the model is not shown, which are
// in the store. The messages of the history are replaced.
func Shed(history []message.Message) {
	seen := make([]bool, len(history))
	for _, at := range shownIndexes(history) {
		seen[at] = true
	}
	for at := range history {
		var parts []message.Part
		for i, part := range history[at].Parts {
			pruned := part.Tool != nil && part.Tool.State.Pruned
			part, had := part.WithoutData()
			switch {
			case part.Left != nil && (!seen[at] || !pruned): // what was read is without bytes
				continue
			case !seen[at]:
				part = part.Outline()
			case pruned && part.Left == nil:
				part = withoutOutput(part)
			}
			if part.Left == history[at].Parts[i].Left && !had {
				continue
			}
			if parts == nil {
				parts = append(parts, history[at].Parts...)
			}
			parts[i] = part
		}
		if parts != nil {
			history[at].Parts = parts
		}
	}
}

// withoutOutput is a call whose output was left in the store, with its arguments.
func withoutOutput(part message.Part) message.Part {
	outline := part.Outline()
	if outline.Left == nil || outline.Left.Output == 0 {
		return part
	}
	use := *outline.Tool
	use.State.Input, use.Extra = part.Tool.State.Input, part.Tool.Extra
	outline.Tool, outline.Left = &use, &message.Left{Output: outline.Left.Output}
	return outline
}

package agent

import "fairlead/backend/message"

// Content is a kind of what fills a model's window.
type Content string

// The kinds, in the order in which a request has them.
const (
	// ContentSystem is the system prompt, but for ContentInstructions: the user's own and those
	// of the project. ContentTools are the descriptions of tools.
	ContentSystem       Content = "system"
	ContentInstructions Content = "instructions"
	ContentTools        Content = "tools"
	// ContentSummary stands in the place of older messages.
	ContentSummary Content = "summary"
	// ContentUser are the messages of the user, and what Fairlead adds to them; ContentModel is
	// what the model said and which calls it made, and ContentResults are the results of these.
	ContentUser    Content = "user"
	ContentModel   Content = "model"
	ContentResults Content = "results"
	// ContentPictures are pictures and documents, wherever they stand.
	ContentPictures Content = "pictures"
)

// Share is how much of a window something takes.
type Share struct {
	Kind   Content `json:"kind"`
	Tokens int     `json:"tokens"`
}

// Contents estimates what fills a window with a history, by kind; what takes nothing is left out.
func (p *Parts) Contents(history []message.Message, window int) ([]Share, error) {
	if err := p.Count(history, window); err != nil {
		return nil, err
	}
	m, tokens := newWindowMeter(window, p, ""), map[Content]int{}
	for _, at := range shownIndexes(history) {
		of := &history[at]
		said := ContentModel
		switch {
		case of.Covers() != "":
			said = ContentSummary
		case of.Role == message.User:
			said = ContentUser
		}
		rest := m.messageTokens(of)
		for i := range of.Parts {
			part := &of.Parts[i]
			pictures, results := pictureTokens*len(part.Pictures()), 0
			switch {
			case part.Instructions != nil:
				instructions := p.partTokens(part).Part
				tokens[ContentInstructions] += instructions
				rest -= instructions
			case part.Block != nil:
				pictures += p.partTokens(part).Part
			case part.Tool != nil && part.Tool.State.Pruned:
				results = m.titleTokens(part.Tool)
			case part.Tool != nil:
				results = p.partTokens(part).Output
			}
			tokens[ContentPictures] += pictures
			tokens[ContentResults] += results
			rest -= pictures + results
		}
		tokens[said] += rest
	}
	var shares []Share
	for _, kind := range []Content{ContentInstructions, ContentSummary, ContentUser, ContentModel, ContentResults, ContentPictures} {
		if tokens[kind] > 0 {
			shares = append(shares, Share{kind, tokens[kind]})
		}
	}
	return shares, nil
}

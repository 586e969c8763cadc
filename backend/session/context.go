package session

import (
	"context"
	"slices"

	"fairlead/backend/agent"
	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// The loop's own, named here for the entry points, which know no layer below this one.
type (
	// Share is how much of a model's window something takes.
	Share = agent.Share
	// Content is what takes it.
	Content = agent.Content
	// Nearby are the instructions of the workspace near what a call was about.
	Nearby = agent.Nearby
	// NearbyText is one of them.
	NearbyText = agent.NearbyText
)

// LookNearby looks for the instructions of the workspace near files and folders that a call was
// about, but for those that were given.
type LookNearby = func(touched []string, given []message.InstructionsFile) Nearby

// lookNearby returns what looks for instructions in a run that begins with those given; nil for
// none.
func (c Config) lookNearby(top Instructions) LookNearby {
	if c.Nearby == nil {
		return nil
	}
	return c.Nearby(top)
}

// Offer is what stands before the messages of each request of a conversation.
type Offer struct {
	Mode     Mode
	MaxSteps int
	// Tools are those that are switched on.
	Tools        *tool.Dispatcher
	Instructions Instructions
	// Window is how many tokens the model takes at once; 0 where nobody knows. A small one is
	// offered fewer tools.
	Window int
	// CountTokens estimates the tokens of a text.
	CountTokens func(text string) int
}

// shares are what an offer takes.
func (o Offer) shares() ([]Share, error) {
	tools := o.Tools
	if agent.IsSmallWindow(o.Window) {
		tools = tools.Essential()
	}
	offered := tools.Definitions()
	all, err := systemPrompt(o.Mode, offered, o.MaxSteps, o.Instructions)
	if err != nil {
		return nil, err
	}
	bare, err := systemPrompt(o.Mode, offered, o.MaxSteps, Instructions{})
	if err != nil {
		return nil, err
	}
	described, prompts := 0, 0
	for _, d := range offered {
		described += o.CountTokens(d.Name + d.Description + string(d.Parameters))
		prompts += o.CountTokens(d.Prompt)
	}
	system := o.CountTokens(bare)
	instructions := max(o.CountTokens(all)-system, 0)
	system, described = max(system-prompts, 0), described+prompts
	shares := []Share{
		{Kind: agent.ContentSystem, Tokens: system},
		{Kind: agent.ContentInstructions, Tokens: instructions},
		{Kind: agent.ContentTools, Tokens: described},
	}
	return slices.DeleteFunc(shares, func(s Share) bool { return s.Tokens == 0 }), nil
}

// Contents estimates what a request takes of the window of its model with what was said so far in a
// saved conversation, by kind. An empty id is one in which nothing was said.
func (m *Manager) Contents(ctx context.Context, id string, offer Offer) ([]Share, error) {
	shares, err := offer.shares()
	if err != nil || id == "" {
		return shares, err
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	history, counted, err := s.Outlines(ctx, id)
	if err != nil {
		return nil, err
	}
	// A run that is going on counts for itself; what it has counted is not kept before its end.
	parts := agent.NewParts(offer.CountTokens, func(outline message.Part) (message.Part, error) { return s.Part(ctx, outline) }, nil)
	parts.Know(counted)
	said, err := parts.Contents(history, offer.Window)
	return addShares(shares, said), err
}

// Contents is Manager.Contents for a conversation that is not saved, as it was when its last run ended.
func (s *Session) Contents(offer Offer) ([]Share, error) {
	shares, err := offer.shares()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	running, history := s.current != nil, slices.Clone(s.history)
	s.mu.Unlock()
	if running { // its messages are the run's now
		return shares, nil
	}
	said, err := agent.NewParts(offer.CountTokens, s.readPart, s.readData).Contents(history, offer.Window)
	return addShares(shares, said), err
}

// addShares adds what was said to what stands before it; of each kind there is one share then.
func addShares(shares, said []Share) []Share {
	for _, share := range said {
		if i := slices.IndexFunc(shares, func(s Share) bool { return s.Kind == share.Kind }); i >= 0 {
			shares[i].Tokens += share.Tokens
		} else {
			shares = append(shares, share)
		}
	}
	return shares
}

package session

import (
	"context"
	"time"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/store"
)

// Query is what is searched for: the store's own, named here for the entry points.
type Query = store.Query

// Found is what was found, named here for the same reason.
type Found = store.Found

// ShortestQuery is how many characters a text is found by at least.
const ShortestQuery = store.ShortestQuery

// Search finds a text in the saved conversations. One that is too short gives a *message.Refusal.
func (m *Manager) Search(ctx context.Context, q Query) (Found, error) {
	if utf8.RuneCountInString(q.Text) < ShortestQuery {
		return Found{}, &message.Refusal{Code: message.InvalidParams, Message: "the text to search for has fewer than two characters"}
	}
	if m.library.store.Load() == nil && !store.Exists(m.options.DataFolder) {
		return Found{}, nil
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return Found{}, err
	}
	return s.Search(ctx, q)
}

// Titled are the conversations whose title has some texts, the last ones worked on first, at most so many; all
// where there is no text. It reports whether there are more.
func (m *Manager) Titled(ctx context.Context, texts []string, most int) (titled []Saved, more bool, err error) {
	if m.library.store.Load() == nil && !store.Exists(m.options.DataFolder) {
		return nil, false, nil
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, false, err
	}
	return s.Titled(ctx, texts, "", most)
}

// IndexNew prepares what has ended since to be found fast, for some time at most. It reports whether that is all
// that can be done now.
func (m *Manager) IndexNew(ctx context.Context, most time.Duration) (all bool, err error) {
	s, err := m.tidiedStore(ctx)
	if err != nil || s.ReadOnly() {
		return true, err
	}
	return s.IndexNew(ctx, most)
}

// RebuildIndex rebuilds the index of the search.
func (m *Manager) RebuildIndex(ctx context.Context) error {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return err
	}
	return s.RebuildIndex(ctx)
}

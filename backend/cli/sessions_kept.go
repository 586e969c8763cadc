package cli

import (
	"context"

	"fairlead/backend"
	"fairlead/backend/session"
)

// named is a conversation that is marked.
type named struct {
	ID string `arg:"" help:"The conversation's id, or last."`
}

// mark sets or clears a mark of the conversation.
func (c *named) mark(with *surroundings, set func(m *session.Manager, ctx context.Context, id string, on bool) error, on bool) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		saved, err := b.Sessions.Find(ctx, c.ID, "")
		if err != nil {
			return err
		}
		return set(b.Sessions, ctx, saved.ID, on)
	})
}

type pinSession struct{ named }

// Run pins a conversation.
func (c *pinSession) Run(with *surroundings) error {
	return c.mark(with, (*session.Manager).Pin, true)
}

type unpinSession struct{ named }

// Run has a conversation be listed by its day again.
func (c *unpinSession) Run(with *surroundings) error {
	return c.mark(with, (*session.Manager).Pin, false)
}

type archiveSession struct{ named }

// Run archives a conversation.
func (c *archiveSession) Run(with *surroundings) error {
	return c.mark(with, (*session.Manager).Archive, true)
}

type unarchiveSession struct{ named }

// Run brings an archived conversation back.
func (c *unarchiveSession) Run(with *surroundings) error {
	return c.mark(with, (*session.Manager).Archive, false)
}

package backend

import (
	"context"
	"fmt"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/session"
)

// openModel opens the model at an endpoint for a conversation.
func (b *Backend) openModel(c *Conversation, endpoint catalog.Endpoint) (model session.Model, traffic func() (up, down int64), err error) {
	opened, err := b.Models.Open(endpoint, !c.windowGiven)
	if err != nil {
		return session.Model{}, nil, err
	}
	model = session.Model{
		Model: &watchedModel{Model: opened.Model, sent: b.ahead.beginOnce}, Name: opened.Name,
		Window: opened.Window, Learn: opened.Learn, AskWindow: opened.AskWindow, Server: opened.Server,
	}
	switch {
	case opened.Price != nil:
		model.Price = *opened.Price
	case c.budgetUSD > 0:
		return session.Model{}, nil, &catalog.UsageError{
			Message: fmt.Sprintf("a run may cost $%g, but nobody knows what %s costs", c.budgetUSD, endpoint.Model),
			Hint:    "take budget_usd out of the settings, or limit the tokens by budget in its place",
		}
	}
	c.sees.Store(&opened.Sees)
	return model, opened.Traffic, nil
}

// seesPictures reports whether the model that the conversation works with sees pictures.
func (c *Conversation) seesPictures(ctx context.Context) (bool, error) { return (*c.sees.Load())(ctx) }

package backend

import (
	"context"
	"fmt"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/demo"
	"fairlead/backend/llm/openai"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

// model opens the model at an endpoint.
func (b *Backend) model(c *Conversation, endpoint catalog.Endpoint) (session.Model, error) {
	if endpoint.Provider.Name == catalog.Demo {
		c.Traffic = func() (up, down int64) { return 0, 0 }
		return session.Model{Model: demo.Model{}, Name: demo.Name, Learn: func(int) {}}, nil
	}
	key, err := b.key(context.Background(), endpoint)
	if err != nil {
		return session.Model{}, err
	}
	config, err := b.client(endpoint, key)
	if err != nil {
		return session.Model{}, err
	}
	client, err := openai.New(config)
	if err != nil {
		return session.Model{}, fmt.Errorf("open model: %w", err)
	}
	c.Traffic = client.Traffic
	facts := b.Facts(endpoint)
	known := session.Model{
		Model: client, Name: endpoint.Model, Window: facts.Window,
		Learn: func(tokens int) {
			if err := settings.LearnWindow(b.Folders.State, endpoint.BaseURL, endpoint.Model, tokens); err != nil {
				b.Log.Warn("remember the window of a model", "error", err)
			}
		},
	}
	if endpoint.Loopback() && !c.windowGiven {
		known.Model = &loadedModel{Model: client, config: config, server: endpoint.Provider.Name}
	}
	known.Model = &watchedModel{Model: known.Model, sent: b.ahead.begin}
	switch {
	case facts.Price != nil:
		known.Price = *facts.Price
	case c.budgetUSD > 0:
		return session.Model{}, &catalog.UsageError{
			Message: fmt.Sprintf("a run may cost $%g, but nobody knows what %s costs", c.budgetUSD, endpoint.Model),
			Hint:    "take budget_usd out of the settings, or limit the tokens by budget in its place",
		}
	}
	return known, nil
}

// Facts returns what is known of an endpoint's model: its window as its provider said
// last, before what is known beforehand. What nobody knows is zero.
func (b *Backend) Facts(endpoint catalog.Endpoint) catalog.Facts {
	facts, _ := endpoint.Facts()
	windows, err := settings.ReadWindows(b.Folders.State)
	if err != nil {
		b.Log.Warn("read what is known of models", "error", err) // it is learnt anew
	}
	if tokens := windows.Of(endpoint.BaseURL, endpoint.Model); tokens > 0 {
		facts.Window = tokens
	}
	return facts
}

package models

import (
	"context"
	"fmt"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/demo"
	"fairlead/backend/message"
	"fairlead/backend/settings"
)

// Opened is a model that can be asked.
type Opened struct {
	llm.Model
	// Name is the one the user knows it by.
	Name string
	// Window is how many tokens it takes at once, 0 where nobody knows; Learn saves what
	// its provider says of that. AskWindow asks its server, of the kind that Server names,
	// for how many it has loaded it; nil and empty where that is none on this computer.
	Window    int
	Learn     func(tokens int)
	AskWindow func(context.Context) int
	Server    string
	// Sees reports whether the model sees pictures, and has it asked where that is not known.
	Sees func(context.Context) (bool, error)
	// Price is what its tokens cost; nil where nobody knows.
	Price *message.Price
	// Traffic counts the bytes of bodies sent to and received from it.
	Traffic func() (up, down int64)
}

// Open opens the model at an endpoint. Where askWindow is set, a server on this computer
// is asked what window the model was loaded with. A missing key, or one that may not go
// there, gives a *catalog.UsageError.
func (m *Models) Open(endpoint catalog.Endpoint, askWindow bool) (Opened, error) {
	if endpoint.Provider.Name == catalog.Demo {
		return Opened{
			Model: demo.Model{}, Name: demo.Name, Learn: func(int) {}, Price: &message.Price{},
			Sees:    func(context.Context) (bool, error) { return false, nil },
			Traffic: func() (up, down int64) { return 0, 0 },
		}, nil
	}
	key, err := m.key(context.Background(), endpoint)
	if err != nil {
		return Opened{}, err
	}
	config, err := m.clientConfig(endpoint, key)
	if err != nil {
		return Opened{}, err
	}
	model, err := newChangingModel(endpoint, config)
	if err != nil {
		return Opened{}, fmt.Errorf("open model: %w", err)
	}
	facts := m.Facts(endpoint)
	opened := Opened{
		Model: model, Name: endpoint.Model, Window: facts.Window, Price: facts.Price, Traffic: model.Traffic,
		Learn: func(tokens int) {
			if err := settings.LearnWindow(m.state, endpoint.BaseURL, endpoint.Model, tokens); err != nil {
				m.log.Warn("remember the window of a model", "error", err)
			}
		},
	}
	if askWindow && endpoint.Loopback() {
		loaded := &loadedModel{Model: model, config: config, server: endpoint.Provider.Name}
		opened.Model, opened.AskWindow, opened.Server = loaded, loaded.askWindow, loaded.server
	}
	seeing := newSeeingModel(opened.Model, config.Lessons, config.Learned)
	opened.Model, opened.Sees = seeing, seeing.Sees
	return opened, nil
}

// Facts returns what is known of an endpoint's model: its window as its provider said
// last, before what is known beforehand. What nobody knows is zero.
func (m *Models) Facts(endpoint catalog.Endpoint) catalog.Facts {
	return m.AllFacts([]catalog.Endpoint{endpoint})[0]
}

// AllFacts returns the same of several.
func (m *Models) AllFacts(endpoints []catalog.Endpoint) []catalog.Facts {
	windows, err := settings.ReadWindows(m.state)
	if err != nil {
		m.log.Warn("read what is known of models", "error", err) // it is learnt anew
	}
	all := make([]catalog.Facts, len(endpoints))
	for i, endpoint := range endpoints {
		all[i], _ = endpoint.Facts()
		if tokens := windows.Of(endpoint.BaseURL, endpoint.Model); tokens > 0 {
			all[i].Window = tokens
		}
	}
	return all
}

package session

import (
	"context"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// Model is a model with what a session has to know of it.
type Model struct {
	llm.Model
	// Name is what the user calls it.
	Name string
	// Window is how many tokens it takes at once, 0 where nobody knows; Learn takes
	// what its provider says of that. AskWindow asks its server where that runs on this
	// computer, which then is of the kind that Server names; nil and empty elsewhere.
	Window    int
	Learn     func(tokens int)
	AskWindow func(context.Context) int
	Server    string
	// Price is what its tokens cost; the zero Price where nobody knows.
	Price message.Price
}

// UseModel has the runs that follow ask another model. The current run keeps its
// own.
func (s *Session) UseModel(model Model) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.config.Model = model
}

// learnWindow takes what a provider says of its model's window, for the runs that follow too.
func (s *Session) learnWindow(model Model) func(int) {
	return func(tokens int) {
		s.mu.Lock()
		if s.config.Model.Model == model.Model {
			s.config.Model.Window = tokens
		}
		s.mu.Unlock()
		model.Learn(tokens)
	}
}

package desktop

import (
	"sync"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

// chosenModel owns what was found out about models: about the chosen one, and in the last
// test of a provider.
type chosenModel struct {
	// mu guards what follows. Nobody who holds it waits for anything.
	mu sync.Mutex
	// endpoint is what the facts are known of.
	endpoint catalog.Endpoint
	facts    modelFacts
	listed   []string
}

// modelFacts are what was found out about a model.
type modelFacts struct {
	catalog.Facts

	// source is where its key is, and url where it is asked.
	source secret.Source
	url    string
	// lessons are what refusals have taught of it.
	lessons []settings.Lesson
}

// noteFacts keeps what was found out about a model.
func (c *chosenModel) noteFacts(endpoint catalog.Endpoint, facts modelFacts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endpoint, c.facts = endpoint, facts
}

// factsOf returns what was found out about a model; zero where that is nothing yet.
func (c *chosenModel) factsOf(endpoint catalog.Endpoint) modelFacts {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.endpoint.Same(endpoint) {
		return modelFacts{}
	}
	return c.facts
}

// noteListed keeps the models that a provider listed.
func (c *chosenModel) noteListed(models []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listed = models
}

// listedModels returns those that the provider of the last test listed.
func (c *chosenModel) listedModels() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string{}, c.listed...)
}

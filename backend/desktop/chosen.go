package desktop

import (
	"sync"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/secret"
)

// chosenModel owns what was found out about models: about the chosen one, and in the last
// test of a provider.
type chosenModel struct {
	// mu guards what follows. Nobody who holds it waits for anything.
	mu sync.Mutex
	// endpoint is what source, of its key, and facts are known of.
	endpoint catalog.Endpoint
	source   secret.Source
	facts    catalog.Facts
	listed   []string
}

// noteFacts keeps what was found out about a model.
func (c *chosenModel) noteFacts(endpoint catalog.Endpoint, source secret.Source, facts catalog.Facts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endpoint, c.source, c.facts = endpoint, source, facts
}

// factsOf returns what was found out about a model; zero where that is nothing yet.
func (c *chosenModel) factsOf(endpoint catalog.Endpoint) (secret.Source, catalog.Facts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.endpoint.Same(endpoint) {
		return "", catalog.Facts{}
	}
	return c.source, c.facts
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

package desktop

import (
	"maps"
	"net/http"
	"os"
	"sync"
	"time"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
)

// ModelFacts are what is known of a model.
type ModelFacts struct {
	// Window is how many tokens it takes at once; 0 where nobody knows.
	Window int `json:"window"`
	// Priced says that Price is known, in US dollars per million tokens.
	Priced bool          `json:"priced"`
	Price  message.Price `json:"price"`
}

// Facts returns what is known of each of some models.
func (m *Models) Facts(models []SavedModel) ([]ModelFacts, error) {
	return Guard(m.window, func() ([]ModelFacts, error) {
		endpoints := make([]catalog.Endpoint, len(models))
		for i, model := range models {
			// Of one that leads nowhere, nothing is known.
			endpoints[i], _ = m.window.locateModel(model.asTyped())
		}
		return m.window.factsOf(endpoints), nil
	})
}

func (w *Window) factsOf(endpoints []catalog.Endpoint) []ModelFacts {
	all := []ModelFacts{}
	for _, facts := range w.backend.Models.AllFacts(endpoints) {
		one := ModelFacts{Window: facts.Window, Priced: facts.Price != nil}
		if one.Priced {
			one.Price = *facts.Price
		}
		all = append(all, one)
	}
	return all
}

// OfferedModels are the models of the provider in use.
type OfferedModels struct {
	Provider string `json:"provider"`
	Title    string `json:"title"`
	BaseURL  string `json:"baseUrl"`
	// Listed says that the provider lists its models.
	Listed bool           `json:"listed"`
	Models []OfferedModel `json:"models"`
}

// OfferedModel is one of them.
type OfferedModel struct {
	Model string     `json:"model"`
	Facts ModelFacts `json:"facts"`
}

// offeredTime is how long the answer of a provider holds.
const offeredTime = 10 * time.Minute

// offers owns what providers answered when they were asked for their models.
type offers struct {
	// mu guards what follows. Nobody who holds it waits for anything.
	mu      sync.Mutex
	answers map[string]offer // by provider and address
}

type offer struct {
	names  []string
	listed bool
	at     time.Time
}

// find returns an answer that still holds.
func (o *offers) find(place string) (offer, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	found, ok := o.answers[place]
	return found, ok && time.Since(found.at) < offeredTime
}

// keep keeps an answer, and none that holds no longer.
func (o *offers) keep(place string, answer offer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	maps.DeleteFunc(o.answers, func(_ string, old offer) bool { return time.Since(old.at) >= offeredTime })
	if o.answers == nil {
		o.answers = map[string]offer{}
	}
	o.answers[place] = answer
}

// readOffered returns the models of the provider in use, as it last said; with fresh it is asked
// once more.
func (w *Window) readOffered(request *http.Request) (any, error) {
	endpoint, err := w.remembered.chosenEndpoint(w.folder.currentView().tour)
	if err != nil {
		return nil, err
	}
	provider := endpoint.Provider
	offered := OfferedModels{Provider: provider.Name, Title: provider.Title, BaseURL: endpoint.BaseURL, Models: []OfferedModel{}}
	if provider.Name == catalog.Demo {
		return offered, nil
	}
	place := provider.Name + " " + endpoint.BaseURL
	answer, ok := w.offers.find(place)
	if !ok || request.URL.Query().Has("fresh") {
		answer.names, answer.listed, err = w.backend.Models.List(request.Context(), endpoint)
		if err != nil {
			return nil, err
		}
		answer.at = time.Now()
		w.offers.keep(place, answer)
	}
	offered.Listed = answer.listed
	endpoints := make([]catalog.Endpoint, len(answer.names))
	for i, name := range answer.names {
		endpoints[i], _ = w.remembered.catalog().Locate(catalog.Choice{Provider: provider.Name, BaseURL: endpoint.BaseURL, Model: name}, os.Getenv)
	}
	for i, facts := range w.factsOf(endpoints) {
		offered.Models = append(offered.Models, OfferedModel{answer.names[i], facts})
	}
	return offered, nil
}

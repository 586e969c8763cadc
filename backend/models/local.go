package models

import (
	"context"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
)

const (
	// knockTime is how long a connection within this computer may take, and
	// localTime the whole answer.
	knockTime = 500 * time.Millisecond
	localTime = 3 * time.Second
)

// sought are the providers that are looked for on this computer. Others have no port
// of their own there.
var sought = []string{"ollama", "lmstudio", "llamacpp"}

// Local is a provider found running on this computer.
type Local struct {
	// Provider has the address at which it answers.
	Provider catalog.Provider
	// Models are the names it offers, sorted; empty, and not nil, when it has none.
	Models []string
}

// FindLocal returns the providers that run on this computer now: those that list
// models at their usual ports, and those of also, which go before others of the same
// name. Ollama is asked at the address in OLLAMA_HOST where that is one of this
// computer.
func FindLocal(ctx context.Context, also ...catalog.Endpoint) []Local {
	asked := slices.Clone(also)
	for _, name := range sought {
		endpoint, err := catalog.Catalog{}.Locate(catalog.Choice{Provider: name}, os.Getenv)
		if err != nil || slices.ContainsFunc(also, func(e catalog.Endpoint) bool { return e.Provider.Name == name }) {
			continue // an error is no fault of the user: there is nobody to tell
		}
		asked = append(asked, endpoint)
	}
	answers := make([]*Local, len(asked))
	var all sync.WaitGroup
	for i, endpoint := range asked {
		all.Go(func() {
			if models, err := askLocal(ctx, endpoint); err == nil {
				answers[i] = &Local{endpoint.Provider, models}
			}
		})
	}
	all.Wait()
	found := []Local{}
	for _, answer := range answers {
		if answer != nil {
			found = append(found, *answer)
		}
	}
	return found
}

func askLocal(ctx context.Context, endpoint catalog.Endpoint) ([]string, error) {
	limited, stop := context.WithTimeout(ctx, localTime)
	defer stop()
	transport := wire.NewBase(wire.Network{})
	transport.DialContext = (&net.Dialer{Timeout: knockTime}).DialContext
	return openai.ListModels(limited, protocol.Config{BaseURL: endpoint.BaseURL, Transport: transport})
}

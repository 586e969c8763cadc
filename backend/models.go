package backend

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"time"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/wire"
	"fairlead/backend/settings"
)

const (
	// testTime is how long a provider may take to list its models.
	testTime = 15 * time.Second
	// knockTime is how long a connection within this computer may take, and
	// localTime the whole answer.
	knockTime = 500 * time.Millisecond
	localTime = 3 * time.Second
)

// Tested is what an endpoint answered.
type Tested struct {
	// Models are the names it offers, sorted; empty, and not nil, when it does not
	// list them.
	Models []string
	// Listed says whether it lists its models. One that does not was reached all
	// the same.
	Listed bool
	// Elapsed is the time the answer took.
	Elapsed time.Duration
	// URL is the address a run would send its requests to.
	URL string
}

// Local is a provider found running on this computer.
type Local struct {
	// Provider has the address at which it answers.
	Provider catalog.Provider
	// Models are the names it offers, sorted; empty, and not nil, when it has none.
	Models []string
}

// TestModel asks an endpoint for its models, with the given key or, where that is
// the zero Key, with the one that a run would use. The endpoint may be one without
// a model (catalog.Locate). A key that may not travel there, or that is missing, is
// a *catalog.UsageError; a fault on the way or at the provider an *llm.Error.
func (b *Backend) TestModel(ctx context.Context, endpoint catalog.Endpoint, key settings.Key) (Tested, error) {
	tested := Tested{Models: []string{}, URL: endpoint.BaseURL + "/chat/completions"}
	if endpoint.Provider.Name == catalog.Demo {
		return Tested{Models: []string{}}, nil
	}
	if key == (settings.Key{}) {
		var err error
		if key, err = b.key(ctx, endpoint); err != nil {
			return tested, err
		}
	} else if err := endpoint.CheckKey(); err != nil {
		return tested, err
	}
	b.Redactor.Add(key.Reveal())
	limited, stop := context.WithTimeoutCause(ctx, testTime, &llm.Error{
		Class: llm.Network, Message: "no answer within " + testTime.String(), Hint: "check the base URL and the network",
	})
	defer stop()
	start := time.Now()
	models, err := b.listModels(limited, endpoint, key, nil)
	tested.Elapsed = time.Since(start)
	if silent(err) {
		return tested, nil
	}
	if err != nil {
		return tested, err
	}
	tested.Models, tested.Listed = models, true
	return tested, nil
}

// silent says whether an endpoint answered that it does not list its models.
func silent(err error) bool {
	refused, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return false
	}
	return refused.Status == http.StatusNotFound || refused.Status == http.StatusMethodNotAllowed ||
		refused.Status == http.StatusNotImplemented
}

// FindLocal returns the providers that run on this computer now. Ollama is asked
// at the address in OLLAMA_HOST where that is one of this computer, else at its
// usual one.
func (b *Backend) FindLocal(ctx context.Context) []Local {
	found := []Local{}
	for _, provider := range catalog.Providers() {
		if !provider.Local || provider.Name == catalog.Demo {
			continue
		}
		endpoint, err := catalog.Locate(catalog.Choice{Provider: provider.Name}, os.Getenv)
		if err != nil {
			continue // no choice of a person: there is nobody to tell
		}
		if models, err := b.askLocal(ctx, endpoint); err == nil {
			found = append(found, Local{endpoint.Provider, models})
		}
	}
	return found
}

func (b *Backend) askLocal(ctx context.Context, endpoint catalog.Endpoint) ([]string, error) {
	limited, stop := context.WithTimeout(ctx, localTime)
	defer stop()
	transport := wire.NewBase(wire.Network{})
	transport.DialContext = (&net.Dialer{Timeout: knockTime}).DialContext
	return b.listModels(limited, endpoint, settings.Key{}, transport)
}

func (b *Backend) listModels(ctx context.Context, endpoint catalog.Endpoint, key settings.Key, transport http.RoundTripper) ([]string, error) {
	return openai.ListModels(ctx, openai.Config{
		BaseURL: endpoint.BaseURL, APIKey: key.Reveal(), Redact: b.Redactor.Bytes, Transport: transport,
	})
}

package catalog

import (
	"encoding/json"
	"net/http"
	"strings"

	"fairlead/backend/llm"
)

// Choice is what the user asked for. Every field may be empty.
type Choice struct {
	// Provider is a provider's name.
	Provider string
	// BaseURL is an endpoint's address.
	BaseURL string
	// Model is the model's name at the provider.
	Model string
	// KeyEnv names the environment variable that holds the key.
	KeyEnv string
	// Effort is how much the model should reason, one of llm.AllEfforts.
	Effort string
}

// Endpoint is where a model is reached.
type Endpoint struct {
	// Provider is the provider there; one without a name is an endpoint known by
	// its address only.
	Provider Provider
	// BaseURL is the address before /chat/completions; empty for the tour.
	BaseURL string
	// Model is the model's name there; empty for the tour.
	Model string
	// KeyEnv is the environment variable whose key may be sent there; empty when
	// none is.
	KeyEnv string
	// Account is the name of this provider at this host and port, such as
	// openai@api.openai.com:443, under which a key for it may be kept. It is empty
	// where no key may be sent.
	Account string
	// KeyRequired says that the endpoint is not asked without a key. The others
	// say themselves if they want one.
	KeyRequired bool
	// Dialect is what the endpoint wants of a request to the model, and Protocol how
	// requests are written.
	Dialect  llm.Dialect
	Protocol llm.Protocol
	// Header goes with every request; {key} in a value stands for the key, which is
	// then sent nowhere else.
	Header http.Header
	// Body are fields for every chat request.
	Body map[string]json.RawMessage
	// Effort is how much the model should reason; empty leaves it to the settings.
	Effort llm.Effort
}

// Same reports whether both are the same model at the same place, reached with the
// same key.
func (e Endpoint) Same(other Endpoint) bool {
	return e.Provider.Name == other.Provider.Name && e.BaseURL == other.BaseURL && e.Model == other.Model &&
		e.KeyEnv == other.KeyEnv && e.Account == other.Account
}

// UsageError is a choice that leads nowhere.
type UsageError struct {
	// Message says what is wrong.
	Message string
	// Hint says what to do about it.
	Hint string
	// NoKey says that nothing is wrong but that a key is missing.
	NoKey bool
}

func (e *UsageError) Error() string { return e.Message + "; " + e.Hint }

// Choose finds the endpoint for a choice. A provider alone is reached at its own
// address with the key of its own variable. A base URL alone is any
// OpenAI-compatible endpoint and needs no key. A provider's own key goes to the
// provider's own hosts only; the key of a variable named in the choice goes to
// the address chosen. Whether there is such a key is not looked at. Every error
// is a *UsageError. getenv is os.Getenv or its like.
func (c Catalog) Choose(choice Choice, getenv func(string) string) (Endpoint, error) {
	endpoint, err := c.Locate(choice, getenv)
	if err != nil || endpoint.Provider.Name == Demo {
		return endpoint, err
	}
	if endpoint.Model == "" {
		return Endpoint{}, noModel(endpoint)
	}
	return endpoint, nil
}

// Locate is Choose for those who do not know the model's name yet.
func (c Catalog) Locate(choice Choice, getenv func(string) string) (Endpoint, error) {
	endpoint, err := c.locateEndpoint(choice, getenv)
	if err != nil || endpoint.Provider.Name == Demo {
		return endpoint, err
	}
	endpoint.Model = strings.TrimSpace(choice.Model)
	p := endpoint.Provider
	family := p.familyOf(endpoint.Model)
	endpoint.Dialect, endpoint.Header, endpoint.Body = p.dialectFor(endpoint.Model, family), p.Header, p.bodyFor(family)
	endpoint.Protocol = p.protocolFor(family, endpoint.BaseURL)
	endpoint.Effort = llm.Effort(choice.Effort)
	if err := endpoint.chooseKey(choice); err != nil {
		return Endpoint{}, err
	}
	return endpoint, nil
}

// locateEndpoint finds provider and address. The tour takes no notice of the rest: the
// settings file may name an address for other runs.
func (c Catalog) locateEndpoint(choice Choice, getenv func(string) string) (Endpoint, error) {
	var endpoint Endpoint
	var err error
	if choice.Provider != "" {
		if endpoint.Provider, err = c.Find(choice.Provider); err != nil || endpoint.Provider.Name == Demo {
			return endpoint, err
		}
		if endpoint.Provider.Name == ollama {
			endpoint.Provider.BaseURL = ollamaURL(endpoint.Provider.BaseURL, getenv(ollamaVariable))
		}
		endpoint.BaseURL = endpoint.Provider.BaseURL
	}
	if choice.BaseURL != "" {
		if endpoint.BaseURL, err = CleanURL(choice.BaseURL); err != nil {
			return Endpoint{}, err
		}
	}
	if endpoint.BaseURL == "" {
		return Endpoint{}, &UsageError{
			Message: "no model is chosen",
			Hint:    "give --provider NAME or --base-url URL, and --model NAME; --provider demo shows a tour without a model",
		}
	}
	if endpoint.Provider.Name == "" {
		endpoint.Provider = c.providerAt(endpoint.BaseURL)
	}
	return endpoint, nil
}

func noModel(endpoint Endpoint) *UsageError {
	hint := "give --model NAME as " + endpoint.Provider.Title + " spells it"
	if endpoint.Provider.Name == ollama {
		hint = "give --model NAME; `ollama list` shows the ones you have"
	}
	return &UsageError{Message: "no model is named for " + endpoint.Provider.Title, Hint: hint}
}

package catalog

import "strings"

// Choice is what a person asked for. Every field may be empty.
type Choice struct {
	// Provider is a provider's name.
	Provider string
	// BaseURL is an endpoint's address.
	BaseURL string
	// Model is the model's name at the provider.
	Model string
	// KeyEnv names the environment variable that holds the key.
	KeyEnv string
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
// provider's own host only; the key of a variable named in the choice goes to
// the address chosen. Whether there is such a key is not looked at. Every error
// is a *UsageError. getenv is os.Getenv or its like.
func Choose(choice Choice, getenv func(string) string) (Endpoint, error) {
	endpoint, err := Locate(choice, getenv)
	if err != nil || endpoint.Provider.Name == Demo {
		return endpoint, err
	}
	if endpoint.Model == "" {
		return Endpoint{}, noModel(endpoint)
	}
	return endpoint, nil
}

// Locate is Choose for those who do not know the model's name yet.
func Locate(choice Choice, getenv func(string) string) (Endpoint, error) {
	endpoint, err := locate(choice, getenv)
	if err != nil || endpoint.Provider.Name == Demo {
		return endpoint, err
	}
	endpoint.Model = strings.TrimSpace(choice.Model)
	if err := endpoint.chooseKey(choice); err != nil {
		return Endpoint{}, err
	}
	return endpoint, nil
}

// locate finds provider and address. The tour takes no notice of the rest: the
// settings file may name an address for other runs.
func locate(choice Choice, getenv func(string) string) (Endpoint, error) {
	var endpoint Endpoint
	var err error
	if choice.Provider != "" {
		if endpoint.Provider, err = Find(choice.Provider); err != nil || endpoint.Provider.Name == Demo {
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
		endpoint.Provider = at(endpoint.BaseURL)
	}
	return endpoint, nil
}

// at returns the provider whose host an address names, or one without a name.
func at(baseURL string) Provider {
	for _, p := range providers {
		if sameHost(p.BaseURL, baseURL) {
			return p
		}
	}
	return Provider{Title: hostPort(baseURL)}
}

func noModel(endpoint Endpoint) *UsageError {
	hint := "give --model NAME as " + endpoint.Provider.Title + " spells it"
	if endpoint.Provider.Name == ollama {
		hint = "give --model NAME; `ollama list` shows the ones you have"
	}
	return &UsageError{Message: "no model is named for " + endpoint.Provider.Title, Hint: hint}
}

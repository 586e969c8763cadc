package catalog

import (
	"fmt"
	"strings"
)

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
}

// UsageError is a choice that leads nowhere.
type UsageError struct {
	// Message says what is wrong.
	Message string
	// Hint says what to do about it.
	Hint string
}

func (e *UsageError) Error() string { return e.Message + "; " + e.Hint }

// Choose finds the endpoint for a choice. A provider alone is reached at its own
// address with the key of its own variable. A base URL alone is any
// OpenAI-compatible endpoint and needs no key. A provider's own key goes to the
// provider's own host only; the key of a variable named in the choice goes to
// the address chosen. Every error is a *UsageError. getenv is os.Getenv or its
// like.
func Choose(choice Choice, getenv func(string) string) (Endpoint, error) {
	endpoint, err := locate(choice)
	if err != nil || endpoint.Provider.Name == Demo {
		return endpoint, err
	}
	endpoint.KeyEnv, err = pickKey(choice, endpoint, getenv)
	if err != nil {
		return Endpoint{}, err
	}
	endpoint.Model = strings.TrimSpace(choice.Model)
	if endpoint.Model == "" {
		return Endpoint{}, noModel(endpoint)
	}
	return endpoint, nil
}

// locate finds provider and address. The tour takes no notice of the rest: the
// settings file may name an address for other runs.
func locate(choice Choice) (Endpoint, error) {
	var endpoint Endpoint
	var err error
	if choice.Provider != "" {
		if endpoint.Provider, err = Find(choice.Provider); err != nil || endpoint.Provider.Name == Demo {
			return endpoint, err
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

// pickKey returns the variable whose key goes to the endpoint, if one does.
func pickKey(choice Choice, endpoint Endpoint, getenv func(string) string) (string, error) {
	name, required := choice.KeyEnv, true
	if name == "" && sameHost(endpoint.Provider.BaseURL, endpoint.BaseURL) {
		// An address alone works without a key: the provider says if it wants one.
		name, required = endpoint.Provider.KeyEnv, choice.Provider != ""
	}
	if name == "" {
		return "", nil
	}
	if strings.TrimSpace(getenv(name)) == "" {
		if !required {
			return "", nil
		}
		return "", noKey(endpoint, name)
	}
	if err := checkSecret(endpoint.BaseURL, name); err != nil {
		return "", err
	}
	return name, nil
}

// noKey does not repeat a name that may be a key put in its place: names are
// written in capitals by custom, and no key is.
func noKey(endpoint Endpoint, name string) *UsageError {
	if name != strings.ToUpper(name) {
		return &UsageError{
			Message: "no key for " + endpoint.Provider.Title + ": the variable named with --api-key-env is not set",
			Hint:    "give the name of an environment variable that holds the key, not the key",
		}
	}
	return &UsageError{
		Message: fmt.Sprintf("no key for %s: the environment variable %s is not set", endpoint.Provider.Title, name),
		Hint:    fmt.Sprintf("set %s to your key, or name another variable with --api-key-env", name),
	}
}

func noModel(endpoint Endpoint) *UsageError {
	hint := "give --model NAME as " + endpoint.Provider.Title + " spells it"
	if endpoint.Provider.Name == "ollama" {
		hint = "give --model NAME; `ollama list` shows the ones you have"
	}
	return &UsageError{Message: "no model is named for " + endpoint.Provider.Title, Hint: hint}
}

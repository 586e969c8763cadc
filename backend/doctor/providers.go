package doctor

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/models"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

// lookup finds keys; in the keyring only where that answers.
type lookup struct {
	keys    *secret.Keys
	keyring bool
}

// providerFindings are those of the provider that is chosen in the settings, of the
// user's own, of those whose key is found, of the servers on this computer, and of
// the tour. The others share one line.
func providerFindings(ctx context.Context, file settings.File, keys lookup) []Finding {
	providers := models.Providers(file)
	findings, chosen := chosenFindings(providers, file)
	var endpoints, here []catalog.Endpoint
	for _, p := range providers.Providers() {
		endpoint, err := providers.Locate(catalog.Choice{Provider: p.Name}, os.Getenv)
		named := p.Name == chosen.Provider.Name
		if named {
			endpoint, err = chosen, nil
		}
		if err != nil {
			findings = append(findings, Finding{p.Name, Broken, oneLine(err.Error())})
			continue
		}
		endpoints = append(endpoints, endpoint)
		if (named || p.Own) && canBeAsked(endpoint) {
			here = append(here, endpoint)
		}
	}
	running := models.FindLocal(ctx, here...)
	var others []string
	for _, endpoint := range endpoints {
		p, found := endpoint.Provider, keys.lookUp(ctx, endpoint, running)
		if found.State != Missing || p.Own || p.Name == chosen.Provider.Name || p.Name == "ollama" {
			findings = append(findings, found)
			continue
		}
		others = append(others, p.Name)
	}
	return append(findings, Finding{
		"providers", OK, "set the variable of its key, save the key in the window, or start the server to use one of " + strings.Join(others, ", "),
	})
}

// chosenFindings says which provider the settings name, and what is wrong with that.
func chosenFindings(providers catalog.Catalog, file settings.File) ([]Finding, catalog.Endpoint) {
	choice := catalog.Choice{Provider: file.Value("provider"), BaseURL: file.Value("base_url"), KeyEnv: file.Value("api_key_env")}
	if choice.Provider == "" && choice.BaseURL == "" {
		return nil, catalog.Endpoint{}
	}
	chosen, err := providers.Locate(choice, os.Getenv)
	if err != nil {
		return []Finding{{"provider", Broken, oneLine(err.Error())}}, catalog.Endpoint{}
	}
	if chosen.Provider.Name == "" {
		return []Finding{{"provider", OK, "models are reached at " + chosen.Host()}}, catalog.Endpoint{}
	}
	return nil, chosen
}

// lookUp reports whether a provider can be used.
func (l lookup) lookUp(ctx context.Context, endpoint catalog.Endpoint, running []models.Local) Finding {
	p := endpoint.Provider
	switch {
	case endpoint.BaseURL == "":
		return Finding{p.Name, OK, p.Title + ", needs no key and no network"}
	case endpoint.KeyRequired:
		return l.keyFinding(ctx, endpoint)
	case canBeAsked(endpoint):
		return serverFinding(endpoint, running)
	}
	return Finding{p.Name, OK, p.Title + " is reached at " + endpoint.Host() + ", and may want a key"}
}

// canBeAsked reports whether an endpoint is a server on this computer that can be asked
// without a key.
func canBeAsked(endpoint catalog.Endpoint) bool {
	return endpoint.BaseURL != "" && endpoint.Loopback() && !endpoint.KeyRequired
}

// keyFinding looks for the provider's key where it is by custom, and never shows
// it.
func (l lookup) keyFinding(ctx context.Context, endpoint catalog.Endpoint) Finding {
	name, variable := endpoint.Provider.Name, endpoint.KeyEnv
	place := secret.KeyPlace{Variable: variable}
	if l.keyring {
		place.Account = secret.Account(endpoint.Account)
	}
	_, source, err := l.keys.Find(ctx, place, secret.Background)
	if fault, ok := errors.AsType[*secret.KeyError](err); ok {
		return Finding{name, Broken, oneLine(fault.Error())}
	}
	switch {
	case err != nil:
		return Finding{name, Missing, "set " + variable + " or save the key in the window to use " + endpoint.Provider.Title}
	case source == secret.FromKeyring:
		return Finding{name, OK, "key found in the system's keyring"}
	}
	return Finding{name, OK, "key found in " + variable}
}

// serverFinding reports whether a provider is among those that run on this computer.
func serverFinding(endpoint catalog.Endpoint, running []models.Local) Finding {
	p, host := endpoint.Provider, endpoint.Host()
	if slices.ContainsFunc(running, func(local models.Local) bool { return local.Provider.Name == p.Name }) {
		return Finding{p.Name, OK, p.Title + " answers at " + host}
	}
	return Finding{p.Name, Missing, "nothing answers at " + host + "; start " + p.Title + " to use it"}
}

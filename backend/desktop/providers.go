package desktop

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"fairlead/backend/settings"
)

// Provider is a place where models are reached, as the page shows it.
type Provider struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Aliases are what else people call it.
	Aliases []string `json:"aliases"`
	BaseURL string   `json:"baseUrl"`
	// NeedsKey says that it is not used without a key by custom.
	NeedsKey bool `json:"needsKey"`
	// KeyEnv is the variable that holds the key by custom.
	KeyEnv string `json:"keyEnv"`
	// Local says that it is on this computer.
	Local bool `json:"local"`
	// Own says that it is one of the user's own, from the settings file.
	Own bool `json:"own"`
	// KeyPrefixes are how its keys begin, where that tells them from those of all
	// others.
	KeyPrefixes []string `json:"keyPrefixes"`
}

// OwnProvider is a provider of the user's own, as it is added to the settings file.
type OwnProvider struct {
	// Name is what the user types: lower-case letters, digits and hyphens.
	Name string `json:"name"`
	// Title is what the user reads; empty means Name.
	Title   string `json:"title"`
	BaseURL string `json:"baseUrl"`
	// KeyEnv is the variable that holds the key; it may be empty.
	KeyEnv string `json:"keyEnv"`
	// Dialect is the known provider that it speaks like; it may be empty.
	Dialect string   `json:"dialect"`
	Headers []Header `json:"headers"`
	// Body is a JSON object with fields for every chat request; it may be empty.
	Body string `json:"body"`
	// WrittenCalls says that its models may write calls into the text of their replies.
	WrittenCalls bool `json:"writtenCalls"`
	// Protocol is how its models are asked: chat, responses or messages; empty leaves that
	// to the models. Family is the family of all of them; empty leaves that to their names.
	Protocol string `json:"protocol"`
	Family   string `json:"family"`
	// ContextWindow is how many tokens its models take at once; 0 is not said.
	ContextWindow int `json:"contextWindow"`
}

// Header goes with every request; {key} in its value stands for the key.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Providers returns the user's own providers and those that are known, but for the
// tour, as many as travel at once.
func (m *Models) Providers() ([]Provider, error) {
	return Guard(m.window, func() ([]Provider, error) {
		providers, size := []Provider{}, len("[]")
		for _, p := range m.window.remembered.catalog().Providers() {
			one := Provider{
				p.Name, p.Title, append([]string{}, p.Aliases...), p.BaseURL, p.KeyEnv != "", p.KeyEnv, p.Local, p.Own,
				append([]string{}, p.KeyPrefixes...),
			}
			text, _ := json.Marshal(one) // texts always encode
			if size += len(text) + 1; p.BaseURL == "" || size > maxJSON {
				break // the tour is the last
			}
			providers = append(providers, one)
		}
		return providers, nil
	})
}

// OwnProviders returns the providers of the user's own, as many as travel at once.
func (m *Models) OwnProviders() ([]OwnProvider, error) {
	return Guard(m.window, func() ([]OwnProvider, error) {
		providers, size := []OwnProvider{}, len("[]")
		for _, own := range m.window.remembered.settings().Providers() {
			one := ownProvider(own)
			text, _ := json.Marshal(one) // texts and numbers always encode
			if size += len(text) + 1; size > maxJSON {
				break
			}
			providers = append(providers, one)
		}
		return providers, nil
	})
}

// ownProvider is a provider of the settings file as the page shows it.
func ownProvider(own settings.OwnProvider) OwnProvider {
	shown := OwnProvider{
		Name: own.Name, Title: own.Title, BaseURL: own.BaseURL, KeyEnv: own.KeyEnv, Dialect: own.Dialect,
		Headers: []Header{}, WrittenCalls: own.WrittenCalls, Protocol: own.Protocol, Family: own.Family, ContextWindow: own.ContextWindow,
	}
	for _, name := range slices.Sorted(maps.Keys(own.Headers)) {
		shown.Headers = append(shown.Headers, Header{name, own.Headers[name]})
	}
	if len(own.Body) > 0 {
		text, _ := json.Marshal(own.Body) // it was read from a file as JSON
		shown.Body = string(text)
	}
	return shown
}

// SaveProvider writes a provider of the user's own into the settings file, in place
// of the one with its name.
func (m *Models) SaveProvider(provider OwnProvider) (None, error) {
	return Guard(m.window, func() (None, error) {
		own := settings.OwnProvider{
			Name: provider.Name, Title: provider.Title, BaseURL: provider.BaseURL, KeyEnv: provider.KeyEnv, Dialect: provider.Dialect,
			Headers: map[string]string{}, WrittenCalls: provider.WrittenCalls, Protocol: provider.Protocol, Family: provider.Family,
			ContextWindow: provider.ContextWindow,
		}
		for _, header := range provider.Headers {
			own.Headers[header.Name] = header.Value
		}
		if provider.Body != "" {
			if err := json.Unmarshal([]byte(provider.Body), &own.Body); err != nil {
				return None{}, &Fault{Code: CodeUsage, Message: fmt.Sprintf("the fields for every request are no JSON object: %v", err)}
			}
		}
		if err := m.window.agreeProvider(own); err != nil {
			return None{}, err
		}
		return None{}, m.window.changeFile(func(folder string) error { return settings.AddProvider(folder, own) })
	})
}

// RemoveProvider takes a provider of the user's own out of the settings file. A key
// that was kept for it stays until ForgetKey.
func (m *Models) RemoveProvider(name string) (None, error) {
	return Guard(m.window, func() (None, error) {
		return None{}, m.window.changeFile(func(folder string) error { return settings.RemoveProvider(folder, name) })
	})
}

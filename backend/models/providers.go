package models

import (
	"encoding/json"
	"maps"
	"net/http"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/settings"
)

// Providers returns the known providers and the user's own of a settings file.
func Providers(file settings.File) catalog.Catalog {
	var own []catalog.Provider
	for _, p := range file.Providers() {
		own = append(own, ownProvider(p))
	}
	return catalog.With(own)
}

func ownProvider(own settings.OwnProvider) catalog.Provider {
	p := catalog.Provider{
		Name: own.Name, Title: own.Title, BaseURL: own.BaseURL, KeyEnv: own.KeyEnv, Speaks: own.Dialect,
		Body: map[string]json.RawMessage{}, Window: own.ContextWindow, Protocol: llm.Protocol(own.Protocol), Family: own.Family, Own: true,
	}
	if p.Title == "" {
		p.Title = p.Name
	}
	// The settings have checked the address, which is brought into the one form here.
	if clean, err := catalog.CleanURL(own.BaseURL); err == nil {
		p.BaseURL = clean
	}
	if like, err := (catalog.Catalog{}).Find(own.Dialect); err == nil {
		p.Dialect = like.Dialect
		maps.Copy(p.Body, like.Body)
	}
	maps.Copy(p.Body, own.Body)
	if own.WrittenCalls {
		p.Dialect.WrittenCalls = true
	}
	if len(own.Headers) > 0 {
		p.Header = http.Header{}
	}
	for name, value := range own.Headers {
		p.Header.Set(name, value)
	}
	return p
}

package models

import (
	"cmp"
	"net/http"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/wire"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

// clientConfig is the configuration of a client for an endpoint. The error is a
// *catalog.UsageError.
func (m *Models) clientConfig(endpoint catalog.Endpoint, key secret.Key) (openai.Config, error) {
	calls := m.calls.Load()
	network, err := m.Network()
	if err != nil {
		return openai.Config{}, err
	}
	config := openai.Config{
		BaseURL: endpoint.BaseURL, APIKey: key.Reveal(), Model: endpoint.Model,
		Dialect: endpoint.Dialect, Body: endpoint.Body,
		Effort: cmp.Or(endpoint.Effort, llm.Effort(calls.Effort)), MaxTokens: calls.MaxTokens, Temperature: calls.Temperature,
		Transport: wire.NewBase(network), Redact: m.redactor.Bytes,
	}
	var inHeader bool
	if config.Header, inHeader = withKey(endpoint.Header, key); inHeader {
		config.APIKey = "" // it goes where the user said, and nowhere else
	}
	return config, nil
}

// withKey puts the key into the headers that want it, and reports whether any does.
// Without a key those are left out.
func withKey(header http.Header, key secret.Key) (filled http.Header, wanted bool) {
	filled = http.Header{}
	for name, values := range header {
		for _, value := range values {
			wants := strings.Contains(value, settings.KeyMark)
			wanted = wanted || wants
			if !wants || key.Reveal() != "" {
				filled.Add(name, strings.ReplaceAll(value, settings.KeyMark, key.Reveal()))
			}
		}
	}
	return filled, wanted
}

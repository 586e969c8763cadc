// Package protocol has what the clients of all protocols share: how an endpoint is reached,
// which texts of a conversation go there, and how an answer is gathered.
//
//  1. config.go     names endpoint and model; failed.go gives failures types, lessons.go
//     learns from refusals
//  2. texts.go      takes known secrets out of the texts of a request, ids.go makes ids fit
//     for strict endpoints, order.go puts reasoning before what it led to
//  3. reply.go      gathers a reply within bounds.go, and tells of it as it comes
//  4. content.go    finds the reasoning that a model wrote into its text, and written.go the
//     calls, by the marks of marks.go
//  5. arguments.go  makes a JSON object of what a model wrote as arguments, or refuses it
//  6. client.go     is the client of protocols whose answers are events, answer.go what
//     their readers share
package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
)

// minKey is the length, in bytes, from which a key is taken out of texts. Local
// servers are given words like "ollama" as keys, which may stand anywhere.
const minKey = 16

// Config says which endpoint and which model to use.
type Config struct {
	// BaseURL is the endpoint up to, and without, the path of the protocol, such as
	// /chat/completions.
	BaseURL string
	// APIKey is the key as the user gave it; empty sends none.
	APIKey string
	// Header is sent with every request beside what the protocol wants.
	Header http.Header
	// Model is the model's name as the endpoint knows it.
	Model string
	// Dialect is what the endpoint and the model want of a request.
	Dialect llm.Dialect
	// Body are fields for every request for a reply that the protocol does not know, or
	// other values for those it does.
	Body map[string]json.RawMessage
	// Effort is how much the model should reason.
	Effort llm.Effort
	// MaxTokens bounds a reply, in tokens; 0 leaves it to the endpoint.
	MaxTokens int
	// Temperature is how freely the model chooses its words, from 0; nil leaves it to
	// the endpoint.
	Temperature *float64
	// Lessons are the names of what earlier refusals taught of this model, and Learned is
	// told of new ones; nil tells nobody.
	Lessons []string
	Learned func(lesson string)
	// Changes is set where a refusal that names another protocol is answered by changing to
	// it, so that nothing is learned from the refusal for this one.
	Changes bool
	// Transport carries the requests; nil means wire.NewBase.
	Transport http.RoundTripper
	// Redact takes known secrets, APIKey among them, out of the texts of a request
	// and of errors; nil takes out APIKey alone. It may neither change
	// nor keep the bytes it is given.
	Redact func([]byte) []byte
}

// Check fails when the base URL or the model is no use.
func (c Config) Check() error {
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return errors.New("open model: the base URL must begin with http:// or https:// and name a host")
	}
	if c.Model == "" {
		return errors.New("open model: no model is named")
	}
	return nil
}

// NewTransport returns what carries the requests of a client.
func (c Config) NewTransport() *wire.Transport {
	transport := &wire.Transport{Base: c.Transport, Header: c.Header, Redact: c.RedactText}
	if transport.Base == nil {
		transport.Base = wire.NewBase(wire.Network{})
	}
	return transport
}

// RedactText takes known secrets out of a text, or at least the key.
func (c Config) RedactText(text []byte) []byte {
	if c.Redact != nil {
		return c.Redact(text)
	}
	if key := []byte(c.APIKey); len(key) >= minKey && bytes.Contains(text, key) {
		text = bytes.ReplaceAll(text, key, []byte("[API key]"))
	}
	return text
}

// Package responses reaches endpoints that speak OpenAI's Responses, and makes a llm.Model
// of them. Nothing is kept at the provider (store is false): each request carries the whole
// conversation, with the model's reasoning as the provider encrypted it.
//
//  1. request.go  writes a request, history.go the items of its conversation
//  2. lessons.go  learns from a refusal what the endpoint does not take
//  3. answer.go   gathers the answer from the events of event.go
package responses

import (
	"net/http"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
)

// Client is a model behind an endpoint. It is safe for concurrent use.
type Client struct{ *protocol.Client[sending] }

var _ llm.Model = Client{}

// New returns a client. It fails when the base URL or the model is no use.
func New(config protocol.Config) (Client, error) {
	form := protocol.Form[sending]{
		Protocol:   llm.Responses,
		SetHeader:  setHeader,
		NewBody:    func(req llm.Request, sent sending) any { return newRequest(config, req, sent) },
		SentEffort: sending.sentEffort,
		NewAnswer:  func(a protocol.Answer) protocol.Reader { return &answer{Answer: a} },
	}
	how := sending{effort: config.Effort, efforts: config.Dialect.Efforts}
	client, err := protocol.NewClient(config, form, protocol.NewLearner(how, lessons, teachEfforts, config))
	return Client{client}, err
}

func setHeader(header http.Header, key string) {
	if key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
}

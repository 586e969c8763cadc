// Package anthropic reaches endpoints that speak Anthropic's Messages, and makes a
// llm.Model of them.
//
//  1. request.go  writes a request, history.go its messages, cache.go marks what the
//     provider is to keep in its cache
//  2. lessons.go  learns from a refusal what the endpoint does not take
//  3. answer.go   gathers the answer from the events of event.go
package anthropic

import (
	"net/http"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
)

// version is the one of the protocol that the provider is told; there is no newer one.
const version = "2023-06-01"

// Client is a model behind an endpoint. It is safe for concurrent use.
type Client struct{ *protocol.Client[sending] }

var _ llm.Model = Client{}

// New returns a client. It fails when the base URL or the model is no use.
func New(config protocol.Config) (Client, error) {
	form := protocol.Form[sending]{
		Protocol:   llm.Messages,
		SetHeader:  setHeader,
		NewBody:    func(req llm.Request, sent sending) any { return newRequest(config, req, sent) },
		SentEffort: sending.sentEffort,
		NewAnswer:  func(a protocol.Answer) protocol.Reader { return &answer{Answer: a} },
	}
	how := sending{effort: config.Effort, efforts: config.Dialect.Efforts, maxTokens: mostTokens}
	if config.MaxTokens > 0 {
		how.maxTokens = config.MaxTokens
	}
	client, err := protocol.NewClient(config, form, protocol.NewLearner(how, lessons, teachEfforts, config))
	return Client{client}, err
}

func setHeader(header http.Header, key string) {
	header.Set("Anthropic-Version", version)
	if key != "" {
		header.Set("X-Api-Key", key)
	}
}

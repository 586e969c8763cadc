package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// ToolUse is what a model did when it was told to call a tool.
type ToolUse string

// What it can do. A model that ignores tools cannot work on files.
const (
	ToolsCalled  ToolUse = "called"
	ToolsIgnored ToolUse = "ignored"
)

// probeTokens bounds the reply of a model that is tested, in tokens.
const probeTokens = 256

// ping is the tool that a model is told to call.
var ping = llm.Tool{
	Name: "ping", Description: "Answers pong. It takes no arguments.",
	Parameters: json.RawMessage(`{"type":"object","properties":{}}`),
}

// probeTools tells a model to call a tool, and says what it did. The error is an
// *llm.Error, or the context's cause.
func probeTools(ctx context.Context, endpoint catalog.Endpoint, config protocol.Config) (ToolUse, error) {
	config.MaxTokens = probeTokens
	if config.Effort == "" {
		config.Effort = llm.EffortLow // else it may think longer than it may answer
	}
	model, err := newChangingModel(endpoint, config)
	if err != nil {
		return "", &llm.Error{Class: llm.BadRequest, Message: err.Error(), Hint: "check the base URL and the model", Err: err}
	}
	if transport, ok := config.Transport.(*http.Transport); ok {
		defer transport.CloseIdleConnections() // nothing is asked of it again
	}
	limited, stop := context.WithTimeoutCause(ctx, probeTime, timeoutError(probeTime))
	defer stop()
	said := message.Message{
		Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: "Call the tool ping once, now."}},
	}
	reply, err := model.Stream(limited, llm.Request{
		System: "You test whether tools can be called.", Messages: []message.Message{said}, Tools: []llm.Tool{ping},
	}, func(llm.Delta) {})
	refused, typed := errors.AsType[*llm.Error](err)
	switch {
	case typed:
		return "", refused
	case err != nil:
		return "", err
	case len(reply.Calls) > 0:
		return ToolsCalled, nil
	case reply.Finish == llm.FinishLength:
		return "", &llm.Error{
			Class: llm.Truncated, Message: fmt.Sprintf("the model used up the %d tokens of the test before it called the tool", probeTokens),
			Hint: "it may work all the same; a lower reasoning_effort makes it answer sooner",
		}
	}
	return ToolsIgnored, nil
}

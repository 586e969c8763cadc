package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
)

// maxList is how long a list of models may be, in bytes. The longest known is
// about 1 MB.
const maxList = 8 << 20

// ListModels returns the names of the models that an endpoint offers, sorted, each
// once. Of the config only what leads to the endpoint is used. Errors are an
// *llm.Error, or the context's cause once that has ended; the context alone limits
// how long it takes.
func ListModels(ctx context.Context, config protocol.Config) ([]string, error) {
	text, err := get(ctx, config, config.BaseURL+"/models")
	if err != nil {
		return nil, err
	}
	return modelNames(text)
}

// get reads what an endpoint has at an address.
func get(ctx context.Context, config protocol.Config, address string) ([]byte, error) {
	return send(ctx, config, http.MethodGet, address, nil)
}

// send sends a request outside the conversation, and reads the answer.
func send(ctx context.Context, config protocol.Config, method, address string, body []byte) ([]byte, error) {
	transport := config.NewTransport()
	transport.Whole = true
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, &llm.Error{Class: llm.BadRequest, Message: "the base URL cannot be used", Hint: "check the base URL"}
	}
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if config.APIKey != "" {
		request.Header.Set("Authorization", "Bearer "+config.APIKey)
	}
	// Nothing is asked of this transport again.
	request.Close = true
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return nil, listError(ctx, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxList+1))
	if err != nil {
		return nil, listError(ctx, err)
	}
	if len(text) > maxList {
		return nil, noList("it is longer than 8 MiB")
	}
	return text, nil
}

// listError is the error of a list that did not arrive.
func listError(ctx context.Context, err error) error {
	if known := protocol.TypedError(ctx, err); known != nil {
		return known
	}
	return &llm.Error{Class: llm.Network, Message: "list models: " + err.Error(), Hint: "check the base URL and the network", Err: err}
}

func noList(why string) *llm.Error {
	return &llm.Error{Class: llm.Malformed, Message: "the server's list of models cannot be read: " + why, Hint: "check the base URL"}
}

// listed is one entry of a list.
type listed struct {
	ID string `json:"id"`
}

// modelNames reads a list: an object with the entries under data, or, from a few
// servers, the entries alone.
func modelNames(text []byte) ([]string, error) {
	var list struct {
		Data []listed `json:"data"`
	}
	into := any(&list)
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
		into = &list.Data
	}
	if err := json.Unmarshal(text, into); err != nil {
		return nil, noList(describeFault(err))
	}
	if list.Data == nil {
		return nil, noList("it has no data")
	}
	names := make([]string, 0, len(list.Data))
	for _, entry := range list.Data {
		if entry.ID != "" {
			names = append(names, entry.ID)
		}
	}
	slices.Sort(names)
	return withoutFolder(slices.Compact(names)), nil
}

// withoutFolder drops what Gemini puts before every name of its list: its own address
// of the model, which others call by the name alone.
func withoutFolder(names []string) []string {
	const folder = "models/"
	within := func(name string) bool { return strings.HasPrefix(name, folder) }
	if slices.ContainsFunc(names, func(name string) bool { return !within(name) }) {
		return names
	}
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, folder)
	}
	return names
}

// describeFault says what is wrong with a text that is no list, without any of the text.
func describeFault(err error) string {
	if fault, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%q is of another type", fault.Field)
	}
	return "it is no JSON"
}

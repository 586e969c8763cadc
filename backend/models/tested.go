package models

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/secret"
)

const (
	// testTime is how long a provider may take to list its models, and probeTime how
	// long a model may take to answer.
	testTime  = 15 * time.Second
	probeTime = 30 * time.Second
)

// Tested is what an endpoint answered.
type Tested struct {
	// Models are the names it offers, sorted; empty, and not nil, when it does not
	// list them.
	Models []string
	// Listed reports whether it lists its models. One that does not was reached all
	// the same.
	Listed bool
	// KeyChecked says that the endpoint took the key for something that it refuses
	// without: some list their models to everybody.
	KeyChecked bool
	// Elapsed is the time the list took.
	Elapsed time.Duration
	// Tools says what the model did that was named: it is empty where none was, or
	// where ProbeErr says why it did nothing.
	Tools ToolUse
	// ProbeErr is why the model could not be asked, an *llm.Error: a provider that
	// lists its models to everybody says here that it does not take the key.
	ProbeErr error
	// ProbeElapsed is the time the model took.
	ProbeElapsed time.Duration
	// URL is the address a run would send its requests to.
	URL string
}

// Test asks an endpoint for its models and, where one is named, that one to call
// a tool, with the given key or, where that is the zero Key, with the one that a run
// would use. The endpoint may be one without a model (catalog.Catalog.Locate). A key
// that may not travel there, or that is missing, is a *catalog.UsageError; a fault on
// the way or at the provider an *llm.Error, with which the model is not asked.
func (m *Models) Test(ctx context.Context, endpoint catalog.Endpoint, key secret.Key) (Tested, error) {
	if endpoint.Provider.Name == catalog.Demo {
		return Tested{Models: []string{}}, nil
	}
	tested := Tested{Models: []string{}, URL: m.URL(endpoint)}
	if key == (secret.Key{}) {
		var err error
		if key, err = m.key(ctx, endpoint); err != nil {
			return tested, err
		}
	} else if err := endpoint.CheckKey(); err != nil {
		return tested, err
	}
	m.redactor.Add(key.Reveal())
	config, err := m.clientConfig(endpoint, key)
	if err != nil {
		return tested, err
	}
	start := time.Now()
	models, err := list(ctx, listingConfig(config, endpoint, key))
	tested.Elapsed = time.Since(start)
	switch {
	case err == nil:
		tested.Models, tested.Listed = models, true
	case !isUnlisted(err):
		return tested, explainRefusedKey(err, endpoint, key)
	}
	if endpoint.Model != "" {
		start = time.Now()
		tested.Tools, err = probeTools(ctx, endpoint, config)
		tested.ProbeElapsed = time.Since(start)
		tested.ProbeErr = explainRefusedKey(err, endpoint, key)
	}
	tested.KeyChecked = key.Reveal() != "" && (tested.Tools != "" || tested.Listed && listsOnlyWithKey(ctx, listingConfig(config, endpoint, secret.Key{})))
	return tested, nil
}

// List returns the names of the models that an endpoint offers, sorted; false where it does not
// list them. Its key is the one that a run would use, and its errors are those of Test.
func (m *Models) List(ctx context.Context, endpoint catalog.Endpoint) ([]string, bool, error) {
	key, err := m.key(ctx, endpoint)
	if err != nil {
		return nil, false, err
	}
	config, err := m.clientConfig(endpoint, key)
	if err != nil {
		return nil, false, err
	}
	names, err := list(ctx, listingConfig(config, endpoint, key))
	if isUnlisted(err) {
		return nil, false, nil
	}
	return names, err == nil, explainRefusedKey(err, endpoint, key)
}

// listsOnlyWithKey reports whether an endpoint lists nothing to those without a key.
func listsOnlyWithKey(ctx context.Context, config protocol.Config) bool {
	config.APIKey = ""
	_, err := list(ctx, config)
	refused, ok := errors.AsType[*llm.Error](err)
	return ok && (refused.Class == llm.Auth || refused.Class == llm.BadRequest)
}

// explainRefusedKey adds to the refusal of a key that it is another provider's, where that can
// be seen.
func explainRefusedKey(err error, endpoint catalog.Endpoint, key secret.Key) error {
	refused, ok := errors.AsType[*llm.Error](err)
	if !ok || refused.Class != llm.Auth {
		return err
	}
	owner, ok := catalog.Catalog{}.OfKey(key.Reveal())
	if !ok || owner.Name == endpoint.Provider.Name {
		return err
	}
	told := *refused
	told.Hint = fmt.Sprintf("the key looks like one of %s; choose that provider, or another key", owner.Title)
	return &told
}

// listingConfig is the configuration with which the models of an endpoint are listed.
func listingConfig(config protocol.Config, endpoint catalog.Endpoint, key secret.Key) protocol.Config {
	if header := endpoint.Provider.ListHeader; header != nil {
		config.Header, _ = withKey(header, key)
		config.APIKey = ""
	}
	return config
}

// list lists the models of an endpoint.
func list(ctx context.Context, config protocol.Config) ([]string, error) {
	limited, stop := context.WithTimeoutCause(ctx, testTime, timeoutError(testTime))
	defer stop()
	return openai.ListModels(limited, config)
}

// timeoutError is the error of a test that got no answer in time.
func timeoutError(limit time.Duration) error {
	return &llm.Error{Class: llm.Network, Message: "no answer within " + limit.String(), Hint: "check the base URL and the network"}
}

// isUnlisted reports whether an endpoint answered that it does not list its models.
func isUnlisted(err error) bool {
	refused, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return false
	}
	return refused.Status == http.StatusNotFound || refused.Status == http.StatusMethodNotAllowed ||
		refused.Status == http.StatusNotImplemented
}

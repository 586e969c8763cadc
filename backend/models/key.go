package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/secret"
)

// keyPlace is where the key for an endpoint may lie.
func keyPlace(endpoint catalog.Endpoint) secret.KeyPlace {
	return secret.KeyPlace{
		Variable: endpoint.KeyEnv, Account: secret.Account(endpoint.Account),
		// Another server on this computer can ask for a key, which then lies in the
		// keyring.
		Local: endpoint.Provider.Local && endpoint.Loopback(),
	}
}

// FindKey returns the key for an endpoint, says where it was, and makes it known
// to the redactor. patience is secret.Background, or secret.Visible where a
// user waits. Its errors are those of secret.Keys.
func (m *Models) FindKey(ctx context.Context, endpoint catalog.Endpoint, patience time.Duration) (secret.Key, secret.Source, error) {
	key, source, err := m.keys.Find(ctx, keyPlace(endpoint), patience)
	if err == nil {
		m.redactor.Add(key.Reveal())
	}
	return key, source, err
}

// SaveKey keeps a key for an endpoint in the system's keyring, waiting up to
// secret.Visible for the user to unlock it. An endpoint that no key may go to
// gives a *catalog.UsageError, the keyring a *secret.KeyringError.
func (m *Models) SaveKey(ctx context.Context, endpoint catalog.Endpoint, key secret.Key) error {
	if err := endpoint.CheckKey(); err != nil {
		return err
	}
	m.redactor.Add(key.Reveal())
	return m.keys.Save(ctx, secret.Account(endpoint.Account), key)
}

// HoldKey keeps a key for an endpoint until the process ends. An endpoint that no
// key may go to gives a *catalog.UsageError.
func (m *Models) HoldKey(endpoint catalog.Endpoint, key secret.Key) error {
	if err := endpoint.CheckKey(); err != nil {
		return err
	}
	m.redactor.Add(key.Reveal())
	m.keys.Hold(secret.Account(endpoint.Account), key)
	return nil
}

// ForgetKey removes what SaveKey and HoldKey kept for an endpoint.
func (m *Models) ForgetKey(ctx context.Context, endpoint catalog.Endpoint) error {
	return m.keys.Forget(ctx, secret.Account(endpoint.Account))
}

// CheckKey reports that an endpoint needs a key of which none is known, as a *catalog.UsageError.
func (m *Models) CheckKey(ctx context.Context, endpoint catalog.Endpoint) error {
	if !endpoint.KeyRequired {
		return nil
	}
	_, err := m.key(ctx, endpoint)
	return err
}

// key returns the key a model is reached with. One that an endpoint can do without
// may be the zero Key.
func (m *Models) key(ctx context.Context, endpoint catalog.Endpoint) (secret.Key, error) {
	key, _, err := m.FindKey(ctx, endpoint, secret.Background)
	missing, ok := errors.AsType[*secret.NoKeyError](err)
	switch {
	case err == nil:
		return key, nil
	case !ok:
		return secret.Key{}, fmt.Errorf("find API key: %w", err)
	case endpoint.KeyRequired:
		return secret.Key{}, noKeyError(endpoint, missing)
	}
	if missing.Keyring != nil && missing.Keyring.Kind != secret.NotFound {
		m.log.Warn("find API key", "endpoint", endpoint.BaseURL, "error", missing.Keyring)
	}
	return secret.Key{}, nil
}

func noKeyError(endpoint catalog.Endpoint, missing *secret.NoKeyError) error {
	if missing.Keyring == nil {
		return endpoint.NoKey("")
	}
	return endpoint.NoKey(missing.Keyring.State())
}

package backend

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/settings"
)

// place is where the key for an endpoint may lie.
func place(endpoint catalog.Endpoint) settings.KeyPlace {
	return settings.KeyPlace{
		Variable: endpoint.KeyEnv, Account: settings.Account(endpoint.Account),
		// Another server on this computer can ask for a key, which then lies in the
		// keyring.
		Local: endpoint.Provider.Local && endpoint.Loopback(),
	}
}

// FindKey returns the key for an endpoint, says where it was, and makes it known
// to the redactor. patience is settings.Background, or settings.Visible where a
// person waits. Its errors are those of settings.Keys.
func (b *Backend) FindKey(ctx context.Context, endpoint catalog.Endpoint, patience time.Duration) (settings.Key, settings.Source, error) {
	key, source, err := b.Keys.Find(ctx, place(endpoint), patience)
	if err == nil {
		b.Redactor.Add(key.Reveal())
	}
	return key, source, err
}

// SaveKey keeps a key for an endpoint in the system's keyring, waiting up to
// settings.Visible for the person to unlock it. An endpoint that no key may go to
// gives a *catalog.UsageError, the keyring a *settings.KeyringError.
func (b *Backend) SaveKey(ctx context.Context, endpoint catalog.Endpoint, key settings.Key) error {
	if err := endpoint.CheckKey(); err != nil {
		return err
	}
	b.Redactor.Add(key.Reveal())
	return b.Keys.Save(ctx, settings.Account(endpoint.Account), key)
}

// HoldKey keeps a key for an endpoint until the process ends. An endpoint that no
// key may go to gives a *catalog.UsageError.
func (b *Backend) HoldKey(endpoint catalog.Endpoint, key settings.Key) error {
	if err := endpoint.CheckKey(); err != nil {
		return err
	}
	b.Redactor.Add(key.Reveal())
	b.Keys.Hold(settings.Account(endpoint.Account), key)
	return nil
}

// ForgetKey removes what SaveKey and HoldKey kept for an endpoint.
func (b *Backend) ForgetKey(ctx context.Context, endpoint catalog.Endpoint) error {
	return b.Keys.Forget(ctx, settings.Account(endpoint.Account))
}

// key returns the key a model is reached with. One that an endpoint can do without
// may be the zero Key.
func (b *Backend) key(ctx context.Context, endpoint catalog.Endpoint) (settings.Key, error) {
	key, _, err := b.FindKey(ctx, endpoint, settings.Background)
	missing, ok := errors.AsType[*settings.NoKeyError](err)
	switch {
	case err == nil:
		return key, nil
	case !ok:
		return settings.Key{}, fmt.Errorf("find API key: %w", err)
	case endpoint.KeyRequired:
		return settings.Key{}, noKey(endpoint, missing)
	}
	if missing.Keyring != nil && missing.Keyring.Kind != settings.NotFound {
		b.Log.Warn("find API key", "endpoint", endpoint.BaseURL, "error", missing.Keyring)
	}
	return settings.Key{}, nil
}

func noKey(endpoint catalog.Endpoint, missing *settings.NoKeyError) error {
	if missing.Keyring == nil {
		return endpoint.NoKey("")
	}
	return endpoint.NoKey(missing.Keyring.State())
}

package remote

import (
	"context"
	"errors"
	"sync"

	"fairlead/backend/secret"
)

// TokenStore keeps what signing in to a server with an issuer gave, one value for each
// pair. It is safe for concurrent use.
type TokenStore interface {
	// Load returns the value; the zero Key where there is none.
	Load(ctx context.Context, server, issuer string) (secret.Key, error)
	// Save keeps the value. With an error it is kept as long as the store lives only.
	Save(ctx context.Context, server, issuer string, value secret.Key) error
	// Delete removes the value. None to remove is no error.
	Delete(ctx context.Context, server, issuer string) error
}

// KeyringTokens keeps values in the system's keyring, and in memory where there is none.
// The errors of its methods are those of a secret.Keyring.
type KeyringTokens struct {
	keys *secret.Keys

	mu sync.Mutex
	// held are the accounts whose values are in memory: what is there goes before the
	// keyring.
	held map[secret.Account]bool
}

// NewKeyringTokens returns a store over the user's keys.
func NewKeyringTokens(keys *secret.Keys) *KeyringTokens {
	return &KeyringTokens{keys: keys, held: map[secret.Account]bool{}}
}

func tokenAccount(server, issuer string) secret.Account {
	return secret.Account("mcp:" + server + "@" + issuer)
}

// Load implements TokenStore.
func (t *KeyringTokens) Load(ctx context.Context, server, issuer string) (secret.Key, error) {
	key, _, err := t.keys.Find(ctx, secret.KeyPlace{Account: tokenAccount(server, issuer)}, secret.Background)
	missing, ok := errors.AsType[*secret.NoKeyError](err)
	switch {
	case !ok:
		return key, err
	case missing.Keyring == nil, missing.Keyring.Kind == secret.NotFound, missing.Keyring.Kind == secret.Absent:
		return secret.Key{}, nil
	default:
		return secret.Key{}, missing.Keyring
	}
}

// Save implements TokenStore.
func (t *KeyringTokens) Save(ctx context.Context, server, issuer string, value secret.Key) error {
	account := tokenAccount(server, issuer)
	err := t.keys.Save(ctx, account, value)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil || t.held[account] {
		t.keys.Hold(account, value)
		t.held[account] = true
	}
	return err
}

// Delete implements TokenStore.
func (t *KeyringTokens) Delete(ctx context.Context, server, issuer string) error {
	account := tokenAccount(server, issuer)
	t.mu.Lock()
	delete(t.held, account)
	t.mu.Unlock()
	return t.keys.Forget(ctx, account)
}

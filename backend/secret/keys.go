package secret

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

// Source is where a key was found.
type Source string

// The sources, in the order in which they are asked.
const (
	FromSession     Source = "session"
	FromEnvironment Source = "environment"
	FromKeyring     Source = "keyring"
)

// KeyPlace is where the key for one endpoint may lie.
type KeyPlace struct {
	// Variable is an environment variable; empty when no variable's key may be
	// used.
	Variable string
	// Account is the name it is kept under in the keyring and for this session;
	// empty when none of these may be used.
	Account Account
	// Local says that the endpoint is on this computer. It needs no key as a rule,
	// so the keyring is not troubled.
	Local bool
}

// NoKeyError is a place without a key.
type NoKeyError struct {
	// Keyring is what the keyring said; nil when it was not asked.
	Keyring *KeyringError
}

func (e *NoKeyError) Error() string {
	if e.Keyring == nil {
		return "find key: there is none; set the environment variable, or give the key in the settings"
	}
	return "find key: " + e.Keyring.State() + "; " + e.Keyring.Advice()
}

// Keys finds and keeps the user's keys: in memory until the process ends, where they go
// before all others, in environment variables, which are only read, and in the system's
// keyring. It is safe for concurrent use.
type Keys struct {
	keyring *Keyring

	mu    sync.Mutex
	held  map[Account]Key
	taken map[string]Key
}

// NewKeys returns the keys. It asks nothing yet.
func NewKeys() *Keys {
	return &Keys{keyring: NewKeyring(), held: map[Account]Key{}, taken: map[string]Key{}}
}

// Find returns the key at a place and says where it was. The keyring is given as
// long as patience says, Background or Visible. No key is a *NoKeyError, a
// variable whose value is no key a *KeyError; the cause of a context that ended is
// returned as it is.
func (k *Keys) Find(ctx context.Context, place KeyPlace, patience time.Duration) (Key, Source, error) {
	if key, ok := k.heldFor(place.Account); ok {
		return key, FromSession, nil
	}
	if place.Variable != "" {
		key, err := k.fromEnvironment(place.Variable)
		if err == nil {
			return key, FromEnvironment, nil
		}
		if fault, ok := errors.AsType[*KeyError](err); ok && !fault.Unset {
			return Key{}, "", err
		}
	}
	missing := &NoKeyError{}
	if place.Account == "" {
		return Key{}, "", missing
	}
	if !place.Local {
		key, err := k.keyring.Get(ctx, place.Account, patience)
		if err == nil {
			return key, FromKeyring, nil
		}
		if !errors.As(err, &missing.Keyring) {
			return Key{}, "", err
		}
	}
	return Key{}, "", missing
}

func (k *Keys) heldFor(account Account) (Key, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key, ok := k.held[account]
	return key, ok
}

// TakeEnvironment moves the keys in the variables with these names from the
// environment into memory, where Find finds them, so that no program started from
// now on inherits them. It returns the keys. A value that is no key stays for Find
// to report.
func (k *Keys) TakeEnvironment(names []string) []Key {
	k.mu.Lock()
	defer k.mu.Unlock()
	var keys []Key
	for _, name := range names {
		if name == "" {
			continue
		}
		key, err := KeyFromEnvironment(name)
		if err != nil || os.Unsetenv(name) != nil {
			continue
		}
		k.taken[name] = key
		keys = append(keys, key)
	}
	return keys
}

func (k *Keys) fromEnvironment(name string) (Key, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if key, ok := k.taken[name]; ok {
		return key, nil
	}
	return KeyFromEnvironment(name)
}

// Save keeps a key in the keyring, which may take until the user has unlocked it.
// Its errors are those of Keyring.
func (k *Keys) Save(ctx context.Context, account Account, key Key) error {
	return k.keyring.Set(ctx, account, key)
}

// Hold keeps a key in memory until the process ends.
func (k *Keys) Hold(account Account, key Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.held[account] = key
}

// Forget removes the key of an account from the keyring and from memory. None to
// remove is no error.
func (k *Keys) Forget(ctx context.Context, account Account) error {
	k.mu.Lock()
	delete(k.held, account)
	k.mu.Unlock()
	err := k.keyring.Delete(ctx, account)
	if fault, ok := errors.AsType[*KeyringError](err); ok && (fault.Kind == NotFound || fault.Kind == Absent) {
		return nil
	}
	return err
}

// CheckKeyring reports whether the keyring can be used now. Its errors are those of
// Keyring.
func (k *Keys) CheckKeyring(ctx context.Context) error { return k.keyring.Check(ctx) }

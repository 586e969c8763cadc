package secret

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zalando/go-keyring"
)

// keyringService is the name under which all keys lie in the keyring.
const keyringService = "fairlead"

// How long the system's keyring may take to answer (SPEC §13).
const (
	// Background is for a look-up that nobody watches.
	Background = 2 * time.Second
	// Visible is for the user who waits and may have to unlock it first.
	Visible = 60 * time.Second
)

// Account is the name a key is kept under: one provider at one host and port, such
// as openai@api.openai.com:443. A key goes to no other host (SPEC SEC-07).
type Account string

// Keyring keeps keys in the system's keyring: Secret Service on Linux, Keychain
// on macOS, Credential Manager on Windows. The errors of its methods are a
// *KeyringError, or the cause of a context that ended. It is safe for concurrent
// use.
type Keyring struct {
	// turn is held by the call that is under way, even when nobody waits for it any
	// more: the keyring cannot be told to stop, and should show the user one
	// question at a time.
	turn chan struct{}
}

// NewKeyring returns the keyring. It does not look at it yet.
func NewKeyring() *Keyring { return &Keyring{turn: make(chan struct{}, 1)} }

// Get returns the key of an account. It waits as long as patience says, Background
// or Visible.
func (k *Keyring) Get(ctx context.Context, account Account, patience time.Duration) (Key, error) {
	secret, err := k.callKeyring(ctx, patience, "read key from keyring", func() (string, error) {
		return keyring.Get(keyringService, string(account))
	})
	if err != nil {
		return Key{}, err
	}
	key, err := ParseKey(secret)
	if err != nil {
		return Key{}, &KeyringError{Kind: Broken, Do: "read key from keyring", Err: err}
	}
	return key, nil
}

// Set saves the key of an account, in place of an older one.
func (k *Keyring) Set(ctx context.Context, account Account, key Key) error {
	_, err := k.callKeyring(ctx, Visible, "save key in keyring", func() (string, error) {
		return "", keyring.Set(keyringService, string(account), key.Reveal())
	})
	return err
}

// Delete removes the key of an account.
func (k *Keyring) Delete(ctx context.Context, account Account) error {
	_, err := k.callKeyring(ctx, Visible, "delete key from keyring", func() (string, error) {
		return "", keyring.Delete(keyringService, string(account))
	})
	return err
}

// probe is an account that nobody has.
const probe Account = "none@none"

// Check reports whether the keyring can be used now, as Get with Background would
// find it.
func (k *Keyring) Check(ctx context.Context) error {
	_, err := k.Get(ctx, probe, Background)
	if fault, ok := errors.AsType[*KeyringError](err); ok && fault.Kind == NotFound {
		return nil
	}
	return err
}

// answer is the result of a call to the keyring.
type answer struct {
	secret string
	err    error
}

// callKeyring asks the keyring in a goroutine of its own, because it may wait for a
// user without end. One that is given up ends when the user answers.
func (k *Keyring) callKeyring(ctx context.Context, patience time.Duration, do string, ask func() (string, error)) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", context.Cause(ctx)
	}
	if !keyringInReach() {
		return "", &KeyringError{Kind: Absent, Do: do, Err: errors.New("there is no session bus")}
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	slow := &KeyringError{Kind: Locked, Do: do, Err: fmt.Errorf("no answer within %s", patience)}
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-limit.C:
		return "", slow
	}
	answers := make(chan answer, 1)
	go func() {
		defer func() { <-k.turn }()
		answers <- recoverAnswer(ask)
	}()
	select {
	case got := <-answers:
		if got.err != nil {
			return "", &KeyringError{Kind: keyringKind(got.err), Do: do, Err: got.err}
		}
		return got.secret, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-limit.C:
		return "", slow
	}
}

// recoverAnswer asks. The library panics when the bus goes away while a question of the
// keyring waits for the user.
func recoverAnswer(ask func() (string, error)) (got answer) {
	defer func() {
		if fault := recover(); fault != nil {
			got = answer{err: errors.New("the keyring went away")}
		}
	}()
	secret, err := ask()
	return answer{secret, err}
}

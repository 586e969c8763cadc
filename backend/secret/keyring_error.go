package secret

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/zalando/go-keyring"
)

// KeyringKind is why the keyring did not do what it was asked.
type KeyringKind string

// The kinds of KeyringError.
const (
	// NotFound is an account without a key; the keyring itself is well.
	NotFound KeyringKind = "not_found"
	// Absent is a system without a keyring that could be reached.
	Absent KeyringKind = "absent"
	// Locked is a keyring that has to be unlocked first, or waits for that.
	Locked KeyringKind = "locked"
	// Denied is a keyring that refuses, for example because the user said no.
	Denied KeyringKind = "denied"
	// TooBig is a key that is longer than the keyring takes.
	TooBig KeyringKind = "too_big"
	// Broken is every other failure.
	Broken KeyringKind = "broken"
)

// keyringTexts are the state of the keyring and what to do about it, by kind.
var keyringTexts = map[KeyringKind]struct{ state, advice string }{
	NotFound: {"the keyring has no key for it", "save one in the settings"},
	Absent:   {"no keyring is running", "start GNOME Keyring or KWallet, set the provider's environment variable, or give the key for this session"},
	Locked:   {"the keyring is locked", "unlock it and try again, or give the key for this session"},
	Denied:   {"the keyring refuses access", "allow it and try again, or give the key for this session"},
	TooBig:   {"the key is longer than the keyring takes", "check that only the key was pasted, or set the provider's environment variable"},
	Broken:   {"the keyring fails", "check the keyring's own program, or give the key for this session"},
}

// KeyringError is why the keyring did not do what it was asked. It never holds a
// key.
type KeyringError struct {
	Kind KeyringKind
	// Do is what was tried, such as "save key in keyring".
	Do string
	// Err is the cause.
	Err error
}

// State says in a few words how the keyring is.
func (e *KeyringError) State() string { return keyringTexts[e.Kind].state }

// Advice says what to do about it.
func (e *KeyringError) Advice() string { return keyringTexts[e.Kind].advice }

func (e *KeyringError) Error() string {
	return fmt.Sprintf("%s: %s (%v); %s", e.Do, e.State(), e.Err, e.Advice())
}

func (e *KeyringError) Unwrap() error { return e.Err }

// keyringKind says what an error of the library means.
func keyringKind(err error) KeyringKind {
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return NotFound
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return TooBig
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		return Absent
	case errors.Is(err, fs.ErrPermission):
		return Denied
	}
	return systemKind(err)
}

package secret

import "errors"

// keyringInReach says that there always is a Keychain.
func keyringInReach() bool { return true }

// systemKind says what an exit code of security(1) means: the lowest byte of the
// OSStatus it met.
func systemKind(err error) KeyringKind {
	exit, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err)
	if !ok {
		return Broken
	}
	switch exit.ExitCode() {
	case 36: // errSecInteractionNotAllowed, -25308
		return Locked
	case 51, 128: // errSecAuthFailed, -25293; userCanceledErr, -128
		return Denied
	}
	return Broken
}

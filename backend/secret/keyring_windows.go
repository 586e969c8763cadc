package secret

import (
	"errors"
	"syscall"
)

// noLogonSession is ERROR_NO_SUCH_LOGON_SESSION: an account that is not logged on
// the usual way, such as a service's, has no Credential Manager.
const noLogonSession syscall.Errno = 1312

// keyringInReach says that there always is a Credential Manager.
func keyringInReach() bool { return true }

// systemKind says what an error of Windows means.
func systemKind(err error) KeyringKind {
	if errors.Is(err, noLogonSession) {
		return Absent
	}
	return Broken
}

//go:build !darwin && !windows

package secret

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/godbus/dbus/v5"
)

// busVariable is where programs are told their session bus.
const busVariable = "DBUS_SESSION_BUS_ADDRESS"

// keyringInReach reports whether there is a session bus to ask. Without one the
// library would start a bus and a keyring of its own and leave them behind.
func keyringInReach() bool {
	// "autolaunch:" asks for just that.
	if address := os.Getenv(busVariable); address != "" && !strings.HasPrefix(address, "autolaunch:") {
		return true
	}
	runtime := os.Getenv("XDG_RUNTIME_DIR")
	if runtime == "" {
		return false
	}
	bus := filepath.Join(runtime, "bus")
	if _, err := os.Stat(bus); err != nil { //nolint:gosec // the user's own environment; nothing is read
		return false
	}
	// The library would look in /run/user only, and else start a bus.
	return os.Setenv(busVariable, "unix:path="+dbus.EscapeBusAddressValue(bus)) == nil
}

// systemKind says what an error of the bus, or of Secret Service, means.
func systemKind(err error) KeyringKind {
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return Absent // the bus is gone
	}
	if fault, ok := errors.AsType[dbus.Error](err); ok {
		return busKind(fault.Name)
	}
	if errors.Is(err, dbus.ErrClosed) {
		return Absent
	}
	// The library has no type for a collection that stays locked, be it that a
	// user dismissed the question or that nobody could be asked.
	if strings.HasPrefix(err.Error(), "failed to unlock correct collection") {
		return Locked
	}
	return Broken
}

func busKind(name string) KeyringKind {
	const freedesktop = "org.freedesktop.DBus.Error."
	switch {
	case name == freedesktop+"AccessDenied":
		return Denied
	case name == "org.freedesktop.Secret.Error.IsLocked":
		return Locked
	case name == freedesktop+"ServiceUnknown", name == freedesktop+"NameHasNoOwner",
		name == freedesktop+"NoReply", name == freedesktop+"Disconnected",
		strings.HasPrefix(name, freedesktop+"Spawn."):
		return Absent
	}
	return Broken
}

//go:build !darwin && !windows

package secret

import (
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/zalando/go-keyring"
)

// The errors are those that the library was seen to return.
func TestSEC01_ErrorsOfTheKeyringHaveAKind(t *testing.T) {
	for _, test := range []struct {
		err  error
		want KeyringKind
	}{
		{keyring.ErrNotFound, NotFound},
		{keyring.ErrSetDataTooBig, TooBig},
		{keyring.ErrUnsupportedPlatform, Absent},
		{errors.New("failed to unlock correct collection '/org/freedesktop/secrets/aliases/default'"), Locked},
		{dbus.Error{Name: "org.freedesktop.Secret.Error.IsLocked"}, Locked},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.ServiceUnknown"}, Absent},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.NoReply"}, Absent},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.Spawn.ChildExited"}, Absent},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.AccessDenied"}, Denied},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.UnknownMethod"}, Broken},
		{dbus.ErrClosed, Absent},
		{&net.OpError{Op: "dial", Net: "unix", Err: syscall.ENOENT}, Absent},
		{&net.OpError{Op: "dial", Net: "unix", Err: os.NewSyscallError("connect", syscall.EACCES)}, Denied},
		{errors.New("something else"), Broken},
	} {
		if got := keyringKind(test.err); got != test.want {
			t.Errorf("%v: %s, want %s", test.err, got, test.want)
		}
	}
}

func TestEachKindSaysWhatToDo(t *testing.T) {
	for _, kind := range []KeyringKind{NotFound, Absent, Locked, Denied, TooBig, Broken} {
		fault := &KeyringError{Kind: kind, Do: "save key in keyring", Err: errors.New("the cause")}
		text := fault.Error()
		if fault.State() == "" || fault.Advice() == "" || !strings.HasPrefix(text, "save key in keyring: ") || !strings.Contains(text, "the cause") {
			t.Errorf("%s: %s", kind, text)
		}
	}
}

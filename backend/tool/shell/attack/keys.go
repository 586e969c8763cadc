//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/zalando/go-keyring"
	"golang.org/x/sys/unix"
)

// keyAttacks are the attacks on what the user keeps in keyrings.
func keyAttacks() map[string]attack {
	return map[string]attack{
		"secret":      {[]string{"SERVICE", "USER"}, readSecret},
		"keep-secret": {[]string{"SERVICE", "USER"}, keepSecret},
		"key":         {[]string{"NAME"}, readKey},
		"add-key":     {[]string{"NAME", "TEXT"}, addKey},
		"request-key": {[]string{"NAME"}, requestKey},
	}
}

// readSecret prints a secret of the user's keyring, the way Fairlead itself asks
// for a key.
func readSecret(arguments []string) error {
	secret, err := keyring.Get(arguments[0], arguments[1])
	if err != nil {
		return fmt.Errorf("read secret: %w", err)
	}
	fmt.Fprintln(os.Stdout, secret)
	return nil
}

// keepSecret keeps what comes by standard input in the keyring, for the attack to
// find.
func keepSecret(arguments []string) error {
	secret, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fmt.Errorf("read input: %w", err)
	}
	if err := keyring.Set(arguments[0], arguments[1], strings.TrimSpace(string(secret))); err != nil {
		return fmt.Errorf("keep secret: %w", err)
	}
	return nil
}

// readKey prints a key of the keyring that the kernel has for each user.
func readKey(arguments []string) error {
	// The ring that is held is the thread's.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// The owner of the ring may read what is in it, and every process of the user may
	// put it into its own.
	if _, err := unix.KeyctlInt(unix.KEYCTL_LINK, unix.KEY_SPEC_USER_KEYRING, unix.KEY_SPEC_SESSION_KEYRING, 0, 0); err != nil {
		return fmt.Errorf("hold keyring: %w", err)
	}
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", arguments[0], 0)
	if err != nil {
		return fmt.Errorf("find key: %w", err)
	}
	buffer := make([]byte, 1024)
	n, err := unix.KeyctlBuffer(unix.KEYCTL_READ, id, buffer, 0)
	if err != nil {
		return fmt.Errorf("read key: %w", err)
	}
	fmt.Fprintf(os.Stdout, "%s\n", buffer[:min(n, len(buffer))])
	return nil
}

// addKey adds a key to that keyring.
func addKey(arguments []string) error {
	_, err := unix.AddKey("user", arguments[0], []byte(arguments[1]), unix.KEY_SPEC_USER_KEYRING)
	return stepError("add key", err)
}

// requestKey finds a key by the call that also starts a program outside, as root,
// for keys that are not there yet.
func requestKey(arguments []string) error {
	_, err := unix.RequestKey("user", arguments[0], "", 0)
	return stepError("request key", err)
}

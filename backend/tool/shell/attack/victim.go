//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"

	"golang.org/x/sys/unix"
)

// victimVariable is where the victim's secret is.
const victimVariable = "FAIRLEAD_TEST_VICTIM"

// beVictim is a process with a secret, in its environment, in its memory, and in a
// file that has no name. It prints its process id, the address of the secret and the
// number of the open file, answers every line with the same line, which shows that
// it lives, and stays until its input ends.
func beVictim([]string) error {
	// Where the Yama module guards processes from those that did not start them, this
	// one renounces it: what is to be proved is another guard.
	if err := unix.Prctl(unix.PR_SET_PTRACER, unix.PR_SET_PTRACER_ANY, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("allow tracing: %w", err)
	}
	secret := []byte(os.Getenv(victimVariable))
	if len(secret) == 0 {
		return fmt.Errorf("%w: %s is not set", errUsage, victimVariable)
	}
	fd, err := unix.MemfdCreate("secret", unix.MFD_CLOEXEC)
	if err != nil {
		return fmt.Errorf("create file: %w", err)
	}
	if _, err := unix.Write(fd, secret); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	fmt.Fprintln(os.Stdout, os.Getpid(), reflect.ValueOf(secret).Pointer(), fd)
	if _, err := io.Copy(os.Stdout, os.Stdin); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	runtime.KeepAlive(secret)
	return nil
}

package shell_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// secretAttacks read what the user keeps in files.
func secretAttacks() []attack {
	return []attack{
		{name: "read ~/.ssh", class: classSecret, line: `cat $home/.ssh/id_test`, escaped: printed},
		{name: "read ~/.config", class: classSecret, line: `cat $home/.config/service/token`, escaped: printed},
		{name: "read the data of Fairlead", class: classSecret, line: `cat $home/.local/share/fairlead/secret`, escaped: printed},
		{name: "read through /proc/self/root", class: classSecret, line: `cat /proc/self/root$home/.ssh/id_test`, escaped: printed},
		{name: "read through /proc/self/cwd", class: classSecret, line: `cd / && cat /proc/self/cwd$home/.ssh/id_test`, escaped: printed},
		{name: "read through ..", class: classSecret, line: `cat $workspace/../../../../../../..$home/.ssh/id_test`, escaped: printed},
		{name: "read through a symlink", class: classSecret, line: `ln -s $home/.ssh/id_test link && cat link`, escaped: printed},
		{name: "read through a hard link", class: classSecret, line: `ln $home/.ssh/id_test link && cat link`, escaped: printed},
		{
			name: "read through a symlink that was there", class: classSecret,
			prepare: func(t *testing.T, l *lab) {
				must(t, os.Symlink(filepath.Join(l.home, ".ssh"), filepath.Join(l.workspace, "link")))
			},
			line: `cat link/id_test`, escaped: printed,
		},
		{
			name: "read inherited", class: classSecret,
			prepare: func(t *testing.T, l *lab) {
				t.Helper()
				fd, err := unix.Open(filepath.Join(l.home, ".ssh", "id_test"), unix.O_RDONLY, 0)
				must(t, err)
				t.Cleanup(func() { unix.Close(fd) })
			},
			line: `./attack inherited`, escaped: printed,
		},
		{
			name: "read by number on the disk", class: classSecret, missing: serves("handle", "/etc", "passwd"),
			line: `./attack handle $home .ssh/id_test`, escaped: printed,
		},
	}
}

// parentAttacks read the key that Fairlead may have in its environment.
func parentAttacks() []attack {
	return []attack{
		{
			name: "environment of Fairlead", class: classSecret,
			prepare: func(_ *testing.T, l *lab) { l.variables["fairlead"] = fmt.Sprint(os.Getpid()) },
			line:    `./attack environ-up ` + keyVariable + ` $fairlead`, escaped: printed,
		},
		{
			name: "own environment", class: classSecret,
			kept: "the environment of a command is a short list (SPEC SEC-03)",
			line: `env`, escaped: printed,
		},
	}
}

// keyringAttacks read the keyring that the kernel has for each user, and write
// there. That of the user's session is among the attacks on sockets.
func keyringAttacks() []attack {
	// add puts a key there, of the lab's name.
	add := func(t *testing.T, l *lab) {
		t.Helper()
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		_, err := unix.AddKey("user", l.mark, []byte(l.secret), unix.KEY_SPEC_USER_KEYRING)
		must(t, err)
		t.Cleanup(func() { forget(t, l) })
	}
	usable := func() string {
		if _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_KEYRING, true); err != nil {
			return fmt.Sprintf("the kernel has no keyring for this user: %v", err)
		}
		return ""
	}
	return []attack{
		{name: "kernel keyring", class: classSecret, missing: usable, prepare: add, line: `./attack key $mark`, escaped: printed},
		{
			name: "add to the kernel keyring", class: classKernel, missing: usable,
			prepare: func(t *testing.T, l *lab) { t.Cleanup(func() { forget(t, l) }) },
			line:    `./attack add-key $mark $mark`,
			escaped: func(_ *testing.T, l *lab) bool {
				_, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", l.mark, 0)
				return err == nil
			},
		},
		{
			// A key that is found leaves no trace.
			name: "request_key", class: classKernel, missing: usable, prepare: add,
			line: `./attack request-key $mark`, escaped: worked,
		},
	}
}

// forget takes the lab's key out of the kernel's keyring.
func forget(t *testing.T, l *lab) {
	t.Helper()
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", l.mark, 0)
	if err != nil {
		return // an attack that was refused has added none
	}
	if _, err := unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0); err != nil {
		t.Error(err)
	}
}

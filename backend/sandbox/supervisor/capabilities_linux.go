package supervisor

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// capabilities are those that a supervisor in namespaces of its own needs in them: to
// mount, to switch on loopback, to listen there at any port, and to give all of it up again. The others are for overlays,
// which keep what the one who mounts them may do, and copy files with all that belongs to
// them; they hold for the user's own files alone.
var capabilities = []uintptr{
	unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_NET_BIND_SERVICE, unix.CAP_SETPCAP,
	unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_CHOWN, unix.CAP_FOWNER, unix.CAP_FSETID,
}

// dropCapabilities gives up every capability of the calling thread, and the right to
// get one by running a program.
func dropCapabilities() error {
	for capability := uintptr(0); ; capability++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0)
		if errors.Is(err, unix.EINVAL) {
			break // the last one is behind
		}
		if errors.Is(err, unix.EPERM) {
			break // no right to, so there are none to be had that no_new_privs does not keep away
		}
		if err != nil {
			return fmt.Errorf("give up capability %d for good: %w", capability, err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("give up inherited capabilities: %w", err)
	}
	header, none := noCapabilities()
	if err := unix.Capset(header, none); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	return nil
}

// dropEverywhere gives up the capabilities of the threads that are left. It is one
// lock more, not the one that counts: a build that calls C code cannot do it.
func dropEverywhere() {
	header, none := noCapabilities()
	_, _, _ = syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(header)), uintptr(unsafe.Pointer(none)), 0)
}

// noCapabilities are the arguments of capset(2) that leave none.
func noCapabilities() (*unix.CapUserHeader, *unix.CapUserData) {
	data := new([2]unix.CapUserData) // this version has the bits in two halves
	return &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &data[0]
}

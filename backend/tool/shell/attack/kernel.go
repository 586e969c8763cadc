//go:build linux

package main

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// kernelAttacks are the attacks on parts of the kernel that no ordinary command wants, in
// which faults were found again and again. That the kernel serves the call at all
// is what counts.
func kernelAttacks() map[string]attack {
	return map[string]attack{
		"io-uring":    {nil, setUpRing},
		"bpf":         {nil, loadMap},
		"perf":        {nil, openCounter},
		"userfaultfd": {nil, openFaults},
		"personality": {nil, changePersonality},
		"module":      {nil, loadModule},
		"kexec":       {nil, loadKernel},
		"tty":         {[]string{"PATH", "TEXT"}, typeInto},
		"tty-leader":  {[]string{"PATH", "TEXT"}, typeAsLeader},
		"rights":      {nil, gainRights},
		"x32":         {nil, func([]string) error { return callX32() }},
		"int80":       {nil, func([]string) error { return callInt80() }},
	}
}

// systemCall makes a system call that package unix has no function for. It returns what
// the call returns, with the error of the attack.
func systemCall(name string, trap uintptr, arguments ...uintptr) (uintptr, error) {
	var all [6]uintptr
	copy(all[:], arguments)
	value, _, errno := unix.Syscall6(trap, all[0], all[1], all[2], all[3], all[4], all[5])
	if errno != 0 {
		return 0, fmt.Errorf("%s: %w", name, errno)
	}
	return value, nil
}

// setUpRing makes a ring by which the kernel reads, writes and connects with no
// system call that a filter could see.
func setUpRing([]string) error {
	var parameters [120]byte                                                                              // struct io_uring_params
	_, err := systemCall("set up ring", unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&parameters))) //nolint:gosec // the kernel takes an address
	return err
}

// loadMap makes the smallest thing there is in BPF, an array of one number.
func loadMap([]string) error {
	attributes := struct{ kind, key, value, entries uint32 }{unix.BPF_MAP_TYPE_ARRAY, 4, 4, 1}
	_, err := systemCall("create map", unix.SYS_BPF, unix.BPF_MAP_CREATE,
		uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes)) //nolint:gosec // the kernel takes an address
	return err
}

// openCounter counts what this process itself does outside the kernel.
func openCounter([]string) error {
	attributes := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Config: unix.PERF_COUNT_SW_TASK_CLOCK, Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	_, err := unix.PerfEventOpen(&attributes, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	return stepError("open counter", err)
}

// openFaults lets a process stop the kernel in the middle of a copy.
func openFaults([]string) error {
	const userModeOnly = 1 // UFFD_USER_MODE_ONLY of linux/userfaultfd.h, which every user may
	_, err := systemCall("open userfaultfd", unix.SYS_USERFAULTFD, unix.O_CLOEXEC|userModeOnly)
	return err
}

// changePersonality takes the random layout of memory from the programs that this
// one starts.
func changePersonality([]string) error {
	const noRandomise = 0x0040000 // ADDR_NO_RANDOMIZE of linux/personality.h
	_, err := systemCall("change personality", unix.SYS_PERSONALITY, noRandomise)
	return err
}

// loadModule offers the kernel a module that is none. Only a kernel that lets this
// process load modules looks at it.
func loadModule([]string) error {
	err := unix.InitModule([]byte("no module"), "")
	if err == unix.ENOEXEC {
		return nil
	}
	return stepError("load module", err)
}

// loadKernel unloads the kernel for the next kexec, of which there is none.
func loadKernel([]string) error {
	_, err := systemCall("load kernel", unix.SYS_KEXEC_LOAD)
	return err
}

// gainRights reports whether this process has rights of root's, or could gain some by a
// set-uid program. Only the promise to gain none, which is for ever, keeps from that.
func gainRights([]string) error {
	promised, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
	if err != nil {
		return fmt.Errorf("ask for promise: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return fmt.Errorf("read capabilities: %w", err)
	}
	if promised == 0 || sets != [2]unix.CapUserData{} {
		return nil
	}
	return fmt.Errorf("gain rights: %w", unix.EPERM)
}

// typeInto types a text into a terminal, as if its user had. A process can do so
// in its own terminal only, and comes by one as the first of a session.
func typeInto(arguments []string) error {
	state, err := runChild([]string{"tty-leader", arguments[0], arguments[1]}, &syscall.SysProcAttr{Setsid: true})
	if err != nil {
		return err
	}
	if !state.Success() {
		return fmt.Errorf("type into terminal: %s", state)
	}
	return nil
}

func typeAsLeader(arguments []string) error {
	fd, err := unix.Open(arguments[0], unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open terminal: %w", err)
	}
	// The kernel makes a terminal that a leader opens its own, but not where it was
	// only reopened.
	if err := unix.IoctlSetInt(fd, unix.TIOCSCTTY, 0); err != nil {
		return fmt.Errorf("take terminal: %w", err)
	}
	for _, letter := range []byte(arguments[1] + "\n") {
		if _, err := systemCall("type", unix.SYS_IOCTL, uintptr(fd), unix.TIOCSTI, uintptr(unsafe.Pointer(&letter))); err != nil { //nolint:gosec // the kernel takes an address
			return err
		}
	}
	return nil
}

// clone3 makes a user namespace by the call whose arguments no filter can read. The
// child ends at once: it is a copy of one thread of this program.
func clone3() error {
	arguments := struct {
		flags, pidfd, childTid, parentTid, exitSignal, stack, stackSize, tls uint64
	}{flags: unix.CLONE_NEWUSER, exitSignal: uint64(unix.SIGCHLD)}
	pid, _, errno := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&arguments)), unsafe.Sizeof(arguments), 0) //nolint:gosec // the kernel takes an address
	if errno != 0 {
		return fmt.Errorf("clone3: %w", errno)
	}
	if pid == 0 {
		for {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0) //nolint:errcheck // it does not return
		}
	}
	_, err := unix.Wait4(int(pid), nil, unix.WALL, nil)
	return stepError("wait for child", err)
}

//go:build linux

package main

import (
	"fmt"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// callX32 asks for the process id by the numbers of the x32 interface, which a
// filter that knows only the common ones takes for unknown calls.
func callX32() error {
	const x32 = 0x40000000 // __X32_SYSCALL_BIT of asm/unistd.h
	_, err := systemCall("call by the x32 numbers", x32|unix.SYS_GETPID)
	return err
}

// callInt80 opens a local socket by the entry of 32-bit programs, where the same
// numbers mean other calls: a filter has to look at the entry too. A kernel that has
// no such entry lets the instruction fault.
func callInt80() (err error) {
	const socket = 359 // __NR_socket of asm/unistd_32.h
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("open socket by the 32-bit entry: %v", fault)
		}
	}()
	fd := int80(socket, unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if fd < 0 {
		return fmt.Errorf("open socket by the 32-bit entry: %w", unix.Errno(-fd))
	}
	return nil
}

// int80 makes a system call by the entry of 32-bit programs and returns its value,
// negative for an error number.
func int80(trap, a, b, c uintptr) int32

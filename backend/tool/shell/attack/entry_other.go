//go:build linux && !amd64

package main

import "golang.org/x/sys/unix"

// callX32 is a call that only x86 has.
func callX32() error { return unix.ENOSYS }

// callInt80 is a call that only x86 has.
func callInt80() error { return unix.ENOSYS }

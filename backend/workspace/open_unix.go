//go:build !windows

package workspace

import "syscall"

// noWait makes opening a FIFO return at once, and keeps a terminal device from
// becoming the process's own.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY

package warden

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// foreignCalls is empty: there is one set of numbers.
var foreignCalls []unix.SockFilter

// deniedHere is empty: this architecture has no calls of that kind of its own.
var deniedHere []uint32

package filter

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// foreignCalls is empty: there is one set of numbers.
var foreignCalls []unix.SockFilter

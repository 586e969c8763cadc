package supervisor

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// foreignCalls is empty: there is one set of numbers.
var foreignCalls []unix.SockFilter

// openFlags is the call that opens a file by a path, with the number of the argument
// that holds its flags.
var openFlags = map[uint32]uint32{unix.SYS_OPENAT: 2}

// deniedHere is empty: this architecture has no calls of that kind of its own.
var deniedHere []uint32

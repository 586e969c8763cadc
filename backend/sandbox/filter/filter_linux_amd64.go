package filter

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// x32Bit marks the calls of the x32 interface, which have numbers of their own.
const x32Bit = 0x40000000

// foreignCalls refuses those.
var foreignCalls = []unix.SockFilter{JumpIf(unix.BPF_JGE, x32Bit, 0, 1), Return(RefuseNoSys)}

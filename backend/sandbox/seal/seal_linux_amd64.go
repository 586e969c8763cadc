package seal

import "golang.org/x/sys/unix"

// allowedHere are those that only this architecture has.
var allowedHere = []uint32{unix.SYS_EPOLL_WAIT, unix.SYS_ARCH_PRCTL}

package filter

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Filter is a program for the system's packet filter machine, which here judges
// system calls (seccomp(2)).
type Filter []unix.SockFilter

// New begins a filter: a program of another architecture is killed, and calls of other interfaces of
// this one are refused. What follows looks at the number of the call.
func New() Filter {
	f := Filter{load(offsetArch), JumpIf(unix.BPF_JEQ, auditArch, 1, 0), Return(Kill), load(offsetNumber)}
	return append(f, foreignCalls...)
}

// OfNumbers begins a filter that looks at the number of the call alone, beside one of New.
func OfNumbers() Filter { return Filter{load(offsetNumber)} }

// The places of what a program can look at (struct seccomp_data in linux/seccomp.h).
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArg    = 16
	sizeArg      = 8
)

// What a program can decide.
const (
	Allow       = unix.SECCOMP_RET_ALLOW
	Kill        = unix.SECCOMP_RET_KILL_PROCESS
	RefusePerm  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	RefuseNoSys = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	RefuseNoAF  = unix.SECCOMP_RET_ERRNO | uint32(unix.EAFNOSUPPORT)
)

// load loads what lies at an offset.
func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

// LoadArgument loads the lower half of an argument, which is all there is of the ones looked at.
func LoadArgument(n uint32) unix.SockFilter { return load(offsetArg + sizeArg*n) }

// Return ends the program with a decision.
func Return(what uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what}
}

// JumpIf goes on so many steps further where a test of what was loaded holds, or does not.
func JumpIf(test uint16, value uint32, yes, no int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: value, Jt: uint8(yes), Jf: uint8(no)} //nolint:gosec // blocks are short
}

// AddCase adds a block that is run for one value of what was loaded, and decides.
func (f *Filter) AddCase(value uint32, block ...unix.SockFilter) {
	*f = append(*f, JumpIf(unix.BPF_JEQ, value, 0, len(block)))
	*f = append(*f, block...)
}

// OneOf is a block that allows the values of an argument and refuses the others.
func OneOf(number, refusal uint32, values ...uint32) []unix.SockFilter {
	block := []unix.SockFilter{LoadArgument(number)}
	for _, value := range values {
		block = append(block, JumpIf(unix.BPF_JEQ, value, 0, 1), Return(Allow))
	}
	return append(block, Return(refusal))
}

// RefuseBits is a block that refuses an argument with any of the bits.
func RefuseBits(number, bits, refusal uint32) []unix.SockFilter {
	return []unix.SockFilter{LoadArgument(number), JumpIf(unix.BPF_JSET, bits, 0, 1), Return(refusal), Return(Allow)}
}

// Install puts the calling thread under the filter, or all of the process with
// SECCOMP_FILTER_FLAG_TSYNC. It returns what the call does: the descriptor of a listener.
func (f Filter) Install(flags uintptr) (int, error) {
	p := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]} //nolint:gosec // it has some hundred lines
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&p)))
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

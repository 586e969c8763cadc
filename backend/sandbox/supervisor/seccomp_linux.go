package supervisor

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// denied are the system calls that a command has no use for in a folder and that
// have been, or open, a way out: another process's memory, mounts and namespaces,
// keys, the kernel itself, and interfaces that go round this filter.
var denied = []uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	unix.SYS_PROCESS_MADVISE,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_OPEN_TREE_ATTR,
	unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
	unix.SYS_SYSLOG, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
	unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_NFSSERVCTL,
}

// filter is a program for the system's packet filter machine, which here judges
// system calls (seccomp(2)).
type filter []unix.SockFilter

// The places of what a program can look at (struct seccomp_data in linux/seccomp.h).
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArg    = 16
	sizeArg      = 8
)

// What a program can decide.
const (
	decideAllow = unix.SECCOMP_RET_ALLOW
	decideKill  = unix.SECCOMP_RET_KILL_PROCESS
	refusePerm  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	refuseNoSys = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	refuseNoAF  = unix.SECCOMP_RET_ERRNO | uint32(unix.EAFNOSUPPORT)
)

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

// loadArgument loads the lower half of an argument, which is all there is of the ones looked at.
func loadArgument(n uint32) unix.SockFilter { return load(offsetArg + sizeArg*n) }

func returnAction(what uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what}
}

func jumpIf(test uint16, value uint32, yes, no int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: value, Jt: uint8(yes), Jf: uint8(no)} //nolint:gosec // blocks are short
}

// addCase adds a block that is run for one value of what was loaded, and decides.
func (f *filter) addCase(value uint32, block ...unix.SockFilter) {
	*f = append(*f, jumpIf(unix.BPF_JEQ, value, 0, len(block)))
	*f = append(*f, block...)
}

// oneOf is a block that allows the values of an argument and refuses the others.
func oneOf(number, refusal uint32, values ...uint32) []unix.SockFilter {
	block := []unix.SockFilter{loadArgument(number)}
	for _, value := range values {
		block = append(block, jumpIf(unix.BPF_JEQ, value, 0, 1), returnAction(decideAllow))
	}
	return append(block, returnAction(refusal))
}

// refuseBits is a block that refuses an argument with any of the bits.
func refuseBits(number, bits, refusal uint32) []unix.SockFilter {
	return []unix.SockFilter{loadArgument(number), jumpIf(unix.BPF_JSET, bits, 0, 1), returnAction(refusal), returnAction(decideAllow)}
}

// socketKinds are the low bits of a socket's type; the others are flags.
const socketKinds = 0xf

// newFilter makes the filter of a command.
func (g *guarded) newFilter() filter {
	f := filter{load(offsetArch), jumpIf(unix.BPF_JEQ, auditArch, 1, 0), returnAction(decideKill), load(offsetNumber)}
	f = append(f, foreignCalls...)
	for _, number := range append(denied, deniedHere...) {
		f.addCase(number, returnAction(refusePerm))
	}
	if !g.Locks.Namespaces {
		g.refuseShared(&f)
	}
	const namespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC |
		unix.CLONE_NEWNET | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP
	f.addCase(unix.SYS_CLONE, refuseBits(0, namespaces, refusePerm)...)
	// Its flags are in memory, which a filter cannot see. A program that is told that it does
	// not exist falls back on clone.
	f.addCase(unix.SYS_CLONE3, returnAction(refuseNoSys))
	f.addCase(unix.SYS_IOCTL, loadArgument(1),
		jumpIf(unix.BPF_JEQ, unix.TIOCSTI, 1, 0), jumpIf(unix.BPF_JEQ, tiocLinux, 0, 1), returnAction(refusePerm), returnAction(decideAllow))
	f.addCase(unix.SYS_PERSONALITY, oneOf(0, refusePerm, personalities...)...)
	f.addCase(unix.SYS_SOCKET, g.socketRules()...)
	// A pair of streams or of packets in order is a pipe. One of datagrams could send to
	// any path, and the kernel takes SOCK_RAW for SOCK_DGRAM here (unix_create).
	f.addCase(unix.SYS_SOCKETPAIR,
		loadArgument(0), jumpIf(unix.BPF_JEQ, unix.AF_UNIX, 1, 0), returnAction(refuseNoAF), loadArgument(1),
		unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: socketKinds},
		jumpIf(unix.BPF_JEQ, unix.SOCK_STREAM, 1, 0), jumpIf(unix.BPF_JEQ, unix.SOCK_SEQPACKET, 0, 1),
		returnAction(decideAllow), returnAction(refusePerm))
	return append(f, returnAction(decideAllow))
}

// refuseShared refuses what namespaces would keep from doing harm: memory and messages that
// programs of one user share, and limits and priorities of other processes than the
// caller, which is number 0.
func (g *guarded) refuseShared(f *filter) {
	if g.Locks.Landlock < 3 {
		f.keepContent()
	}
	for _, number := range []uint32{
		unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMCTL, unix.SYS_MSGGET, unix.SYS_MSGCTL,
		unix.SYS_MQ_OPEN,
	} {
		f.addCase(number, returnAction(refusePerm))
	}
	for _, number := range []uint32{
		unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
	} {
		f.addCase(number, oneOf(0, refusePerm, 0)...)
	}
	f.addCase(unix.SYS_SETPRIORITY, oneOf(1, refusePerm, 0)...)
	f.addCase(unix.SYS_IOPRIO_SET, oneOf(1, refusePerm, 0)...)
}

// keepContent refuses what empties a file that is not open to be written, which Landlock
// does not know before its version 3: by its path, and by opening it to read or, with a
// value that POSIX does not know, for nothing at all (open(2), "File access mode").
func (f *filter) keepContent() {
	f.addCase(unix.SYS_TRUNCATE, returnAction(refusePerm))
	for number, flags := range openFlags {
		f.addCase(number, loadArgument(flags),
			unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: unix.O_TRUNC | unix.O_ACCMODE},
			jumpIf(unix.BPF_JEQ, unix.O_TRUNC|unix.O_RDONLY, 1, 0), jumpIf(unix.BPF_JEQ, unix.O_TRUNC|unix.O_ACCMODE, 0, 1),
			returnAction(refusePerm), returnAction(decideAllow))
	}
	// Its flags are in memory, and a program that is told that it does not exist uses openat.
	f.addCase(unix.SYS_OPENAT2, returnAction(refuseNoSys))
}

// personalities are the usual one, that of 32 bits, each also with the old way to count
// kernel versions, and the question which it is: the list that container engines allow.
var personalities = []uint32{0, 0x0008, 0x20000, 0x20008, 0xffffffff}

// tiocLinux is TIOCLINUX (ioctl_console(2)), by which text is put into a console.
const tiocLinux = 0x541c

// socketRules is the block for new sockets. With a network of its own, or one that was
// allowed, a command may use TCP and UDP and ask what interfaces there are; else
// nothing. Sockets with a path are out: the file that one has in the workspace can
// belong to a program of the user.
func (g *guarded) socketRules() []unix.SockFilter {
	if !g.Locks.Namespaces && !g.Network {
		return []unix.SockFilter{returnAction(refusePerm)}
	}
	protocols := oneOf(2, refuseNoAF, 0, unix.IPPROTO_TCP, unix.IPPROTO_UDP)
	routes := oneOf(2, refuseNoAF, unix.NETLINK_ROUTE)
	block := []unix.SockFilter{
		loadArgument(0),
		jumpIf(unix.BPF_JEQ, unix.AF_INET, 3, 0),
		jumpIf(unix.BPF_JEQ, unix.AF_INET6, 2, 0),
		jumpIf(unix.BPF_JEQ, unix.AF_NETLINK, 1+len(protocols), 0),
		returnAction(refusePerm),
	}
	return append(append(block, protocols...), routes...)
}

// applySeccomp puts the thread under the filter.
func (g *guarded) applySeccomp() error {
	program := g.newFilter()
	p := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]} //nolint:gosec // it has some hundred lines
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&p))); errno != 0 {
		return fmt.Errorf("filter system calls: %w", errno)
	}
	return nil
}

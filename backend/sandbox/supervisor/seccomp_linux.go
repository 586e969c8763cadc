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

// arg loads the lower half of an argument, which is all there is of the ones looked at.
func arg(n uint32) unix.SockFilter { return load(offsetArg + sizeArg*n) }

func decide(what uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what}
}

func jump(test uint16, value uint32, yes, no int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: value, Jt: uint8(yes), Jf: uint8(no)} //nolint:gosec // blocks are short
}

// when adds a block that is run for one value of what was loaded, and decides.
func (f *filter) when(value uint32, block ...unix.SockFilter) {
	*f = append(*f, jump(unix.BPF_JEQ, value, 0, len(block)))
	*f = append(*f, block...)
}

// oneOf is a block that allows the values of an argument and refuses the others.
func oneOf(number, refusal uint32, values ...uint32) []unix.SockFilter {
	block := []unix.SockFilter{arg(number)}
	for _, value := range values {
		block = append(block, jump(unix.BPF_JEQ, value, 0, 1), decide(decideAllow))
	}
	return append(block, decide(refusal))
}

// without is a block that refuses an argument with any of the bits.
func without(number, bits, refusal uint32) []unix.SockFilter {
	return []unix.SockFilter{arg(number), jump(unix.BPF_JSET, bits, 0, 1), decide(refusal), decide(decideAllow)}
}

// socketKinds are the low bits of a socket's type; the others are flags.
const socketKinds = 0xf

// newFilter makes the filter of a command.
func (g *guarded) newFilter() filter {
	f := filter{load(offsetArch), jump(unix.BPF_JEQ, auditArch, 1, 0), decide(decideKill), load(offsetNumber)}
	f = append(f, foreignCalls...)
	for _, number := range append(denied, deniedHere...) {
		f.when(number, decide(refusePerm))
	}
	if !g.Locks.Namespaces {
		g.instead(&f)
	}
	const namespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC |
		unix.CLONE_NEWNET | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP
	f.when(unix.SYS_CLONE, without(0, namespaces, refusePerm)...)
	// Its flags are in memory, which a filter cannot see. Whoever is told that it does
	// not exist falls back on clone.
	f.when(unix.SYS_CLONE3, decide(refuseNoSys))
	f.when(unix.SYS_IOCTL, arg(1),
		jump(unix.BPF_JEQ, unix.TIOCSTI, 1, 0), jump(unix.BPF_JEQ, tiocLinux, 0, 1), decide(refusePerm), decide(decideAllow))
	f.when(unix.SYS_PERSONALITY, oneOf(0, refusePerm, personalities...)...)
	f.when(unix.SYS_SOCKET, g.sockets()...)
	// A pair of streams or of packets in order is a pipe. One of datagrams could send to
	// any path, and the kernel takes SOCK_RAW for SOCK_DGRAM here (unix_create).
	f.when(unix.SYS_SOCKETPAIR,
		arg(0), jump(unix.BPF_JEQ, unix.AF_UNIX, 1, 0), decide(refuseNoAF), arg(1),
		unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: socketKinds},
		jump(unix.BPF_JEQ, unix.SOCK_STREAM, 1, 0), jump(unix.BPF_JEQ, unix.SOCK_SEQPACKET, 0, 1),
		decide(decideAllow), decide(refusePerm))
	return append(f, decide(decideAllow))
}

// instead refuses what namespaces would keep from doing harm: memory and messages that
// programs of one user share, and limits and priorities of other processes than the
// caller, which is number 0.
func (g *guarded) instead(f *filter) {
	if g.Locks.Landlock < 3 {
		f.keepContent()
	}
	for _, number := range []uint32{
		unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMCTL, unix.SYS_MSGGET, unix.SYS_MSGCTL,
		unix.SYS_MQ_OPEN,
	} {
		f.when(number, decide(refusePerm))
	}
	for _, number := range []uint32{
		unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
	} {
		f.when(number, oneOf(0, refusePerm, 0)...)
	}
	f.when(unix.SYS_SETPRIORITY, oneOf(1, refusePerm, 0)...)
	f.when(unix.SYS_IOPRIO_SET, oneOf(1, refusePerm, 0)...)
}

// keepContent refuses what empties a file that is not open to be written, which Landlock
// does not know before its version 3: by its path, and by opening it to read or, with a
// value that POSIX does not know, for nothing at all (open(2), "File access mode").
func (f *filter) keepContent() {
	f.when(unix.SYS_TRUNCATE, decide(refusePerm))
	for number, flags := range openFlags {
		f.when(number, arg(flags),
			unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: unix.O_TRUNC | unix.O_ACCMODE},
			jump(unix.BPF_JEQ, unix.O_TRUNC|unix.O_RDONLY, 1, 0), jump(unix.BPF_JEQ, unix.O_TRUNC|unix.O_ACCMODE, 0, 1),
			decide(refusePerm), decide(decideAllow))
	}
	// Its flags are in memory, and whoever is told that it does not exist uses openat.
	f.when(unix.SYS_OPENAT2, decide(refuseNoSys))
}

// personalities are the usual one, that of 32 bits, each also with the old way to count
// kernel versions, and the question which it is: the list that container engines allow.
var personalities = []uint32{0, 0x0008, 0x20000, 0x20008, 0xffffffff}

// tiocLinux is TIOCLINUX (ioctl_console(2)), by which text is put into a console.
const tiocLinux = 0x541c

// sockets is the block for new sockets. With a network of its own, or one that was
// allowed, a command may use TCP and UDP and ask what interfaces there are; else
// nothing. Sockets with a path are out: the file that one has in the workspace can
// belong to a program of the person.
func (g *guarded) sockets() []unix.SockFilter {
	if !g.Locks.Namespaces && !g.Network {
		return []unix.SockFilter{decide(refusePerm)}
	}
	protocols := oneOf(2, refuseNoAF, 0, unix.IPPROTO_TCP, unix.IPPROTO_UDP)
	routes := oneOf(2, refuseNoAF, unix.NETLINK_ROUTE)
	block := []unix.SockFilter{
		arg(0),
		jump(unix.BPF_JEQ, unix.AF_INET, 3, 0),
		jump(unix.BPF_JEQ, unix.AF_INET6, 2, 0),
		jump(unix.BPF_JEQ, unix.AF_NETLINK, 1+len(protocols), 0),
		decide(refusePerm),
	}
	return append(append(block, protocols...), routes...)
}

// seccomp puts the thread under the filter.
func (g *guarded) seccomp() error {
	program := g.newFilter()
	p := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]} //nolint:gosec // it has some hundred lines
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&p))); errno != 0 {
		return fmt.Errorf("filter system calls: %w", errno)
	}
	return nil
}

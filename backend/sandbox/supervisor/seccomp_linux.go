package supervisor

import (
	"fmt"

	"golang.org/x/sys/unix"

	"fairlead/backend/sandbox/filter"
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

// socketKinds are the low bits of a socket's type; the others are flags.
const socketKinds = 0xf

// newFilter makes the filter of a command.
func (g *guarded) newFilter() filter.Filter {
	f := filter.New()
	for _, number := range append(denied, deniedHere...) {
		f.AddCase(number, filter.Return(filter.RefusePerm))
	}
	if !g.Locks.Namespaces {
		g.refuseShared(&f)
	}
	const namespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC |
		unix.CLONE_NEWNET | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP
	f.AddCase(unix.SYS_CLONE, filter.RefuseBits(0, namespaces, filter.RefusePerm)...)
	// Its flags are in memory, which a filter cannot see. A program that is told that it does
	// not exist falls back on clone.
	f.AddCase(unix.SYS_CLONE3, filter.Return(filter.RefuseNoSys))
	f.AddCase(unix.SYS_IOCTL, filter.LoadArgument(1),
		filter.JumpIf(unix.BPF_JEQ, unix.TIOCSTI, 1, 0), filter.JumpIf(unix.BPF_JEQ, tiocLinux, 0, 1), filter.Return(filter.RefusePerm), filter.Return(filter.Allow))
	f.AddCase(unix.SYS_PERSONALITY, filter.OneOf(0, filter.RefusePerm, personalities...)...)
	f.AddCase(unix.SYS_SOCKET, g.socketRules()...)
	// A pair of streams or of packets in order is a pipe. One of datagrams could send to
	// any path, and the kernel takes SOCK_RAW for SOCK_DGRAM here (unix_create).
	f.AddCase(unix.SYS_SOCKETPAIR,
		filter.LoadArgument(0), filter.JumpIf(unix.BPF_JEQ, unix.AF_UNIX, 1, 0), filter.Return(filter.RefuseNoAF), filter.LoadArgument(1),
		unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: socketKinds},
		filter.JumpIf(unix.BPF_JEQ, unix.SOCK_STREAM, 1, 0), filter.JumpIf(unix.BPF_JEQ, unix.SOCK_SEQPACKET, 0, 1),
		filter.Return(filter.Allow), filter.Return(filter.RefusePerm))
	return append(f, filter.Return(filter.Allow))
}

// refuseShared refuses what namespaces would keep from doing harm: memory and messages that
// programs of one user share, and limits and priorities of other processes than the
// caller, which is number 0.
func (g *guarded) refuseShared(f *filter.Filter) {
	if g.Locks.Landlock < 3 {
		keepContent(f)
	}
	for _, number := range []uint32{
		unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMCTL, unix.SYS_MSGGET, unix.SYS_MSGCTL,
		unix.SYS_MQ_OPEN,
	} {
		f.AddCase(number, filter.Return(filter.RefusePerm))
	}
	for _, number := range []uint32{
		unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
	} {
		f.AddCase(number, filter.OneOf(0, filter.RefusePerm, 0)...)
	}
	f.AddCase(unix.SYS_SETPRIORITY, filter.OneOf(1, filter.RefusePerm, 0)...)
	f.AddCase(unix.SYS_IOPRIO_SET, filter.OneOf(1, filter.RefusePerm, 0)...)
}

// keepContent refuses what empties a file that is not open to be written, which Landlock
// does not know before its version 3: by its path, and by opening it to read or, with a
// value that POSIX does not know, for nothing at all (open(2), "File access mode").
func keepContent(f *filter.Filter) {
	f.AddCase(unix.SYS_TRUNCATE, filter.Return(filter.RefusePerm))
	for number, flags := range openFlags {
		f.AddCase(number, filter.LoadArgument(flags),
			unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: unix.O_TRUNC | unix.O_ACCMODE},
			filter.JumpIf(unix.BPF_JEQ, unix.O_TRUNC|unix.O_RDONLY, 1, 0), filter.JumpIf(unix.BPF_JEQ, unix.O_TRUNC|unix.O_ACCMODE, 0, 1),
			filter.Return(filter.RefusePerm), filter.Return(filter.Allow))
	}
	// Its flags are in memory, and a program that is told that it does not exist uses openat.
	f.AddCase(unix.SYS_OPENAT2, filter.Return(filter.RefuseNoSys))
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
		return []unix.SockFilter{filter.Return(filter.RefusePerm)}
	}
	protocols := filter.OneOf(2, filter.RefuseNoAF, 0, unix.IPPROTO_TCP, unix.IPPROTO_UDP)
	routes := filter.OneOf(2, filter.RefuseNoAF, unix.NETLINK_ROUTE)
	block := []unix.SockFilter{
		filter.LoadArgument(0),
		filter.JumpIf(unix.BPF_JEQ, unix.AF_INET, 3, 0),
		filter.JumpIf(unix.BPF_JEQ, unix.AF_INET6, 2, 0),
		filter.JumpIf(unix.BPF_JEQ, unix.AF_NETLINK, 1+len(protocols), 0),
		filter.Return(filter.RefusePerm),
	}
	return append(append(block, protocols...), routes...)
}

// applySeccomp puts the thread under the filter.
func (g *guarded) applySeccomp() error {
	if _, err := g.newFilter().Install(0); err != nil {
		return fmt.Errorf("filter system calls: %w", err)
	}
	return nil
}

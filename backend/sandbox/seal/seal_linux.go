package seal

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"fairlead/backend/sandbox/filter"
)

// allowed are the calls that a Go program makes to compute, and to read and write what is open.
var allowed = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_CLOSE, unix.SYS_FSTAT, unix.SYS_FCNTL,
	unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MADVISE, unix.SYS_BRK, unix.SYS_MINCORE,
	unix.SYS_FUTEX, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_RESTART_SYSCALL, unix.SYS_GETRANDOM, unix.SYS_MEMBARRIER,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2,
}

// Process seals the process, in all its threads, and returns nil once it has tried that this holds.
// Afterwards it cannot open a file or a connection, start a program, reach another process, or
// run code that was not there before.
func Process(bounds Bounds) error {
	for resource, most := range map[int]uint64{
		unix.RLIMIT_DATA: bounds.Memory, unix.RLIMIT_CPU: bounds.Processor, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_CORE: 0,
	} {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("set the limits of the process: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new rights: %w", err)
	}
	f := newFilter(uint32(os.Getpid())) //nolint:gosec // it is a process id
	if _, err := f.Install(unix.SECCOMP_FILTER_FLAG_TSYNC); err != nil {
		return fmt.Errorf("filter system calls: %w", err)
	}
	return try()
}

func newFilter(self uint32) filter.Filter {
	f := filter.New()
	for _, number := range append(allowed, allowedHere...) {
		f.AddCase(number, filter.Return(filter.Allow))
	}
	f.AddCase(unix.SYS_MMAP, filter.RefuseBits(2, unix.PROT_EXEC, filter.RefusePerm)...)
	f.AddCase(unix.SYS_MPROTECT, filter.RefuseBits(2, unix.PROT_EXEC, filter.RefusePerm)...)
	f.AddCase(unix.SYS_TGKILL, filter.OneOf(0, filter.RefusePerm, self)...)
	// Threads only. The flags of the newer call are in memory, which a filter cannot see.
	f.AddCase(unix.SYS_CLONE, filter.LoadArgument(0), filter.JumpIf(unix.BPF_JSET, unix.CLONE_THREAD, 0, 1),
		filter.Return(filter.Allow), filter.Return(filter.RefusePerm))
	f.AddCase(unix.SYS_CLONE3, filter.Return(filter.RefuseNoSys))
	return append(f, filter.Return(filter.RefusePerm))
}

// errOpen is returned where a sealed process could still do something.
var errOpen = errors.New("the process is not sealed")

// try tries what must not work any more.
func try() error {
	for what, attempt := range map[string]func() error{
		"open a file": func() error {
			fd, err := unix.Open("/", unix.O_PATH|unix.O_CLOEXEC, 0)
			if err == nil {
				_ = unix.Close(fd)
			}
			return err
		},
		"open a socket": func() error {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err == nil {
				_ = unix.Close(fd)
			}
			return err
		},
		"reach another process": func() error { return unix.Kill(os.Getppid(), 0) },
		"run new code": func() error {
			code, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
			if err == nil {
				_ = unix.Munmap(code)
			}
			return err
		},
	} {
		if err := attempt(); !errors.Is(err, unix.EPERM) {
			return fmt.Errorf("%w: it can %s (%v)", errOpen, what, err)
		}
	}
	return nil
}

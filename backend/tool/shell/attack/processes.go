//go:build linux

package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// processAttacks are the attacks on other processes of the same user.
func processAttacks() map[string]attack {
	return map[string]attack{
		"victim":     {nil, beVictim},
		"ptrace":     {[]string{"PID"}, traceProcess},
		"memory":     {[]string{"PID", "ADDRESS", "LENGTH"}, readMemory},
		"take-fd":    {[]string{"PID", "FD"}, takeDescriptor},
		"signal-io":  {[]string{"PID"}, signalByIO},
		"signal-up":  {[]string{"LAST-PID"}, signalParents},
		"environ-up": {[]string{"NAME", "LAST-PID"}, readParents},
		"limit":      {[]string{"PID"}, setLimit},
		"shm":        {[]string{"ID"}, readShared},
	}
}

// traceProcess stops a process as a debugger does and lets it go with a signal that ends
// it, which can be seen from outside.
func traceProcess(arguments []string) error {
	pid, err := parseNumber(arguments[0])
	if err != nil {
		return err
	}
	// The system knows the thread as the debugger, not the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.PtraceAttach(pid); err != nil {
		return fmt.Errorf("attach to process: %w", err)
	}
	if _, err := unix.Wait4(pid, nil, unix.WALL, nil); err != nil {
		return fmt.Errorf("wait for process: %w", err)
	}
	if err := unix.PtraceCont(pid, int(unix.SIGKILL)); err != nil {
		return fmt.Errorf("end process: %w", err)
	}
	return nil
}

// readMemory prints a piece of another process's memory.
func readMemory(arguments []string) error {
	var values [3]int
	for i, text := range arguments {
		n, err := parseNumber(text)
		if err != nil {
			return err
		}
		values[i] = n
	}
	buffer := make([]byte, values[2])
	local := []unix.Iovec{{Base: &buffer[0]}}
	local[0].SetLen(len(buffer))
	remote := []unix.RemoteIovec{{Base: uintptr(values[1]), Len: len(buffer)}}
	n, err := unix.ProcessVMReadv(values[0], local, remote, 0)
	if err != nil {
		return fmt.Errorf("read memory: %w", err)
	}
	fmt.Fprintf(os.Stdout, "%s\n", buffer[:n])
	return nil
}

// takeDescriptor takes an open file out of another process and prints it.
func takeDescriptor(arguments []string) error {
	pid, err := parseNumber(arguments[0])
	if err != nil {
		return err
	}
	fd, err := parseNumber(arguments[1])
	if err != nil {
		return err
	}
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return fmt.Errorf("open process: %w", err)
	}
	taken, err := unix.PidfdGetfd(process, fd, 0)
	if err != nil {
		return fmt.Errorf("take open file: %w", err)
	}
	return printFile(taken)
}

// signalByIO lets the kernel send the signal: a process that owns a pipe is told
// when there is something to read.
func signalByIO(arguments []string) error {
	pid, err := parseNumber(arguments[0])
	if err != nil {
		return err
	}
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("open pipe: %w", err)
	}
	for _, step := range []struct{ command, value int }{
		{unix.F_SETSIG, int(unix.SIGKILL)},
		{unix.F_SETOWN, pid},
		{unix.F_SETFL, unix.O_ASYNC},
	} {
		if _, err := unix.FcntlInt(uintptr(pipe[0]), step.command, step.value); err != nil {
			return fmt.Errorf("set pipe owner: %w", err)
		}
	}
	if _, err := unix.Write(pipe[1], []byte("x")); err != nil {
		return fmt.Errorf("write pipe: %w", err)
	}
	return nil
}

// signalParents signals every process above this one, up to the one named. The
// signal is one that is ignored where nobody waits for it; the right to send it is
// that to send any.
func signalParents(arguments []string) error {
	last, err := parseNumber(arguments[0])
	if err != nil {
		return err
	}
	return visitUpwards(last, func(pid int) (bool, error) {
		if err := unix.Kill(pid, unix.SIGWINCH); err != nil {
			return false, fmt.Errorf("signal parent: %w", err)
		}
		return false, nil
	})
}

// readParents prints a variable of the nearest process above that has it, looking
// no further than the one named.
func readParents(arguments []string) error {
	last, err := parseNumber(arguments[1])
	if err != nil {
		return err
	}
	found := false
	err = visitUpwards(last, func(pid int) (bool, error) {
		text, err := read(fmt.Sprintf("/proc/%d/environ", pid))
		if err != nil {
			return false, err
		}
		for variable := range strings.SplitSeq(text, "\x00") {
			if value, ok := strings.CutPrefix(variable, arguments[0]+"="); ok {
				fmt.Fprintln(os.Stdout, value)
				found = true
			}
		}
		return found, nil
	})
	if err == nil && !found {
		err = fmt.Errorf("find variable: %w", unix.ENOENT)
	}
	return err
}

// visitUpwards calls visit for each process above this one until it says it is done, or
// the last process was visited. The first process of a system is never visited.
func visitUpwards(last int, visit func(pid int) (done bool, err error)) error {
	for pid := os.Getppid(); pid > 1; {
		done, err := visit(pid)
		if err != nil || done || pid == last {
			return err
		}
		stat, err := read(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return err
		}
		// The name stands in parentheses and can hold any character.
		fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
		if pid, err = parseNumber(fields[1]); err != nil {
			return err
		}
	}
	return nil
}

// setLimit leaves another process seven open files.
func setLimit(arguments []string) error {
	pid, err := parseNumber(arguments[0])
	if err != nil {
		return err
	}
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 7, Max: 7}, nil); err != nil {
		return fmt.Errorf("limit process: %w", err)
	}
	return nil
}

// readShared prints System V shared memory.
func readShared(arguments []string) error {
	id, err := parseNumber(arguments[0])
	if err != nil {
		return err
	}
	memory, err := unix.SysvShmAttach(id, 0, unix.SHM_RDONLY)
	if err != nil {
		return fmt.Errorf("attach shared memory: %w", err)
	}
	text, _, _ := strings.Cut(string(memory), "\x00")
	fmt.Fprintln(os.Stdout, text)
	return nil
}

// read returns the beginning of a file of the kernel's.
func read(path string) (string, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", fmt.Errorf("open %s: %w", path, err)
	}
	defer unix.Close(fd)
	var text []byte
	buffer := make([]byte, 16<<10)
	for {
		n, err := unix.Read(fd, buffer)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", path, err)
		}
		if n == 0 {
			return string(text), nil
		}
		text = append(text, buffer[:n]...)
	}
}

package shell_test

import (
	"fmt"
	"os"
	"os/signal"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// neighbourAttacks read what other processes of the user can.
func neighbourAttacks() []attack {
	prepare := func(t *testing.T, l *lab) { startVictim(t, l, nil) }
	all := []attack{
		{name: "/proc/PID/root", line: `cat /proc/$pid/root$home/.ssh/id_test`},
		{name: "/proc/PID/cwd", line: `cat /proc/$pid/cwd/secret`},
		{name: "/proc/PID/fd", line: `cat /proc/$pid/fd/$fd`},
		{name: "/proc/PID/environ", line: `tr '\0' '\n' </proc/$pid/environ | grep ^FAIRLEAD_TEST_VICTIM=`},
		{name: "/proc/PID/mem", line: `tail -c +$((address + 1)) /proc/$pid/mem | head -c $length`},
		{name: "process_vm_readv", line: `./attack memory $pid $address $length`},
		{name: "pidfd_getfd", line: `./attack take-fd $pid $fd`},
	}
	for i := range all {
		all[i].class, all[i].prepare, all[i].escaped = classSecret, prepare, printed
	}
	return all
}

// processAttacks change other processes of the user.
func processAttacks() []attack {
	var other *victim
	start := func(t *testing.T, l *lab) { other = startVictim(t, l, nil) }
	gone := func(*testing.T, *lab) bool { return !other.lives() }
	return []attack{
		{name: "kill", class: classProcess, prepare: start, line: `kill -KILL $pid`, escaped: gone},
		{name: "signal by a pipe", class: classProcess, prepare: start, line: `./attack signal-io $pid`, escaped: gone},
		{name: "ptrace", class: classProcess, prepare: start, line: `./attack ptrace $pid`, escaped: gone},
		{
			name: "limits", class: classProcess, prepare: start, line: `./attack limit $pid`,
			escaped: func(t *testing.T, _ *lab) bool {
				t.Helper()
				var limit unix.Rlimit
				must(t, unix.Prlimit(other.pid, unix.RLIMIT_NOFILE, nil, &limit))
				return limit.Cur == 7
			},
		},
		{
			name: "priority", class: classProcess, prepare: start, missing: needs("renice"), line: `renice -n 19 -p $pid`,
			escaped: func(t *testing.T, _ *lab) bool {
				t.Helper()
				priority, err := unix.Getpriority(unix.PRIO_PROCESS, other.pid)
				must(t, err)
				return priority == 1 // the call returns 20 less the nice value
			},
		},
		signalParents(),
		{name: "shared memory", class: classSecret, prepare: share, line: `./attack shm $shm`, escaped: printed},
	}
}

// signalParents sends Fairlead, which is this process, a signal by way of those
// between it and the command.
func signalParents() attack {
	var signals chan os.Signal
	return attack{
		name: "signal Fairlead", class: classProcess,
		prepare: func(t *testing.T, l *lab) {
			t.Helper()
			signals = make(chan os.Signal, 1)
			signal.Notify(signals, unix.SIGWINCH)
			t.Cleanup(func() { signal.Stop(signals) })
			l.variables["fairlead"] = fmt.Sprint(os.Getpid())
		},
		line: `./attack signal-up $fairlead`,
		escaped: func(*testing.T, *lab) bool {
			select {
			case <-signals:
				return true
			case <-time.After(soon):
				return false
			}
		},
	}
}

// share puts the secret into System V shared memory.
func share(t *testing.T, l *lab) {
	t.Helper()
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, len(l.secret)+1, unix.IPC_CREAT|0o600)
	must(t, err)
	t.Cleanup(func() {
		if _, err := unix.SysvShmCtl(id, unix.IPC_RMID, nil); err != nil {
			t.Error(err)
		}
	})
	memory, err := unix.SysvShmAttach(id, 0, 0)
	must(t, err)
	copy(memory, l.secret)
	must(t, unix.SysvShmDetach(memory))
	l.variables["shm"] = fmt.Sprint(id)
}

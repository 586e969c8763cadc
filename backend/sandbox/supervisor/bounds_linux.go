package supervisor

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// maxProcesses is how many processes and threads a command may have at a time: enough
	// for a build on a large machine, and few enough to be killed at once.
	maxProcesses = 4096
	// sharedFolder holds shared memory, and may take sharedPart of the system's.
	sharedFolder = "/dev/shm"
	sharedPart   = 8
	// ownPart of the system's memory is a command's where no other bound is set.
	ownPart = 2
	// firstToEnd has the system end a command before anything else when memory runs out
	// (proc_pid_oom_score_adj(5)).
	firstToEnd = "1000"
)

// systemMemory is the size of the computer's memory, in bytes.
func systemMemory() (uint64, error) {
	var system unix.Sysinfo_t
	if err := unix.Sysinfo(&system); err != nil {
		return 0, fmt.Errorf("ask for the size of the memory: %w", err)
	}
	return system.Totalram * uint64(system.Unit), nil
}

// offerFirst makes the guard, and so its command, what the system ends first when memory
// runs out. It is done while the process is still open to itself: a closed one cannot
// write about itself. Where the system refuses, the bound on memory is left.
func offerFirst() {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte(firstToEnd), 0)
}

const (
	// fastest is how fast a processor can use up memory, in bytes a second: that fast it
	// writes zeros. forks is how many processes it starts in that time.
	fastest = 4 << 30
	forks   = 4000
	// shortestWait and longestWait bound the time between two measurements.
	shortestWait = 20 * time.Millisecond
	longestWait  = time.Second
)

// bounds watches what a command uses.
type bounds struct {
	// memory is the most that all processes may use together, in bytes, and threads how
	// many they may be. processor is the most time of processors, in nanoseconds. The last two
	// are 0 for any.
	memory, threads, processor uint64
	// broken is what was used when that was too much.
	broken atomic.Pointer[usage]
}

// wait is the time in which a command that uses this much cannot come to its bounds.
func (b *bounds) wait(used usage) time.Duration {
	soonest := func(most, now, rate uint64) time.Duration {
		if now >= most {
			return 0
		}
		return time.Duration(float64(most-now) / float64(rate) * float64(time.Second))
	}
	processors := uint64(runtime.NumCPU()) //nolint:gosec // never negative
	wait := soonest(b.memory, used.memory, processors*fastest)
	if b.threads > 0 {
		wait = min(wait, soonest(b.threads, used.threads, processors*forks))
	}
	if b.processor > 0 {
		wait = min(wait, soonest(b.processor, used.processor, processors*uint64(time.Second)))
	}
	return min(max(wait, shortestWait), longestWait)
}

// systemUse is how much the whole system is used.
type systemUse struct {
	// available is the memory that programs can still have, in bytes.
	available uint64
	// threads is how many there are. The system counts them in so few bits.
	threads uint16
}

func lookAtSystem() systemUse {
	var system unix.Sysinfo_t
	_ = unix.Sysinfo(&system)               // it has no way to fail
	text, _ := os.ReadFile("/proc/meminfo") // without it, nothing is available
	return systemUse{readField(text, "MemAvailable:") << 10, system.Procs}
}

// isFar reports whether a command that used this much cannot have come to its bounds, by what
// has become of the system meanwhile. What others gave back at the same time is not seen.
func (b *bounds) isFar(used usage, before, now systemUse) bool {
	const part = 2
	left := func(most, used uint64) uint64 { return (most - min(used, most)) / part }
	taken := before.available - min(now.available, before.available)
	started := now.threads - before.threads
	if started > 1<<15 {
		started = 0 // there are fewer
	}
	return taken < left(b.memory, used.memory) && uint64(started) < left(b.threads, used.threads)
}

// watchUsage measures what the command uses, as often as it could reach its bounds, and kills
// it once it has. It goes on until stop is closed.
func (g *guarded) watchUsage(shell int, stop <-chan struct{}) {
	var used usage
	var pause time.Duration
	var last systemUse
	var at time.Time
	g.bounds.processor = g.MostProcessor
	for {
		select {
		case <-stop:
			return
		case <-time.After(max(g.bounds.wait(used), pause)):
		}
		if !g.Locks.Namespaces {
			// Its processes are found one below the other, or among all of the system.
			now := lookAtSystem()
			if g.bounds.isFar(used, last, now) && time.Since(at) < longestWait {
				continue
			}
			last, at = now, time.Now()
		}
		pids := g.listProcesses()
		used, pause = g.measureUsage(pids, false), 0
		if used.memory > g.bounds.memory {
			// Looking at every page can take long. It is to be a tenth of the time at most.
			const rest = 9
			began := time.Now()
			used = g.measureUsage(pids, true)
			pause = rest * time.Since(began)
		}
		if g.bounds.areBroken(used) {
			g.bounds.broken.Store(&used)
			g.killRest(shell)
			return
		}
	}
}

// areBroken reports whether this much is too much.
func (b *bounds) areBroken(used usage) bool {
	return used.memory > b.memory || b.threads > 0 && used.threads > b.threads || b.processor > 0 && used.processor > b.processor
}

// listProcesses are those of the command. In a namespace of its own these are all but the
// guard itself.
func (g *guarded) listProcesses() []int {
	if g.Locks.Namespaces {
		own := os.Getpid()
		return slices.DeleteFunc(listProcesses(), func(pid int) bool { return pid == own })
	}
	return listDescendants()
}

package supervisor

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// usage is what the processes of a command use together.
type usage struct {
	// memory is in bytes. It counts what the system cannot take back by itself: what no
	// file stands behind, resident or swapped out, and files that lie in memory.
	memory uint64
	// threads counts those of all processes.
	threads uint64
	// processor is the time of processors that they and those that have ended have used, in
	// nanoseconds. It is measured where there is a bound on it.
	processor uint64
}

// measureUsage adds up what the processes use. A page that several of them have since a fork
// counts once for each of them, unless exact is asked for: that takes the system as long
// as it takes to look at every page.
func (g *guarded) measureUsage(pids []int, exact bool) usage {
	var used usage
	var shared uint64
	for _, pid := range pids {
		dir := "/proc/" + strconv.Itoa(pid)
		status, err := os.ReadFile(dir + "/status")
		if err != nil {
			continue // it has ended
		}
		used.threads += readField(status, "Threads:")
		var own, mapped uint64
		// A process that is closed to others is taken at its word.
		if parts, err := readIf(exact, dir+"/smaps_rollup"); err == nil {
			own, mapped = readField(parts, "Pss_Anon:")+readField(parts, "SwapPss:"), readField(parts, "Pss_Shmem:")
		} else {
			own, mapped = readField(status, "RssAnon:")+readField(status, "VmSwap:"), readField(status, "RssShmem:")
		}
		if g.bounds.processor > 0 {
			used.processor += runningProcessor(dir)
		}
		used.memory += own << 10
		shared += mapped << 10
	}
	// A file in memory that is mapped as well is among both, so the larger one counts.
	used.memory += max(shared, g.filesInMemory(pids))
	if g.bounds.processor > 0 {
		used.processor += endedProcessor()
	}
	return used
}

// runningProcessor is the time of processors that a process and those of its children that have
// ended have used, in nanoseconds (proc_pid_stat(5)).
func runningProcessor(dir string) uint64 {
	text, _ := os.ReadFile(dir + "/stat") // it may have ended
	const first, last = 14, 17            // what it and its children took, each for itself and in the system
	const tick = 10_000_000               // a hundredth of a second (sysconf(3), _SC_CLK_TCK)
	at := bytes.LastIndexByte(text, ')')  // its name may have anything in it
	fields := strings.Fields(string(text[at+1:]))
	var ticks uint64
	for field := first; field <= last && len(fields) > last-3; field++ {
		number, _ := strconv.ParseUint(fields[field-3], 10, 64) // the third is the first after the name
		ticks += number
	}
	return ticks * tick
}

// endedProcessor is the same of all that has ended, and that this process has waited for.
func endedProcessor() uint64 {
	var used unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_CHILDREN, &used)              // it has no way to fail
	return uint64(used.Utime.Nano()) + uint64(used.Stime.Nano()) //nolint:gosec // never negative
}

func readIf(wanted bool, path string) ([]byte, error) {
	if !wanted {
		return nil, os.ErrInvalid
	}
	return os.ReadFile(path)
}

// readField reads the number in a line of /proc/PID/status or smaps_rollup; 0 where there is
// no such line.
func readField(text []byte, name string) uint64 {
	at := bytes.Index(text, []byte("\n"+name))
	if at < 0 {
		return 0
	}
	line, _, _ := bytes.Cut(text[at+1+len(name):], []byte("\n"))
	number, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(string(line)), " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return number
}

// filesInMemory is the size of files that are kept in memory and of shared memory, in
// bytes, whether a process has them mapped or not. Where the whole system has little of
// both, it is not looked for.
func (g *guarded) filesInMemory(pids []int) uint64 {
	var system unix.Sysinfo_t
	if unix.Sysinfo(&system) == nil && system.Sharedram*uint64(system.Unit) < g.Memory/8 {
		return 0
	}
	size := openInMemory(pids)
	if g.Locks.Namespaces {
		var space unix.Statfs_t
		if unix.Statfs(sharedFolder, &space) == nil {
			size += (space.Blocks - space.Bfree) * uint64(space.Bsize) //nolint:gosec // the size of a block
		}
		size += segmentBytes()
	}
	return size
}

// openInMemory is the size of the files without a name in any folder that the processes
// hold open (memfd_create(2)).
func openInMemory(pids []int) uint64 {
	counted := map[uint64]bool{}
	var size uint64
	for _, pid := range pids {
		dir := "/proc/" + strconv.Itoa(pid) + "/fd"
		folder, err := os.Open(dir)
		if err != nil {
			continue
		}
		names, _ := folder.Readdirnames(-1) // it may end meanwhile
		folder.Close()
		for _, name := range names {
			target, err := os.Readlink(dir + "/" + name)
			if err != nil || !strings.HasPrefix(target, "/memfd:") {
				continue
			}
			var stat unix.Stat_t
			if unix.Stat(dir+"/"+name, &stat) == nil && !counted[stat.Ino] {
				counted[stat.Ino] = true
				size += uint64(stat.Blocks) * 512 //nolint:gosec // a file has no negative size
			}
		}
	}
	return size
}

// segmentBytes is the size of the shared segments of the command's own IPC namespace, which
// stay when no process has them (sysvipc(7)).
func segmentBytes() uint64 {
	text, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		return 0
	}
	const resident, swapped = 14, 15
	var size uint64
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) <= swapped {
			continue
		}
		for _, column := range []int{resident, swapped} {
			number, _ := strconv.ParseUint(fields[column], 10, 64) // the first line has names
			size += number
		}
	}
	return size
}

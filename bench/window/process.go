package window

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is one that runs, as /proc of Linux tells.
type process struct {
	pid, parent int
	name        string
	// cpu is user and system time.
	cpu time.Duration
}

// tick is the unit of times in /proc on every machine that Go runs on.
const tick = time.Second / 100

// parseStat reads a line of /proc/PID/stat.
func parseStat(line string) (process, error) {
	// A name can hold anything, so its end is the last parenthesis.
	opened, closed := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')')
	if opened < 0 || closed < opened {
		return process{}, fmt.Errorf("read process: no name in %q", line)
	}
	// The third field of the line is the first one here.
	fields := strings.Fields(line[closed+1:])
	const parent, user, system = 4 - 3, 14 - 3, 15 - 3
	if len(fields) <= system {
		return process{}, fmt.Errorf("read process: %d fields after its name in %q", len(fields), line)
	}
	var values [4]int
	for i, text := range []string{strings.TrimSpace(line[:opened]), fields[parent], fields[user], fields[system]} {
		value, err := strconv.Atoi(text)
		if err != nil {
			return process{}, fmt.Errorf("read process: %w", err)
		}
		values[i] = value
	}
	return process{
		pid: values[0], parent: values[1], name: line[opened+1 : closed], cpu: time.Duration(values[2]+values[3]) * tick,
	}, nil
}

// listFamily is a process and all below it.
func listFamily(pid int) ([]process, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	children := map[int][]process{}
	var found []process
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil {
			continue // it ended
		}
		p, err := parseStat(string(line))
		if err != nil {
			return nil, err
		}
		children[p.parent] = append(children[p.parent], p)
		if p.pid == pid {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("find process %d: it is gone", pid)
	}
	for at := 0; at < len(found); at++ {
		found = append(found, children[found[at].pid]...)
	}
	return found, nil
}

// pageProcess is the process of a window that runs its page.
func pageProcess(pid int) (int, error) {
	members, err := listFamily(pid)
	if err != nil {
		return 0, err
	}
	for _, p := range members {
		// Linux keeps 15 bytes of WebKitWebProcess.
		if p.name == "WebKitWebProces" {
			return p.pid, nil
		}
	}
	return 0, errors.New("find the page's process: the window has none")
}

// mainThread is the processor time that the first thread of a process has used. In
// a page's process, this is the thread on which its scripts run and it is laid out.
func mainThread(pid int) (time.Duration, error) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/stat", pid, pid))
	if err != nil {
		return 0, fmt.Errorf("read the time of process %d: %w", pid, err)
	}
	thread, err := parseStat(string(line))
	return thread.cpu, err
}

// familyMemory is what a process and all below it take, in bytes. Of what several
// processes share, each counts its part.
func familyMemory(pid int) (int64, error) {
	members, err := listFamily(pid)
	if err != nil {
		return 0, err
	}
	var sum int64
	for _, p := range members {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.pid))
		if err != nil {
			return 0, fmt.Errorf("read the memory of %s: %w", p.name, err)
		}
		part, err := parsePSS(string(text))
		if err != nil {
			return 0, fmt.Errorf("read the memory of %s: %w", p.name, err)
		}
		sum += part
	}
	return sum, nil
}

// parsePSS reads the proportional set size, in bytes, of a smaps_rollup file.
func parsePSS(text string) (int64, error) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "Pss:" {
			continue
		}
		kilobytes, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return 0, err
		}
		return kilobytes * 1024, nil
	}
	return 0, errors.New("there is no line Pss")
}

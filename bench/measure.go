package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// runLimit is the most that one run may take. The longest takes a few seconds.
const runLimit = 30 * time.Second

// program is one of the two clients under test.
type program struct {
	name string
	path string
	// arguments are those of a run against the endpoint at url.
	arguments func(url string, s scenario) []string
}

// measured is the result of one run of a program.
type measured struct {
	// start is from the start of the process to its first request.
	start time.Duration
	// step is the median time of a step in the client.
	step time.Duration
	// cpu is user and system time of the process and its children.
	cpu time.Duration
	// peak is the largest resident size, in bytes; 0 where it is not known.
	peak        int64
	connections int
	// late is the processor time of a step near the end of a long run, and last the
	// length of its last request in bytes.
	late time.Duration
	last int64
}

// run plays a scenario to a program once. It returns the body of the first
// request too.
func (p program) run(ctx context.Context, s scenario, home string) (measured, []byte, error) {
	ctx, stop := context.WithTimeout(ctx, runLimit)
	defer stop()
	played := serve(s)
	var trouble bytes.Buffer
	command := exec.CommandContext(ctx, p.path, p.arguments(played.URL+"/v1", s)...)
	command.Env = cleanEnvironment(home)
	command.Stderr = &trouble
	began := time.Now()
	err := command.Start()
	if err == nil {
		played.setClock(func() time.Duration { return cpuTime(command.Process.Pid) })
		err = command.Wait()
	}
	what, missing := played.closeAndReport()
	if err != nil {
		return measured{}, nil, fmt.Errorf("run %s in scenario %q: %w: %s", p.name, s.name, err, lastLine(trouble.Bytes()))
	}
	if missing != nil {
		return measured{}, nil, fmt.Errorf("run %s in scenario %q: %w", p.name, s.name, missing)
	}
	m := measured{
		start: what.first.Sub(began), cpu: command.ProcessState.UserTime() + command.ProcessState.SystemTime(),
		peak: peakMemory(command.ProcessState), connections: what.connections, late: what.late, last: what.last,
	}
	if len(what.gaps) > 0 {
		m.step = medianValue(what.gaps)
	}
	return m, what.request, nil
}

// lastLine is what a program said last.
func lastLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[bytes.LastIndexByte(text, '\n')+1:]
}

// keyVariable is where the clients find a key. One is given because looking for it
// in every request is part of the work.
const keyVariable = "BENCH_API_KEY"

// cleanEnvironment is this process's own with a key, and without what would steer a
// client: settings in it, proxies, and the folders where settings are found.
func cleanEnvironment(home string) []string {
	kept := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(variable), "=")
		return strings.HasPrefix(name, "FAIRLEAD_") || strings.HasSuffix(name, "_PROXY") || strings.HasPrefix(name, "XDG_")
	})
	return append(kept, "HOME="+home, "XDG_CONFIG_HOME="+home, keyVariable+"=sk-bench-0123456789abcdef0123456789abcdef")
}

// pair are the medians of the floor and of Fairlead in one scenario.
type pair struct{ floor, fairlead measured }

// timeToEnd runs a program and returns how long it lasted.
func timeToEnd(ctx context.Context, home string, command []string) (time.Duration, error) {
	ctx, stop := context.WithTimeout(ctx, runLimit)
	defer stop()
	started := exec.CommandContext(ctx, command[0], command[1:]...)
	started.Env = cleanEnvironment(home)
	began := time.Now()
	err := started.Run()
	if err != nil {
		return 0, fmt.Errorf("run %s: %w", strings.Join(command, " "), err)
	}
	return time.Since(began), nil
}

// runAlternately runs both programs by turns, so that what the machine does beside
// them falls on both.
func runAlternately(ctx context.Context, floor, fairlead program, s scenario, times int, home string) (pair, error) {
	var floors, fairleads []measured
	for range times {
		for _, turn := range []struct {
			program
			results *[]measured
		}{{floor, &floors}, {fairlead, &fairleads}} {
			m, _, err := turn.run(ctx, s, home)
			if err != nil {
				return pair{}, err
			}
			*turn.results = append(*turn.results, m)
		}
	}
	return pair{medianFigures(floors), medianFigures(fairleads)}, nil
}

// medianFigures takes the median of every figure. Connections are the most of any run,
// because none may have more than it should.
func medianFigures(runs []measured) measured {
	var m measured
	m.start = medianValue(columnOf(runs, func(r measured) time.Duration { return r.start }))
	m.step = medianValue(columnOf(runs, func(r measured) time.Duration { return r.step }))
	m.cpu = medianValue(columnOf(runs, func(r measured) time.Duration { return r.cpu }))
	m.peak = medianValue(columnOf(runs, func(r measured) int64 { return r.peak }))
	m.late = medianValue(columnOf(runs, func(r measured) time.Duration { return r.late }))
	m.last = medianValue(columnOf(runs, func(r measured) int64 { return r.last }))
	m.connections = slices.Max(columnOf(runs, func(r measured) int { return r.connections }))
	return m
}

func columnOf[T any](runs []measured, figure func(measured) T) []T {
	var values []T
	for _, r := range runs {
		values = append(values, figure(r))
	}
	return values
}

// medianValue of values that are not empty; the lower one of two in the middle.
func medianValue[T int64 | time.Duration](values []T) T {
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}

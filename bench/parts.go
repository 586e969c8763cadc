package main

import (
	"context"
	"time"

	"fairlead/backend/sandbox/sandboxtest"
)

// parts are what is measured, each for itself.
var parts = []struct {
	name string
	rows func(context.Context, *machine) ([]figure, error)
}{
	{"start", startRows},
	{"steps", stepRows},
	{"protocols", protocolRows},
	{"long", longRows},
	{"streams", streamRows},
	{"confined", confinedRows},
	{"copies", copyRows},
	{"drafts", draftRows},
	{"search", searchRows},
	{"looks", looksRows},
	{"changes", changesRows},
	{"cancel", cancelRows},
	{"conversations", conversationRows},
}

// machine is where everything is measured, and with what.
type machine struct {
	place
	floor, fairlead program
	// unit is the time that an empty Go program takes, and version what `fairlead version`
	// takes by turns with it: from the start of the process to its end.
	unit, version time.Duration
}

func newMachine(ctx context.Context, p place) (*machine, error) {
	m := &machine{place: p, fairlead: p.fairleadProgram()}
	var err error
	if m.floor, err = p.floorProgram(ctx, m.fairlead); err != nil {
		return nil, err
	}
	m.unit, m.version, err = startTimes(ctx, p.home)
	return m, err
}

// unitTimes is how often the empty program is run.
const unitTimes = 61

// startTimes runs the empty program and `fairlead version` by turns and returns their
// medians.
func startTimes(ctx context.Context, home string) (empty, version time.Duration, err error) {
	var took [2][]time.Duration
	for range unitTimes {
		for i, command := range [][]string{{sandboxtest.Program("empty")}, {sandboxtest.Program("fairlead"), "version"}} {
			lasted, err := timeToEnd(ctx, home, command)
			if err != nil {
				return 0, 0, err
			}
			took[i] = append(took[i], lasted)
		}
	}
	return medianValue(took[0]), medianValue(took[1]), nil
}

// startRows measure what comes before the first word of a model.
func startRows(ctx context.Context, m *machine) ([]figure, error) {
	start, err := runAlternately(ctx, m.floor, m.fairlead, oneAnswer, 21, m.home)
	return startFigures(m.unit, m.version, start), err
}

func startFigures(unit, version time.Duration, start pair) []figure {
	return []figure{
		durationFigure("fairlead version", "4 E", unit, version, 4*unit),
		durationFigure("start to first request", "floor + 8 E", start.floor.start, start.fairlead.start, start.floor.start+8*unit),
	}
}

// played is a scenario that is played so many times, and where the medians go.
type played struct {
	scenario
	times  int
	result *pair
}

// playAll plays scenarios to the floor and to Fairlead.
func (m *machine) playAll(ctx context.Context, all []played) (err error) {
	for _, p := range all {
		if *p.result, err = runAlternately(ctx, m.floor, m.fairlead, p.scenario, p.times, m.home); err != nil {
			return err
		}
	}
	return nil
}

// stepRows measure a step of a run.
func stepRows(ctx context.Context, m *machine) ([]figure, error) {
	var s steps
	err := m.playAll(ctx, []played{
		{smallReads, 7, &s.read}, {commands, 7, &s.command}, {oneCommand, 7, &s.first}, {sideBySide, 3, &s.parallel},
	})
	return stepFigures(m.unit, s), err
}

// steps are runs of short steps. first is that of one command alone.
type steps struct{ read, command, first, parallel pair }

func stepFigures(unit time.Duration, s steps) []figure {
	perCommand := func(m func(pair) measured) time.Duration { return (m(s.command).cpu - m(s.first).cpu) / moreCommands }
	return []figure{
		durationFigure("step with one read", "floor + 2 ms", s.read.floor.step, s.read.fairlead.step, s.read.floor.step+2*time.Millisecond),
		durationFigure("step with one true", "floor + 3 E", s.command.floor.step, s.command.fairlead.step, s.command.floor.step+3*unit),
		durationFigure("step with one true, CPU", "5 E",
			perCommand(func(p pair) measured { return p.floor }), perCommand(func(p pair) measured { return p.fairlead }), 5*unit),
		durationFigure("eight sleep 0.5 side by side", "floor + 25 E", s.parallel.floor.step, s.parallel.fairlead.step, s.parallel.floor.step+25*unit),
	}
}

// longRows measure runs of many steps.
func longRows(ctx context.Context, m *machine) ([]figure, error) {
	var l long
	err := m.playAll(ctx, []played{{longRun, 5, &l.run}, {longerRun, 3, &l.longer}, {prunedRun, 3, &l.pruned}})
	return longFigures(l), err
}

// long are runs of many steps: of 200, of 500, and of 500 that are pruned.
type long struct{ run, longer, pruned pair }

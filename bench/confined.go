package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"fairlead/backend/process"
	"fairlead/backend/sandbox"
)

const (
	// trues is how often a command that does nothing is run, and together how many
	// at once.
	trues    = 100
	together = 20
	// flood is how much a command writes, and floodPeak the most memory of Fairlead
	// meanwhile, in bytes.
	flood     = 200 << 20
	floodPeak = 60 << 20
)

// confinedRows measure what it costs to confine a command. The floor is the same
// command without confinement.
func confinedRows(ctx context.Context, m *machine) ([]figure, error) {
	system := sandbox.Inspect(ctx, m.fairlead.path, nil)
	space, err := system.Open(sandbox.Place{Workspace: m.workspace, Private: filepath.Join(m.home, "private"), Home: m.home})
	if err != nil {
		return nil, fmt.Errorf("open a place for commands: %w", err)
	}
	rows, err := m.compare(ctx, space)
	if err := errors.Join(err, space.Close()); err != nil {
		return nil, err
	}
	peak, err := m.floodPeak(ctx, m.fairlead)
	if err != nil {
		return nil, err
	}
	rows[0].name += " (level " + string(system.Level) + ")"
	return append(rows, peak), nil
}

// compare runs commands by turns, confined and not.
func (m *machine) compare(ctx context.Context, space *sandbox.Space) ([]figure, error) {
	run := func(space *sandbox.Space) func() error {
		return func() error { return m.runTrue(ctx, space) }
	}
	one, err := byTurns(trues, run(nil), run(space))
	if err != nil {
		return nil, err
	}
	many, err := byTurns(15, atOnce(run(nil)), atOnce(run(space)))
	if err != nil {
		return nil, err
	}
	return []figure{
		durationFigure("confined command, true", "floor + 2 E", one[0], one[1], one[0]+2*m.unit),
		durationFigure("20 confined commands at once", "floor + 25 E", many[0], many[1], many[0]+25*m.unit),
	}, nil
}

// atOnce does something as often as together says, all at once.
func atOnce(do func() error) func() error {
	return func() error {
		errs := make([]error, together)
		var all sync.WaitGroup
		for i := range together {
			all.Go(func() { errs[i] = do() })
		}
		all.Wait()
		return errors.Join(errs...)
	}
}

// byTurns measures two things by turns, and returns both medians.
func byTurns(times int, first, second func() error) (medians [2]time.Duration, err error) {
	var took [2][]time.Duration
	for range times {
		for i, do := range []func() error{first, second} {
			began := time.Now()
			if err := do(); err != nil {
				return medians, err
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	return [2]time.Duration{medianValue(took[0]), medianValue(took[1])}, nil
}

func (p place) runTrue(ctx context.Context, space *sandbox.Space) error {
	exit, err := process.Run(ctx, process.Command{Line: "true", Dir: p.workspace, Space: space})
	if err == nil && exit.Code != 0 {
		err = fmt.Errorf("true ended with code %d", exit.Code)
	}
	return err
}

// floodPeak is the memory of a run whose command writes without end.
func (p place) floodPeak(ctx context.Context, fairlead program) (figure, error) {
	line := fmt.Sprintf("yes 0123456789abcdef | head -c %d", flood)
	m, _, err := fairlead.run(ctx, scenario{name: "200 MB of output", steps: 1, calls: func(int) []call { return []call{shellCall(line)} }}, p.home)
	if err != nil {
		return figure{}, err
	}
	return figure{
		name: "memory while a command writes 200 MB", fairlead: float64(m.peak) / mib, limit: floodPeak / mib,
		show: megabytesText, unknown: m.peak == 0,
	}, nil
}

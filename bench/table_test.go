package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead/bench/window"
)

// example is what is measured of runs.
type example struct {
	unit, version time.Duration
	start         pair
	steps
	long
}

// atLimit is one in which every figure is just at its limit.
func atLimit() example {
	const ms = time.Millisecond
	return example{
		unit: ms, version: 4 * ms,
		start: pair{measured{start: 10 * ms}, measured{start: 18 * ms}},
		steps: steps{
			read:     pair{measured{step: ms}, measured{step: 3 * ms}},
			command:  pair{measured{step: 2 * ms, cpu: 100 * ms}, measured{step: 5 * ms, cpu: 250 * ms}},
			first:    pair{measured{cpu: 20 * ms}, measured{cpu: 50 * ms}},
			parallel: pair{measured{step: 510 * ms}, measured{step: 535 * ms}},
		},
		long: long{
			run: pair{
				measured{cpu: 100 * ms, peak: 20 << 20, connections: 1},
				measured{cpu: 150 * ms, peak: 60 << 20, connections: 1},
			},
			longer: pair{measured{late: 2 * ms, peak: 20 << 20}, measured{late: 3 * ms, peak: 46 << 20, last: 1 << 20}},
			pruned: pair{measured{late: 2 * ms}, measured{late: 3 * ms}},
		},
	}
}

func (e example) figures() []figure {
	return slices.Concat(startFigures(e.unit, e.version, e.start), stepFigures(e.unit, e.steps), longFigures(e.long))
}

func TestTable_PassesAtTheLimit(t *testing.T) {
	var out strings.Builder
	if missed := writeTable(&out, atLimit().figures()); missed != 0 {
		t.Errorf("%d missed:\n%s", missed, &out)
	}
	if got := strings.Count(out.String(), "  ok\n"); got != 12 {
		t.Errorf("%d figures are ok, want 12:\n%s", got, &out)
	}
	for _, want := range []string{"10.00 ms", "18.00 ms", "1.80", "floor + 8 E = 18.00 ms", "5 E = 5.00 ms", "floor + 40 MB = 60.0 MB"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the table:\n%s", want, &out)
		}
	}
}

func TestTable_ShowsTheFigureThatMissed(t *testing.T) {
	for _, test := range []struct {
		figure string
		worsen func(*example)
	}{
		{"fairlead version", func(e *example) { e.version++ }},
		{"start to first request", func(e *example) { e.start.fairlead.start++ }},
		{"step with one read", func(e *example) { e.read.fairlead.step++ }},
		{"step with one true ", func(e *example) { e.command.fairlead.step++ }},
		{"step with one true, CPU", func(e *example) { e.command.fairlead.cpu += moreCommands }},
		{"eight sleep", func(e *example) { e.parallel.fairlead.step++ }},
		{"200 steps of 4 KB, CPU", func(e *example) { e.run.fairlead.cpu++ }},
		{"200 steps of 4 KB, peak memory", func(e *example) { e.run.fairlead.peak++ }},
		{"step 500 of 1 KB, CPU", func(e *example) { e.longer.fairlead.late++ }},
		{"step 500 of 1 KB, pruned, CPU", func(e *example) { e.pruned.fairlead.late++ }},
		{"500 steps of 1 KB, peak memory", func(e *example) { e.longer.fairlead.peak++ }},
		{"connections", func(e *example) { e.run.fairlead.connections++ }},
	} {
		all := atLimit()
		test.worsen(&all)
		var out strings.Builder
		if missed := writeTable(&out, all.figures()); missed != 1 {
			t.Errorf("%s: %d missed, want 1", test.figure, missed)
		}
		for line := range strings.Lines(out.String()) {
			if strings.Contains(line, "MISSED") != strings.Contains(line, test.figure) {
				t.Errorf("%s: line %s", test.figure, line)
			}
		}
	}
}

// exampleWindow is a window of which every figure is just at its limit.
func exampleWindow() window.Figures {
	const ms, mb = time.Millisecond, 1 << 20
	return window.Figures{
		Paint:  window.Pair[time.Duration]{Empty: 400 * ms, Fairlead: 460 * ms},
		Stream: window.Pair[time.Duration]{Empty: 100 * ms, Fairlead: 175 * ms},
		Memory: window.Pair[int64]{Empty: 200 * mb, Fairlead: 260 * mb},
		Script: 300 << 10,
	}
}

func TestTable_JudgesTheWindow(t *testing.T) {
	var out strings.Builder
	if missed := writeTable(&out, windowFigures(exampleWindow())); missed != 0 || strings.Count(out.String(), "  ok\n") != 4 {
		t.Errorf("%d missed:\n%s", missed, &out)
	}
	for _, want := range []string{"1.15 × floor = 460.00 ms", "floor + 60 MB = 260.0 MB", "300.0 KB", "1.75 × floor = 175.00 ms"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the table:\n%s", want, &out)
		}
	}
	for name, worsen := range map[string]func(*window.Figures){
		"first paint": func(f *window.Figures) { f.Paint.Fairlead++ },
		"long answer": func(f *window.Figures) { f.Stream.Fairlead++ },
		"JavaScript":  func(f *window.Figures) { f.Script++ },
		"memory":      func(f *window.Figures) { f.Memory.Fairlead++ },
	} {
		figures := exampleWindow()
		worsen(&figures)
		var out strings.Builder
		if missed := writeTable(&out, windowFigures(figures)); missed != 1 {
			t.Errorf("%s: %d missed, want 1", name, missed)
		}
		for line := range strings.Lines(out.String()) {
			if strings.Contains(line, "MISSED") != strings.Contains(line, name) {
				t.Errorf("%s: line %s", name, line)
			}
		}
	}
}

func TestTable_SaysWhatIsNotMeasured(t *testing.T) {
	all := atLimit()
	all.run.floor.peak, all.run.fairlead.peak = 0, 0
	var out strings.Builder
	if missed := writeTable(&out, all.figures()); missed != 0 || strings.Count(out.String(), "not measured") != 1 {
		t.Errorf("%d missed:\n%s", missed, &out)
	}
}

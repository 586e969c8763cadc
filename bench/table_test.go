package main

import (
	"strings"
	"testing"
	"time"

	"fairlead/bench/window"
)

// example is a run in which every figure is just at its limit.
func example() results {
	const ms = time.Millisecond
	return results{
		start:    pair{measured{start: 10 * ms}, measured{start: 60 * ms}},
		read:     pair{measured{step: ms}, measured{step: 4 * ms}},
		command:  pair{measured{step: 2 * ms}, measured{step: 6 * ms}},
		parallel: pair{measured{step: 510 * ms}, measured{step: 600 * ms}},
		long: pair{
			measured{cpu: 100 * ms, peak: 20 << 20, connections: 1},
			measured{cpu: 150 * ms, peak: 60 << 20, connections: 1},
		},
		longer: pair{measured{late: 2 * ms, peak: 20 << 20}, measured{late: 3 * ms, peak: 46 << 20, last: 1 << 20}},
		pruned: pair{measured{late: 2 * ms}, measured{late: 3 * ms}},
	}
}

func TestTable_PassesAtTheLimit(t *testing.T) {
	var out strings.Builder
	if missed := table(&out, figures(example())); missed != 0 {
		t.Errorf("%d missed:\n%s", missed, &out)
	}
	if got := strings.Count(out.String(), "  ok\n"); got != 10 {
		t.Errorf("%d figures are ok, want 10:\n%s", got, &out)
	}
	for _, want := range []string{"10.00 ms", "60.00 ms", "6.00", "floor + 50 ms = 60.00 ms", "floor + 40 MB = 60.0 MB"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the table:\n%s", want, &out)
		}
	}
}

func TestTable_ShowsTheFigureThatMissed(t *testing.T) {
	for _, test := range []struct {
		figure string
		worsen func(*results)
	}{
		{"start to first request", func(r *results) { r.start.fairlead.start++ }},
		{"step with one read", func(r *results) { r.read.fairlead.step++ }},
		{"step with one true", func(r *results) { r.command.fairlead.step++ }},
		{"eight sleep", func(r *results) { r.parallel.fairlead.step++ }},
		{"200 steps of 4 KB, CPU", func(r *results) { r.long.fairlead.cpu++ }},
		{"200 steps of 4 KB, peak memory", func(r *results) { r.long.fairlead.peak++ }},
		{"step 500 of 1 KB, CPU", func(r *results) { r.longer.fairlead.late++ }},
		{"step 500 of 1 KB, pruned, CPU", func(r *results) { r.pruned.fairlead.late++ }},
		{"500 steps of 1 KB, peak memory", func(r *results) { r.longer.fairlead.peak++ }},
		{"connections", func(r *results) { r.long.fairlead.connections++ }},
	} {
		all := example()
		test.worsen(&all)
		var out strings.Builder
		if missed := table(&out, figures(all)); missed != 1 {
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
		Stream: 200 * ms,
		Memory: window.Pair[int64]{Empty: 200 * mb, Fairlead: 260 * mb},
		Script: 240 << 10,
	}
}

func TestTable_JudgesTheWindow(t *testing.T) {
	var out strings.Builder
	if missed := table(&out, windowFigures(exampleWindow())); missed != 0 || strings.Count(out.String(), "  ok\n") != 4 {
		t.Errorf("%d missed:\n%s", missed, &out)
	}
	for _, want := range []string{"1.15 × floor = 460.00 ms", "floor + 60 MB = 260.0 MB", "240.0 KB", "  -  "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the table:\n%s", want, &out)
		}
	}
	for name, worsen := range map[string]func(*window.Figures){
		"first paint": func(f *window.Figures) { f.Paint.Fairlead++ },
		"long answer": func(f *window.Figures) { f.Stream++ },
		"JavaScript":  func(f *window.Figures) { f.Script++ },
		"memory":      func(f *window.Figures) { f.Memory.Fairlead++ },
	} {
		figures := exampleWindow()
		worsen(&figures)
		var out strings.Builder
		if missed := table(&out, windowFigures(figures)); missed != 1 {
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
	all := example()
	all.long.floor.peak, all.long.fairlead.peak = 0, 0
	var out strings.Builder
	if missed := table(&out, figures(all)); missed != 0 || strings.Count(out.String(), "not measured") != 1 {
		t.Errorf("%d missed:\n%s", missed, &out)
	}
}

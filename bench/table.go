package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// figure is one line of the table.
type figure struct {
	name string
	// floor is 0 where there is none.
	floor, fairlead float64
	// limit is the most that Fairlead's figure may be, and rule is how it follows
	// from the floor; empty when it does not.
	limit float64
	rule  string
	// show writes a value with its unit.
	show func(float64) string
	// unknown says that this system does not tell the figure.
	unknown bool
}

func (f figure) isMissed() bool { return !f.unknown && f.fairlead > f.limit }

func (f figure) verdictText() string {
	switch {
	case f.unknown:
		return "not measured"
	case f.isMissed():
		return "MISSED"
	}
	return "ok"
}

// floorText is the floor's figure.
func (f figure) floorText() string {
	if f.floor == 0 {
		return "-"
	}
	return f.show(f.floor)
}

// ratioText is how many times the floor Fairlead's figure is.
func (f figure) ratioText() string {
	if f.unknown || f.floor == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", f.fairlead/f.floor)
}

// limitText is the limit and how it comes about.
func (f figure) limitText() string {
	if f.rule == "" {
		return f.show(f.limit)
	}
	return f.rule + " = " + f.show(f.limit)
}

// writeTable writes the figures and returns how many missed their limit.
func writeTable(out io.Writer, figures []figure) (missed int) {
	if len(figures) == 0 {
		return 0
	}
	columns := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "figure\tfloor\tFairlead\tratio\tat most\t")
	for _, f := range figures {
		if f.isMissed() {
			missed++
		}
		fmt.Fprintf(columns, "%s\t%s\t%s\t%s\t%s\t%s\n",
			f.name, f.floorText(), f.show(f.fairlead), f.ratioText(), f.limitText(), f.verdictText())
	}
	fmt.Fprintln(columns)
	_ = columns.Flush() // what it writes to is for the user
	if missed > 0 {
		fmt.Fprintf(out, "%d of the figures missed\n\n", missed)
	}
	return missed
}

const mib = 1 << 20

func megabytesText(v float64) string { return fmt.Sprintf("%.1f MB", v) }

// durationFigure is a figure that is a time.
func durationFigure(name, rule string, floor, fairlead, limit time.Duration) figure {
	return figure{
		name: name, rule: rule, show: func(v float64) string { return fmt.Sprintf("%.2f ms", v) },
		floor: inMilliseconds(floor), fairlead: inMilliseconds(fairlead), limit: inMilliseconds(limit),
	}
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// longFigures judges what was measured of long runs.
func longFigures(l long) []figure {
	run, longer := l.run, l.longer
	return []figure{
		durationFigure("200 steps of 4 KB, CPU", "1.5 × floor", run.floor.cpu, run.fairlead.cpu, run.floor.cpu*3/2),
		{
			name: "200 steps of 4 KB, peak memory", rule: "floor + 40 MB", unknown: run.fairlead.peak == 0,
			show:  megabytesText,
			floor: float64(run.floor.peak) / mib, fairlead: float64(run.fairlead.peak) / mib,
			limit: float64(run.floor.peak)/mib + 40,
		},
		lateStep("step 500 of 1 KB, CPU", "1.5 × floor", longer, longer.floor.late*3/2),
		lateStep("step 500 of 1 KB, pruned, CPU", "that without", pair{floor: longer.fairlead, fairlead: l.pruned.fairlead}, longer.fairlead.late),
		{
			name: "500 steps of 1 KB, peak memory", rule: "6 × history + 40 MB", unknown: longer.fairlead.peak == 0,
			show:  megabytesText,
			floor: float64(longer.floor.peak) / mib, fairlead: float64(longer.fairlead.peak) / mib,
			limit: 6*float64(longer.fairlead.last)/mib + 40,
		},
		{
			name:  "connections of a run",
			show:  func(v float64) string { return fmt.Sprintf("%.0f", v) },
			floor: float64(run.floor.connections), fairlead: float64(run.fairlead.connections), limit: 1,
		},
	}
}

// lateStep is the processor time of a step at the end of a long run.
func lateStep(name, rule string, measured pair, limit time.Duration) figure {
	f := durationFigure(name, rule, measured.floor.late, measured.fairlead.late, limit)
	f.unknown = measured.fairlead.late == 0
	return f
}

package autorun

import "time"

const (
	// step is longer than the steps in which systems count the times of changes, and
	// longStep than those of file systems that keep whole seconds, or every second one.
	step     = 100 * time.Millisecond
	longStep = 2*time.Second + step
)

// isSettled reports whether a change after a moment is sure to have another time than one
// at changed. The moment is before what changed was read: a reading can take longer than
// a step, and what is written meanwhile may be in it or not.
func isSettled(changed, looked time.Time) bool {
	age := looked.Sub(changed)
	if changed.Nanosecond() == 0 {
		return age > longStep
	}
	return age > step
}

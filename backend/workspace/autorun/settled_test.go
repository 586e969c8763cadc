package autorun

import (
	"testing"
	"time"
)

func TestSEC08_AChangeInTheSameStepOfTimeIsSeen(t *testing.T) {
	changed := time.Date(2026, time.November, 23, 6, 0, 0, 123_000_000, time.UTC)
	whole := changed.Truncate(time.Second) // as file systems with whole seconds have it
	for _, test := range []struct {
		changed, looked time.Time
		want            bool
	}{
		{changed, changed.Add(time.Second), true},
		{changed, changed.Add(10 * time.Millisecond), false},
		{changed, changed.Add(-time.Hour), false}, // the file system's clock is ahead
		{whole, whole.Add(time.Second), false},
		{whole, whole.Add(2 * time.Second), false},
		{whole, whole.Add(3 * time.Second), true},
	} {
		if got := isSettled(test.changed, test.looked); got != test.want {
			t.Errorf("changed %v before it was looked at: settled %v", test.looked.Sub(test.changed), got)
		}
	}
}

package approve

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestLOOP07_AQuestionWaitsOnAfterAStandstill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPatience(10 * time.Second)
		defer p.stop()
		start := time.Now()
		for second := 1; second < 10; second++ {
			at := start.Add(time.Duration(second) * time.Second)
			if second > 4 {
				at = at.Add(time.Hour) // the process stood still after the fourth look
			}
			if !p.lasts(at) {
				t.Fatalf("gave up at second %d", second)
			}
		}
		if p.lasts(start.Add(time.Hour + 10*time.Second)) {
			t.Error("still waits after ten seconds awake")
		}
	})
}

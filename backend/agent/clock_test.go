package agent

import (
	"testing"
	"testing/synctest"
	"time"
)

// freeze makes the clock see what it sees when the process stood still: the next
// tick comes late by d.
func (c *clock) freeze(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = c.started.Add(-d)
	c.lastTick = c.lastTick.Add(-d)
}

func TestLOOP07_StandingStillCountsForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock()
		defer c.close()
		noticed := 0
		defer c.watch(func() { noticed++ })()
		fired := make(chan time.Duration, 1)
		limit := c.after(10*time.Second, c.awake, func() { fired <- c.still })
		defer limit.stop()
		<-time.After(4 * time.Second)
		c.freeze(time.Minute)
		<-time.After(5 * time.Second)
		select {
		case <-fired:
			t.Fatal("the time in which the process stood still was counted")
		default:
		}
		<-time.After(2 * time.Second)
		if noticed != 1 {
			t.Errorf("noticed %d times, want once", noticed)
		}
		if still := <-fired; still != time.Minute {
			t.Errorf("stood still %v, want 1m", still)
		}
	})
}

func TestLOOP07_ATimerThatFiresBeforeTheLateTickWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock()
		defer c.close()
		c.ticker.Stop() // the timers' own look at the clock must do
		fired := false
		limit := c.after(3*time.Second, c.awake, func() { fired = true })
		defer limit.stop()
		<-time.After(time.Second)
		c.freeze(30 * time.Second)
		<-time.After(2*time.Second + recheck/2)
		synctest.Wait()
		if fired {
			t.Error("the timer fired on time that the process stood still")
		}
	})
}

func TestLOOP07_WaitingForAPersonIsNoWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock()
		defer c.close()
		<-time.After(time.Second)
		first := c.wait()
		<-time.After(10 * time.Second)
		second := c.wait()
		first()
		<-time.After(5 * time.Second)
		second()
		<-time.After(time.Second)
		if worked, waited := c.worked(), c.personTime(); worked != 2*time.Second || waited != 15*time.Second {
			t.Errorf("worked %v, waited %v, want 2s and 15s", worked, waited)
		}
	})
}

func TestTimerRestartGivesTheWholeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock()
		defer c.close()
		start := time.Now()
		fired := make(chan time.Duration, 1)
		limit := c.after(10*time.Second, c.awake, func() { fired <- time.Since(start) })
		defer limit.stop()
		<-time.After(9 * time.Second)
		limit.restart()
		if at := <-fired; at != 19*time.Second {
			t.Errorf("fired after %v, want 19s", at)
		}
	})
}

func TestLOOP13_AStoppedTimerNeverFires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock()
		fired := false
		limit := c.after(time.Second, c.awake, func() { fired = true })
		limit.stop()
		c.close()
		<-time.After(time.Minute)
		if fired {
			t.Error("fired after stop")
		}
	})
}

func TestLOOP13_AnEndedRunHoldsNoTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRun(t.Context(), Input{Mode: Single, Limits: Limits{Run: time.Hour}})
		r.release()
		if r.clock.ticker != nil || !r.limit.done {
			t.Error("the clock of an ended run still ticks")
		}
	})
}

func TestLOOP07_AStandstillWhileAskedCountsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock()
		defer c.close()
		<-time.After(3 * time.Second)
		end := c.wait()
		<-time.After(2 * time.Second)
		c.mu.Lock() // the question stood before the process did
		c.waiting = c.waiting.Add(-time.Hour)
		c.mu.Unlock()
		c.freeze(time.Hour)
		<-time.After(5 * time.Second)
		end()
		if worked, waited := c.worked(), c.personTime(); worked != 3*time.Second || waited != 7*time.Second {
			t.Errorf("worked %v, waited %v, want 3s and 7s", worked, waited)
		}
	})
}

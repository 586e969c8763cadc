package agent

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// stopped is a time that jumps when the process stood still.
type stopped struct{ by atomic.Int64 }

func (s *stopped) now() time.Time { return time.Now().Add(time.Duration(s.by.Load())) }

func TestLOOP07_StandingStillCountsForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stood stopped
		c := newRunClock(stood.now)
		defer c.close()
		noticed := 0
		defer c.watchStandstill(func() { noticed++ })()
		fired := make(chan time.Duration, 1)
		limit := c.startTimer(10*time.Second, c.awakeTime, func() { fired <- c.still })
		defer limit.stop()
		<-time.After(4 * time.Second)
		stood.by.Add(int64(time.Minute))
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
		var stood stopped
		c := newRunClock(stood.now)
		defer c.close()
		c.ticker.Stop() // the timers' own look at the clock must do
		fired := false
		limit := c.startTimer(3*time.Second, c.awakeTime, func() { fired = true })
		defer limit.stop()
		<-time.After(time.Second)
		stood.by.Add(int64(30 * time.Second))
		<-time.After(2*time.Second + recheck/2)
		synctest.Wait()
		if fired {
			t.Error("the timer fired on time that the process stood still")
		}
	})
}

func TestLOOP07_WaitingForAPersonIsNoWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newRunClock(time.Now)
		defer c.close()
		<-time.After(time.Second)
		first := c.beginWait()
		<-time.After(10 * time.Second)
		second := c.beginWait()
		first()
		<-time.After(5 * time.Second)
		second()
		<-time.After(time.Second)
		if worked, waited := c.workTime(), c.userTime(); worked != 2*time.Second || waited != 15*time.Second {
			t.Errorf("worked %v, waited %v, want 2s and 15s", worked, waited)
		}
	})
}

func TestTimerRestartGivesTheWholeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newRunClock(time.Now)
		defer c.close()
		start := time.Now()
		fired := make(chan time.Duration, 1)
		limit := c.startTimer(10*time.Second, c.awakeTime, func() { fired <- time.Since(start) })
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
		c := newRunClock(time.Now)
		fired := false
		limit := c.startTimer(time.Second, c.awakeTime, func() { fired = true })
		limit.stop()
		c.close()
		<-time.After(time.Minute)
		if fired {
			t.Error("fired after stop")
		}
	})
}

func TestLOOP07_AStandstillWhileAskedCountsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stood stopped
		c := newRunClock(stood.now)
		defer c.close()
		<-time.After(3 * time.Second)
		end := c.beginWait()
		<-time.After(2 * time.Second)
		stood.by.Add(int64(time.Hour))
		<-time.After(5 * time.Second)
		end()
		if worked, waited := c.workTime(), c.userTime(); worked != 3*time.Second || waited != 7*time.Second {
			t.Errorf("worked %v, waited %v, want 3s and 7s", worked, waited)
		}
	})
}

package agent

import (
	"sync"
	"time"
)

// A tick that comes more than stillTime late means that the whole process stood
// still: the machine slept, or someone stopped the program (SPEC LOOP-07).
const (
	tickInterval = time.Second
	stillTime    = 5 * time.Second
)

// runClock measures a run's time. Time in which the process stood still counts for
// nothing; time spent waiting for the user does not count as work.
type runClock struct {
	now func() time.Time

	mu       sync.Mutex
	started  time.Time
	lastTick time.Time
	ticker   *time.Timer
	still    time.Duration // how long the process has stood still so far
	waits    int           // how many questions are open
	waiting  time.Time     // since when at least one is
	waited   time.Duration // how long questions were open before that
	onStill  func()        // must not use the clock; see watchStandstill
}

// newRunClock starts a clock that reads the time with now; close ends it.
func newRunClock(now func() time.Time) *runClock {
	began := now()
	c := &runClock{now: now, started: began, lastTick: began}
	c.mu.Lock() // the first tick may come before the assignment
	defer c.mu.Unlock()
	c.ticker = time.AfterFunc(tickInterval, c.addTick)
	return c
}

// close stops the clock's own tick. Timers are stopped one by one.
func (c *runClock) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ticker.Stop()
	c.ticker = nil
}

func (c *runClock) addTick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ticker == nil {
		return
	}
	now := c.now()
	c.noticeStandstill(now)
	c.lastTick = now
	c.ticker.Reset(tickInterval)
}

// noticeStandstill accounts for a late tick. Every reading of the clock comes here first,
// because after a standstill the timers may fire before the tick does.
func (c *runClock) noticeStandstill(now time.Time) {
	late := now.Sub(c.lastTick) - tickInterval
	if late <= stillTime {
		return
	}
	c.still += late
	if c.waits > 0 {
		c.waiting = c.waiting.Add(late) // it is no waiting for the user either
	}
	c.lastTick = now
	if c.onStill != nil {
		c.onStill()
	}
}

// watchStandstill has f called whenever the process was found to have stood still, until
// the returned function is called.
func (c *runClock) watchStandstill(f func()) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onStill = f
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.onStill = nil
	}
}

// awakeTime is the time since the start in which the process ran.
func (c *runClock) awakeTime() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.awakeTimeLocked(c.now())
}

func (c *runClock) awakeTimeLocked(now time.Time) time.Duration {
	c.noticeStandstill(now)
	return now.Sub(c.started) - c.still
}

// workTime is awakeTime without the time in which the user was waited for.
func (c *runClock) workTime() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	return c.awakeTimeLocked(now) - c.userTimeLocked(now)
}

// userTime is how long the user was waited for so far.
func (c *runClock) userTime() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.userTimeLocked(c.now())
}

func (c *runClock) userTimeLocked(now time.Time) time.Duration {
	c.noticeStandstill(now)
	if c.waits == 0 {
		return c.waited
	}
	return c.waited + now.Sub(c.waiting)
}

// beginWait counts the time until the returned function is called as time in which the
// user is waited for.
func (c *runClock) beginWait() (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waits == 0 {
		c.waiting = c.now()
	}
	c.waits++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		now := c.now()
		c.noticeStandstill(now)
		c.waits--
		if c.waits == 0 {
			c.waited += now.Sub(c.waiting)
		}
	}
}

// runTimer calls a function once a reading of the clock has grown by a limit.
type runTimer struct {
	mu    sync.Mutex
	timer *time.Timer
	limit time.Duration
	read  func() time.Duration
	from  time.Duration
	done  bool
}

// recheck is the shortest wait before a timer looks again whether its time has
// come, so that one that cannot go on does not spin.
const recheck = 20 * time.Millisecond

// startTimer calls f in a goroutine of its own when read has grown by limit.
func (c *runClock) startTimer(limit time.Duration, read func() time.Duration, f func()) *runTimer {
	t := &runTimer{limit: limit, read: read, from: read()}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(limit, func() {
		left := t.timeLeft()
		t.mu.Lock()
		defer t.mu.Unlock()
		switch {
		case t.done:
		case left > 0:
			t.timer.Reset(max(left, recheck))
		default:
			t.done = true
			f()
		}
	})
	return t
}

func (t *runTimer) timeLeft() time.Duration {
	now := t.read()
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.limit - (now - t.from)
}

// restart gives the whole limit again.
func (t *runTimer) restart() {
	now := t.read()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.from = now
}

// stop keeps the timer from calling f, unless it is calling it already.
func (t *runTimer) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done = true
	t.timer.Stop()
}

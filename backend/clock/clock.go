// Package clock measures the time of a run: what counts as work, what was spent
// waiting for a person, and what counts for nothing because the process stood still.
package clock

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

// Clock measures a run's time. Time in which the process stood still counts for
// nothing; time spent waiting for a person does not count as work.
type Clock struct {
	now func() time.Time

	mu       sync.Mutex
	started  time.Time
	lastTick time.Time
	ticker   *time.Timer
	still    time.Duration // how long the process has stood still so far
	waits    int           // how many questions are open
	waiting  time.Time     // since when at least one is
	waited   time.Duration // how long questions were open before that
	onStill  func()        // must not use the clock; see Watch
}

// New starts a clock that reads the time with now; Close ends it.
func New(now func() time.Time) *Clock {
	began := now()
	c := &Clock{now: now, started: began, lastTick: began}
	c.mu.Lock() // the first tick may come before the assignment
	defer c.mu.Unlock()
	c.ticker = time.AfterFunc(tickInterval, c.tick)
	return c
}

// Close stops the clock's own tick. Timers are stopped one by one.
func (c *Clock) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ticker.Stop()
	c.ticker = nil
}

func (c *Clock) tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ticker == nil {
		return
	}
	now := c.now()
	c.notice(now)
	c.lastTick = now
	c.ticker.Reset(tickInterval)
}

// notice accounts for a late tick. Every reading of the clock comes here first,
// because after a standstill the timers may fire before the tick does.
func (c *Clock) notice(now time.Time) {
	late := now.Sub(c.lastTick) - tickInterval
	if late <= stillTime {
		return
	}
	c.still += late
	if c.waits > 0 {
		c.waiting = c.waiting.Add(late) // it is no waiting for a person either
	}
	c.lastTick = now
	if c.onStill != nil {
		c.onStill()
	}
}

// Watch has f called whenever the process was found to have stood still, until
// the returned function is called.
func (c *Clock) Watch(f func()) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onStill = f
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.onStill = nil
	}
}

// Awake is the time since the start in which the process ran.
func (c *Clock) Awake() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.awakeLocked(c.now())
}

func (c *Clock) awakeLocked(now time.Time) time.Duration {
	c.notice(now)
	return now.Sub(c.started) - c.still
}

// Worked is Awake without the time in which a person was waited for.
func (c *Clock) Worked() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	return c.awakeLocked(now) - c.personTimeLocked(now)
}

// PersonTime is how long a person was waited for so far.
func (c *Clock) PersonTime() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.personTimeLocked(c.now())
}

func (c *Clock) personTimeLocked(now time.Time) time.Duration {
	c.notice(now)
	if c.waits == 0 {
		return c.waited
	}
	return c.waited + now.Sub(c.waiting)
}

// Wait says that a person is waited for, until the returned function is called.
func (c *Clock) Wait() (end func()) {
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
		c.notice(now)
		c.waits--
		if c.waits == 0 {
			c.waited += now.Sub(c.waiting)
		}
	}
}

// Timer calls a function once a reading of the clock has grown by a limit.
type Timer struct {
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

// After calls f in a goroutine of its own when read has grown by limit.
func (c *Clock) After(limit time.Duration, read func() time.Duration, f func()) *Timer {
	t := &Timer{limit: limit, read: read, from: read()}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(limit, func() {
		left := t.left()
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

func (t *Timer) left() time.Duration {
	now := t.read()
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.limit - (now - t.from)
}

// Restart gives the whole limit again.
func (t *Timer) Restart() {
	now := t.read()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.from = now
}

// Stop keeps the timer from calling, unless it is at it.
func (t *Timer) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done = true
	t.timer.Stop()
}

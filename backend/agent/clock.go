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

// clock measures a run's time. Time in which the process stood still counts for
// nothing; time spent waiting for a person does not count as work.
type clock struct {
	mu       sync.Mutex
	started  time.Time
	lastTick time.Time
	ticker   *time.Timer
	still    time.Duration // how long the process has stood still so far
	waits    int           // how many questions are open
	waiting  time.Time     // since when at least one is
	waited   time.Duration // how long questions were open before that
	onStill  func()        // must not use the clock; see watch
}

func newClock() *clock {
	now := time.Now()
	c := &clock{started: now, lastTick: now}
	c.mu.Lock() // the first tick may come before the assignment
	defer c.mu.Unlock()
	c.ticker = time.AfterFunc(tickInterval, c.tick)
	return c
}

func (c *clock) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ticker.Stop()
	c.ticker = nil
}

func (c *clock) tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ticker == nil {
		return
	}
	now := time.Now()
	c.notice(now)
	c.lastTick = now
	c.ticker.Reset(tickInterval)
}

// notice accounts for a late tick. Every reading of the clock comes here first,
// because after a standstill the timers may fire before the tick does.
func (c *clock) notice(now time.Time) {
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

// watch has f called whenever the process was found to have stood still, until
// the returned function is called.
func (c *clock) watch(f func()) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onStill = f
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.onStill = nil
	}
}

// awake is the time since the start in which the process ran.
func (c *clock) awake() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.awakeLocked(time.Now())
}

func (c *clock) awakeLocked(now time.Time) time.Duration {
	c.notice(now)
	return now.Sub(c.started) - c.still
}

// worked is awake without the time in which a person was waited for.
func (c *clock) worked() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	return c.awakeLocked(now) - c.personTimeLocked(now)
}

// personTime is how long a person was waited for so far.
func (c *clock) personTime() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.personTimeLocked(time.Now())
}

func (c *clock) personTimeLocked(now time.Time) time.Duration {
	c.notice(now)
	if c.waits == 0 {
		return c.waited
	}
	return c.waited + now.Sub(c.waiting)
}

// wait says that a person is waited for, until the returned function is called.
func (c *clock) wait() (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waits == 0 {
		c.waiting = time.Now()
	}
	c.waits++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		now := time.Now()
		c.notice(now)
		c.waits--
		if c.waits == 0 {
			c.waited += now.Sub(c.waiting)
		}
	}
}

// timer calls a function once a reading of the clock has grown by a limit.
type timer struct {
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

// after calls f in a goroutine of its own when read has grown by limit.
func (c *clock) after(limit time.Duration, read func() time.Duration, f func()) *timer {
	t := &timer{limit: limit, read: read, from: read()}
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

func (t *timer) left() time.Duration {
	now := t.read()
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.limit - (now - t.from)
}

// restart gives the whole limit again.
func (t *timer) restart() {
	now := t.read()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.from = now
}

func (t *timer) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done = true
	t.timer.Stop()
}

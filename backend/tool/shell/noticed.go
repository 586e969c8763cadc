package shell

import (
	"context"
	"strings"
	"sync"
	"time"
)

// lookTime is how long is looked after a command that was cut short: it has had its
// time to leave something, and somebody waits for its end.
const lookTime = 25 * time.Millisecond

// look is the look at the folder when a command has ended.
type look struct {
	// after is what Options.Before returned; nil for no look.
	after func(ctx context.Context) []string
	once  sync.Once
	// noticed is what it saw.
	noticed []string
}

// take looks, the first time that it is called, and returns what was seen.
func (l *look) take(ctx context.Context) []string {
	l.once.Do(func() {
		if l.after == nil {
			return
		}
		if ctx.Err() != nil {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), lookTime)
			defer cancel()
		}
		l.noticed = l.after(ctx)
	})
	return l.noticed
}

// tellLater keeps the look after a command in the background until its end is seen.
func (c *commands) tellLater(id string, l *look) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := map[string]bool{}
	for _, job := range c.Jobs.List() {
		known[job.ID] = true
	}
	for other := range c.looks {
		if !known[other] {
			delete(c.looks, other)
		}
	}
	if c.looks == nil {
		c.looks = map[string]*look{}
	}
	c.looks[id] = l
}

// tellOnce returns what was seen after a command in the background that has ended,
// the first time that it is asked.
func (c *commands) tellOnce(ctx context.Context, id string) []string {
	c.mu.Lock()
	l := c.looks[id]
	delete(c.looks, id)
	c.mu.Unlock()
	if l == nil {
		return nil
	}
	return l.take(ctx)
}

// withNoticed adds to a text what was noticed after the command.
func withNoticed(text string, noticed []string) string {
	if len(noticed) == 0 {
		return text
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + "[Fairlead noticed: " + strings.Join(noticed, "; ") + "]"
}

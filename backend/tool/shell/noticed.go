package shell

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/workspace"
	"fairlead/backend/workspace/autorun"
)

const (
	// lookTime is how long is looked after a command that was cut short: it has had its
	// time to leave something, and somebody waits for its end.
	lookTime = 25 * time.Millisecond
	// lookTimeBehind is the same for a command in the background, for which nobody waits
	// but the end of the conversation.
	lookTimeBehind = 300 * time.Millisecond
)

// Looks keeps what was seen in the folder after commands in the background, until the
// model was told. The zero value is ready, and it is safe for concurrent use.
type Looks struct {
	mu sync.Mutex
	// behind are the looks after commands in the background, by their ids.
	behind map[string]*look
}

// Of returns what was seen after a command in the background that has ended, told or not,
// as long as it is among the commands of the conversation.
func (l *Looks) Of(id string) []message.Notice {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.behind[id]; known != nil {
		return known.notices
	}
	return nil
}

// Untold returns what was seen after commands that have ended since and that no result
// told of, in the order of their ids and each once.
func (l *Looks) Untold() []message.Notice {
	l.mu.Lock()
	defer l.mu.Unlock()
	var untold []message.Notice
	for _, id := range slices.SortedFunc(maps.Keys(l.behind), byNumber) {
		for _, n := range l.behind[id].takeNotices() {
			n.Data.ProcessID = id
			untold = append(untold, n)
		}
	}
	return untold
}

// byNumber orders p2 before p10.
func byNumber(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// look is the look at the folder when a command has ended. What it saw is guarded by the
// lock of its Looks.
type look struct {
	looks *Looks
	// after is what Options.Before returned; nil for no look.
	after func(ctx context.Context) []message.Notice
	once  sync.Once
	// pins are what is kept from the command, as process.Command has them.
	pins []string
	// limit is how long it may take after a command that was cut short.
	limit time.Duration
	// notices are what it saw, and told says that the model was told.
	notices []message.Notice
	told    bool
	// layer is the copy of the folder that it works on; nil for none. setAside keeps it, where
	// nobody waits for the command any more; behind says that nobody does, and ended that it
	// has ended.
	layer         *change.Layer
	setAside      func(ctx context.Context) string
	behind, ended bool
	// draft is Options.Draft, once the command has ended.
	draft func(ctx context.Context) (*change.Set, error)
	// command is the command, for what changes meanwhile; nil where that is not recorded.
	// changes are what did, and noted is that in words, until a result has them.
	command *change.Command
	changes []message.Change
	noted   string
}

// takeLook looks, the first time that it is called, and returns what was seen.
func (l *look) takeLook(ctx context.Context) []message.Notice {
	l.once.Do(func() {
		defer l.lookAtChanges(ctx) // when what was made for the command is gone
		if l.after == nil {
			return
		}
		if ctx.Err() != nil {
			l.looks.mu.Lock()
			limit := l.limit
			l.looks.mu.Unlock()
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), limit)
			defer cancel()
		}
		notices := l.after(ctx)
		l.looks.mu.Lock()
		defer l.looks.mu.Unlock()
		l.notices = notices
	})
	l.looks.mu.Lock()
	defer l.looks.mu.Unlock()
	return l.notices
}

// takeNotices returns what was seen, once. The caller holds the lock.
func (l *look) takeNotices() []message.Notice {
	if l.told || l.notices == nil {
		return nil
	}
	l.told = true
	return l.notices
}

// tellLater keeps the look after a command in the background until its end is seen.
func (c *commands) tellLater(id string, l *look) {
	if l.command != nil {
		l.command.Background()
	}
	if l.layer != nil {
		l.keepLayer(context.Background(), &l.behind)
	}
	known := map[string]bool{id: true}
	for _, job := range c.Jobs.List() {
		known[job.ID] = true
	}
	c.Looks.mu.Lock()
	defer c.Looks.mu.Unlock()
	for other, look := range c.Looks.behind {
		if !known[other] && (look.told || look.notices == nil) {
			delete(c.Looks.behind, other)
		}
	}
	if c.Looks.behind == nil {
		c.Looks.behind = map[string]*look{}
	}
	l.limit = lookTimeBehind
	c.Looks.behind[id] = l
}

// refusedNotices returns the notice about a pin that a command in the background tried to
// change, judged by what it printed; none where nothing tells.
func (c *commands) refusedNotices(id, printed string) []message.Notice {
	c.Looks.mu.Lock()
	l := c.Looks.behind[id]
	c.Looks.mu.Unlock()
	if l == nil {
		return nil
	}
	if pinned, ok := autorun.Refused(printed, l.pins); ok {
		return []message.Notice{workspace.NoticeOf(pinned)}
	}
	return nil
}

// tellOnce returns what was seen after a command in the background that has ended, the first
// time that it is asked, and the look at it.
func (c *commands) tellOnce(ctx context.Context, id string) ([]message.Notice, *look) {
	c.Looks.mu.Lock()
	l := c.Looks.behind[id]
	c.Looks.mu.Unlock()
	if l == nil {
		return nil, nil
	}
	l.takeLook(ctx)
	c.Looks.mu.Lock()
	defer c.Looks.mu.Unlock()
	return l.takeNotices(), l
}

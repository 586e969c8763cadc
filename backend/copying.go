package backend

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"fairlead/backend/approve"
	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/sandbox"
)

// trialTime bounds the trial whether commands can work on a copy of a folder.
const trialTime = 10 * time.Second

// copying finds out whether the commands of one conversation can work on a copy of its folder.
type copying struct {
	level   func() message.Level
	try     func() error
	changes *change.Recorder

	mu    sync.Mutex
	known bool
	why   *message.NoCopy
}

// newCopying returns what finds that out for a folder, by what is changed in it.
func (b *Backend) newCopying(changes *change.Recorder) *copying {
	return &copying{level: func() message.Level { return b.Confinement().Level }, try: b.copies, changes: changes}
}

// tryCopies tries once, for all conversations, whether the system has copies.
func (b *Backend) tryCopies() error {
	ctx, stop := context.WithTimeout(context.Background(), trialTime)
	defer stop()
	return b.Confinement().TryOverlay(ctx, b.Folders.Data)
}

// reason returns why they cannot; nil where they can. What was found stays so until the
// conversation is opened anew: what changes then, the command says.
func (c *copying) reason(ctx context.Context) *message.NoCopy {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.known {
		why := c.find(ctx)
		if ctx.Err() != nil {
			return why // it was cut short
		}
		c.why, c.known = why, true
	}
	return c.why
}

func (c *copying) find(ctx context.Context) *message.NoCopy {
	if c.level() != message.LevelFull {
		return &message.NoCopy{Code: message.NoCopyLevel}
	}
	if err := c.try(); err != nil {
		return &message.NoCopy{Code: message.NoCopySystem, Detail: err.Error()}
	}
	mount, err := sandbox.MountIn(c.changes.Path)
	if err != nil {
		return &message.NoCopy{Code: message.NoCopyFailed, Detail: err.Error()}
	}
	if mount != "" {
		return &message.NoCopy{Code: message.NoCopyMount, Path: mount}
	}
	owned, subvolume, err := c.changes.Foreign(ctx)
	if err != nil {
		return &message.NoCopy{Code: message.NoCopyFailed, Detail: err.Error()}
	}
	if owned != "" {
		return &message.NoCopy{Code: message.NoCopyOwner, Path: string(owned)}
	}
	if subvolume != "" {
		return &message.NoCopy{Code: message.NoCopyMount, Path: filepath.Join(c.changes.Path, string(subvolume))}
	}
	return nil
}

// lookAhead is a look at all that is in the folder of a conversation, before a command in a copy has
// to wait for it.
type lookAhead struct {
	mu    sync.Mutex
	stop  context.CancelFunc
	looks sync.WaitGroup
}

func (l *lookAhead) begin(looks ...func(context.Context)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	for _, look := range looks {
		l.looks.Go(func() { look(ctx) })
	}
}

// end ends it: what was not found out is when it is needed.
func (l *lookAhead) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop != nil {
		l.stop()
		l.looks.Wait()
	}
}

// SetApprove sets what is asked about, from the next call on.
func (c *Conversation) SetApprove(mode approve.Mode) {
	c.Driver.SetApprove(mode)
	c.lookAhead(mode)
}

// lookAhead begins to look at the folder where commands will work on copies of it.
func (c *Conversation) lookAhead(mode approve.Mode) {
	if mode != approve.Draft && mode != approve.Preview {
		return
	}
	c.ahead.begin(
		func(ctx context.Context) { _ = c.copying.reason(ctx) },
		func(ctx context.Context) { _, _ = c.folder.Secrets(ctx) },
	)
}

// found returns why they cannot, as far as it was found out; nil where they can, or where
// nobody has asked yet.
func (c *copying) found() *message.NoCopy {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}

// fail notes that a copy could not be had although nothing spoke against it.
func (c *copying) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known, c.why = true, &message.NoCopy{Code: message.NoCopySystem, Detail: err.Error()}
}

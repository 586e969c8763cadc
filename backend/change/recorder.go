package change

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"fairlead/backend/leftover"
)

// Options are what a recorder works with.
type Options struct {
	// Root is the folder, and Path leads to it.
	Root *os.Root
	Path string
	// SessionID is the conversation.
	SessionID string
	Journal   Journal
	// Objects keep what was there before.
	Objects *Objects
	// Drafts is the folder of the conversation's drafts, and Draft the id of the one whose folder
	// Root is; empty for the folder itself.
	Drafts, Draft string
	// Below is the folder that Draft is a copy of; nil without one.
	Below *os.Root
	// Leftover is where temporary files are put on record; it may be nil.
	Leftover *leftover.Record
	// SpaceLeft returns how many bytes more may be kept before what is kept of older changes is
	// deleted; nil for as many as there are.
	SpaceLeft func() (int64, error)
	// NewID returns a new id, unique and sorted by time.
	NewID func() string
	Log   *slog.Logger
}

// Recorder changes the folder of a conversation, and records what it changes. It is safe for
// concurrent use.
type Recorder struct {
	Options

	// changing is held while something is changed. unfinished reports whether a set may be open
	// that no call is making: it could not be finished.
	changing   sync.Mutex
	unfinished bool

	// base is what commands are compared with, nil before the first. running are the
	// commands that run, group is the set of those in the foreground that overlap, and
	// overlapping are their calls, ended or not. All are guarded by changing.
	base        *base
	running     []*Command
	group       *Set
	overlapping []string
	// attributed is when the last look at what commands changed began that told.
	attributed time.Time
	// looking is while something is looked at ahead of a command.
	looking sync.WaitGroup
	ended   context.Context //nolint:containedctx // it ends with the recorder
	end     context.CancelFunc

	// layers are those that commands work on, or are decided about, by the names of their
	// folders.
	mu     sync.Mutex
	run    string
	layers map[string]bool
	// spare is the layer of the next command; nil where it is not made yet.
	spare *Layer
	// removed are layers that nothing needs any more, and removing is what deletes them, nil
	// before the first. sweeping is held by who does.
	removed  []*Layer
	removing *time.Timer
	sweeping sync.Mutex
}

// NewRecorder returns a recorder.
func NewRecorder(o Options) *Recorder {
	r := &Recorder{Options: o}
	r.ended, r.end = context.WithCancel(context.Background())
	return r
}

// begin waits until nothing is changed any more, and keeps it so. What could not be finished
// before is finished first.
func (r *Recorder) begin(ctx context.Context) error {
	r.changing.Lock()
	if err := r.finishOpen(ctx); err != nil {
		r.changing.Unlock()
		return fmt.Errorf("finish the change before: %w", err)
	}
	return nil
}

// Close lets go of what commands are compared with. No command may run any more.
func (r *Recorder) Close() error {
	r.end()
	r.looking.Wait()
	r.changing.Lock()
	defer r.changing.Unlock()
	r.mu.Lock()
	spare := r.spare
	r.spare = nil
	if r.removing != nil {
		r.removing.Stop()
	}
	r.mu.Unlock()
	r.removeLayers()
	var err error
	if spare != nil {
		err = spare.Remove()
	}
	if r.base != nil {
		err = errors.Join(err, r.base.close())
		r.base = nil
	}
	return err
}

// SetRun names the run that what is changed from now on belongs to.
func (r *Recorder) SetRun(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run = id
}

// Run names the run that what is changed belongs to.
func (r *Recorder) Run() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.run
}

// newSet returns a set that is about to be made.
func (r *Recorder) newSet(call string, source Source) *Set {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &Set{ID: r.NewID(), SessionID: r.SessionID, RunID: r.run, CallID: call, Made: now(), Open: true, Source: source, Draft: r.Draft}
}

// top is the way to what lies in the folder itself.
func (r *Recorder) top() []Opened { return []Opened{{r.Root, "."}} }

// Sets returns what was made in the folder, or the draft, of the recorder, in the order in which
// it was begun.
func (r *Recorder) Sets(ctx context.Context) ([]Set, error) {
	sets, err := r.Journal.Sets(ctx, r.SessionID)
	return slices.DeleteFunc(sets, func(s Set) bool { return s.Draft != r.Draft }), err
}

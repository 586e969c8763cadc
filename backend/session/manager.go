// Package session keeps conversations: what was said so far, the one run that can be
// running on each, and the parts that a run is made of. It ties the pure loop to the
// folder, the tools, the gate and the model. A Manager opens, lists, finds, renames,
// deletes and recovers conversations; a Driver begins, follows and ends the runs of one.
// Every entry point uses these two.
package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/store"
	"fairlead/backend/workspace"
)

// Options are what a Manager works with.
type Options struct {
	// DataFolder is where conversations are saved, and OutputsFolder where the full outputs
	// of their calls are.
	DataFolder, OutputsFolder string
	// ReadOnly reports that what is saved is only read, which is done on a disk that cannot
	// be written too.
	ReadOnly bool
	// UndoSpace is the most space for what is kept to undo changes, in bytes; 0 is what
	// change.KeptLimit takes.
	UndoSpace int64
	// OpenFolder opens the folder of a conversation whose changes were cut off, after what was
	// being written there was taken away; nil opens it as it is.
	OpenFolder func(dir string) (*workspace.Folder, error)
	// Redact hides known keys in what is saved.
	Redact func([]byte) []byte
	// NewID returns a new id, unique and sorted by time; it is safe for concurrent use.
	NewID func() string
	// Tell takes what the user has to know about what is saved, such as that it was damaged.
	// It can be called from any goroutine.
	Tell func(string)
	// Display says how calls to a tool are shown that were saved without saying it
	// themselves, nil for one that is not known; nil leaves all of them as they are.
	Display func(toolName string) *message.Display
	Log     *slog.Logger
}

// Manager opens, lists, finds, renames, deletes and recovers the conversations of this
// process and of its data folder, and ends their runs by id. Its methods can be called
// from any goroutine. Those that end or interrupt a run wait for nothing but a look at the
// store where the run is not running; the others may wait for the store, which is opened,
// and looked through for what a crash left, when it is first needed.
type Manager struct {
	options Options
	library library

	mu sync.Mutex
	// runs are those that are running, and ended the ids of those that have ended and that no
	// store knows: of a run that was not saved nothing else stays.
	runs   map[string]*Run
	ended  map[string]bool
	closed bool
	// known is the store that knows the others that have ended; nil where no session has one.
	known *store.Store
}

// NewManager returns a manager with no open conversation. It touches no file.
func NewManager(o Options) *Manager {
	return &Manager{options: o, runs: map[string]*Run{}, ended: map[string]bool{}}
}

// EndRuns cancels every run and waits until all have ended, or ctx does. No run begins
// after it.
func (m *Manager) EndRuns(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	runs := make([]*Run, 0, len(m.runs))
	for _, run := range m.runs {
		runs = append(runs, run)
	}
	m.mu.Unlock()
	for _, run := range runs {
		run.cancel()
	}
	for _, run := range runs {
		select {
		case <-run.done:
		case <-ctx.Done():
			return fmt.Errorf("end run %s: %w", run.ID, ctx.Err())
		}
	}
	return nil
}

// Close cancels every run, waits for their end as long as ctx allows, and closes the store.
func (m *Manager) Close(ctx context.Context) error {
	return errors.Join(m.EndRuns(ctx), m.library.close())
}

func (m *Manager) addRun(run *Run) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return &message.Refusal{Code: message.InvalidState, Message: "Fairlead is closing; no run can begin"}
	}
	m.runs[run.ID] = run
	return nil
}

// releaseRun lets go of a run that has ended; saved says that the store knows it.
func (m *Manager) releaseRun(run *Run, saved bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.runs, run.ID)
	if !saved {
		m.ended[run.ID] = true
	}
}

// readFrom names the store that knows the runs that have ended.
func (m *Manager) readFrom(known *store.Store) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known = known
}

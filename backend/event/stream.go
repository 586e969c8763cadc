package event

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"fairlead/backend/message"
)

// Change is a message that was added to the history, or a part of one that
// changed; one of the two is set.
type Change struct {
	Message *message.Message
	Part    *message.Part
}

// Keeper saves events where a crash does not reach them.
type Keeper interface {
	// Keep saves events together with the changes of the history that they tell
	// of: all or nothing. It is never called twice at once, and the events are shown to
	// nobody before it returns.
	Keep(events []Event, changes []Change) error
	// Kept reads events of a run that were saved, in order: the first ones after a
	// seq, not all where there are many, and none where none follow.
	Kept(ctx context.Context, runID string, after int64) ([]Event, error)
}

// NotKeptError says that what happens in a run cannot be saved. It is the cause
// to cancel the run with.
type NotKeptError struct {
	Err error
	// File is where what was shown of the run was written to; empty where it is still
	// where it was saved.
	File string
}

func (e *NotKeptError) Error() string {
	where := ""
	if e.File != "" {
		where = "; what was shown of this run is in " + e.File
	}
	return fmt.Sprintf("the conversation could not be saved: %v%s", e.Err, where)
}

// Unwrap gives what went wrong.
func (e *NotKeptError) Unwrap() error { return e.Err }

// Stream numbers, coalesces and keeps the events of one run. A listener that listens
// reads from the run's own record at a pace of its own, so a listener that reads
// nothing costs nothing and delays nobody (SPEC EV-04).
//
// Once the run has ended, the record of one that was saved is let go of, and who is
// behind reads from there (SPEC EV-11). The record of a run that was not saved, or not
// wholly, has no other place: it stays as long as somebody holds the stream.
type Stream struct {
	runID, sessionID string
	keeper           Keeper // nil where nothing is kept
	broken           func(*NotKeptError)

	// publishing orders those who publish. It is held while an event is saved, and
	// guards what is not published yet; what is published also needs mu, which waits for
	// nothing.
	publishing sync.Mutex
	changes    []Change // for the next event
	waiting    []growing
	// pending are events that are saved, and shown, with the next one.
	pending []Event
	flushed time.Time
	timer   *time.Timer

	mu   sync.Mutex
	lost *NotKeptError // why an event could not be saved
	// record are the events after the first released ones.
	record   []Event
	released int64
	wake     chan struct{}
	ended    bool
}

// NewStream returns the empty stream of a run.
func NewStream(runID, sessionID string) *Stream {
	return &Stream{runID: runID, sessionID: sessionID}
}

// NewKeptStream returns the empty stream of a run whose events are saved before
// anybody sees them. When that fails, broken is called once, which must not publish and
// may complete the error, and from then on nothing is shown but the end of the run. An
// end that cannot be saved is shown as the failure it is.
func NewKeptStream(runID, sessionID string, keeper Keeper, broken func(*NotKeptError)) *Stream {
	return &Stream{runID: runID, sessionID: sessionID, keeper: keeper, broken: broken}
}

// AddMessage says that a message was added to the history. It is saved with the
// event that follows.
func (s *Stream) AddMessage(m message.Message) {
	if s.keeper == nil {
		return
	}
	m.Parts = slices.Clone(m.Parts)
	for i := range m.Parts {
		m.Parts[i] = m.Parts[i].Clone()
	}
	s.publishing.Lock()
	defer s.publishing.Unlock()
	s.changes = append(s.changes, Change{Message: &m})
}

// SetPart says that a part of a message changed. It is saved with the event that
// follows.
func (s *Stream) SetPart(p message.Part) {
	if s.keeper == nil {
		return
	}
	p = p.Clone()
	s.publishing.Lock()
	defer s.publishing.Unlock()
	s.changes = append(s.changes, Change{Part: &p})
}

// Publish appends an event. After a terminal event it does nothing: a run has
// one end, and nothing follows it.
func (s *Stream) Publish(data Data) {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	if s.ended {
		return
	}
	idle := len(s.waiting)+len(s.pending) == 0
	wait, now := coalesceInterval, s.keeper == nil || !isPrompt(data)
	if kind, id, text, ok := asDelta(data); ok {
		wait, now = s.addDelta(kind, id, text)
	} else {
		s.flush()
		s.append(data)
	}
	if now {
		s.publishPending()
	} else if idle {
		s.showIn(wait)
	}
	if s.ended && s.timer != nil {
		s.timer.Stop()
	}
}

// Fault says why not everything of the run could be saved; nil when it was.
func (s *Stream) Fault() *NotKeptError {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// Ended says that the terminal event was published.
func (s *Stream) Ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// After returns events that follow seq, waiting until there is one. It returns io.EOF
// once the run has ended and every event was returned, the context's error when ctx ends
// first, and that of reading what was saved. The slice is shared: do not change it.
func (s *Stream) After(ctx context.Context, seq int64) ([]Event, error) {
	for {
		s.mu.Lock()
		events, released := s.eventsAfter(seq)
		ended := s.ended
		if len(events) == 0 && !released && !ended && s.wake == nil {
			s.wake = make(chan struct{})
		}
		wake := s.wake
		s.mu.Unlock()
		switch {
		case released:
			return s.readReleased(ctx, seq)
		case len(events) > 0:
			return events, nil
		case ended:
			return nil, io.EOF
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Since returns the events so far that follow seq, without waiting for more. The slice
// is shared: do not change it.
func (s *Stream) Since(ctx context.Context, seq int64) ([]Event, error) {
	var all []Event
	for {
		s.mu.Lock()
		events, released := s.eventsAfter(seq)
		s.mu.Unlock()
		if released {
			var err error
			if events, err = s.readReleased(ctx, seq); err != nil {
				return nil, err
			}
		}
		if all == nil {
			all = events
		} else {
			all = append(all, events...)
		}
		if !released {
			return all, nil
		}
		seq = all[len(all)-1].Seq
	}
}

// eventsAfter are the events of the record that follow seq; released says that some of them
// are not in it any more. The caller holds mu.
func (s *Stream) eventsAfter(seq int64) (events []Event, released bool) {
	if seq < s.released {
		return nil, true
	}
	at := min(seq-s.released, int64(len(s.record)))
	return s.record[at:len(s.record):len(s.record)], false
}

// readReleased reads events that were released.
func (s *Stream) readReleased(ctx context.Context, seq int64) ([]Event, error) {
	events, err := s.keeper.Kept(ctx, s.runID, seq)
	if err == nil && len(events) == 0 {
		err = errors.New("the conversation was deleted")
	}
	if err != nil {
		return nil, fmt.Errorf("read what happened in run %s: %w", s.runID, err)
	}
	return events, nil
}

// showIn shows everything that waits after a time.
func (s *Stream) showIn(wait time.Duration) {
	if s.timer != nil {
		s.timer.Reset(wait)
		return
	}
	s.timer = time.AfterFunc(wait, func() {
		s.publishing.Lock()
		defer s.publishing.Unlock()
		if !s.ended {
			s.flush()
			s.publishPending()
		}
	})
}

// append adds an event to those that are to be shown next. The caller holds publishing.
func (s *Stream) append(data Data) {
	s.pending = append(s.pending, Event{
		Seq: s.released + int64(len(s.record)+len(s.pending)) + 1, RunID: s.runID, SessionID: s.sessionID,
		TS: time.Now().UnixMilli(), Type: data.EventType(), Data: data,
	})
}

// isPrompt reports whether an event is one of those that others follow at once. Each
// would take a transaction of its own.
func isPrompt(data Data) bool {
	switch data.(type) {
	case UsageData, Decision, ToolCall, StepCompleted, ChangesRequest:
		return true
	}
	return false
}

// publishPending saves the pending events and shows them. The caller holds publishing.
func (s *Stream) publishPending() {
	if len(s.pending) == 0 {
		return
	}
	events := s.pending
	s.pending = nil
	fault := s.saveEvents(events)
	if fault != nil {
		last := events[len(events)-1]
		if !last.Terminal() {
			return
		}
		last.Seq -= int64(len(events)) - 1
		last.Data = notKeptEnd(last.Data, fault)
		last.Type = last.Data.EventType()
		events = []Event{last}
	}
	last := events[len(events)-1]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record = append(s.record, events...)
	if s.ended = last.Terminal(); s.ended && s.keeper != nil && fault == nil {
		// A reader that has kept up needs the end only.
		s.released, s.record = last.Seq-1, []Event{last}
	}
	if s.wake != nil {
		close(s.wake)
		s.wake = nil
	}
}

// saveEvents saves events with the changes so far. Once that has failed nothing else
// is tried: what followed would have a gap before it. The caller holds publishing.
func (s *Stream) saveEvents(events []Event) *NotKeptError {
	if s.keeper == nil {
		return nil
	}
	changes := s.changes
	s.changes = nil
	if s.lost != nil {
		return s.lost
	}
	err := s.keeper.Keep(events, changes)
	if err == nil {
		return nil
	}
	lost := &NotKeptError{Err: err}
	s.broken(lost)
	s.mu.Lock()
	s.lost = lost
	s.mu.Unlock()
	return lost
}

// notKeptEnd is the end of a run in place of one that could not be saved.
func notKeptEnd(end Data, fault *NotKeptError) LifecycleError {
	failed := LifecycleError{Reason: message.ReasonError, Code: message.CodeStorage, Message: fault.Error()}
	failed.Data = &message.FailData{Cause: message.FailPlain, Said: fault.Error()}
	switch d := end.(type) {
	case LifecycleEnd:
		failed.PartialContent, failed.Steps, failed.DurationMs = d.Content, d.Steps, d.DurationMs
	case LifecycleError:
		failed.PartialContent, failed.Steps, failed.DurationMs = d.PartialContent, d.Steps, d.DurationMs
	}
	return failed
}

package event

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"fairlead/backend/message"
)

// Deltas of one part that come within coalesceInterval of each other become one
// event, unless more than coalesceBytes wait.
const (
	coalesceInterval = 50 * time.Millisecond
	coalesceBytes    = 4096
)

// Change is a message that was added to the history, or a part of one that
// changed; one of the two is set.
type Change struct {
	Message *message.Message
	Part    *message.Part
}

// Keeper puts events away where a crash does not reach them.
type Keeper interface {
	// Keep puts an event away together with the changes of the history that it
	// tells of: both or neither. It is never called twice at once, and the event is
	// shown to nobody before it returns.
	Keep(e Event, changes []Change) error
}

// NotKeptError says that what happens in a run cannot be put away. It is the cause
// to cancel the run with.
type NotKeptError struct{ Err error }

func (e *NotKeptError) Error() string {
	return fmt.Sprintf("the conversation could not be saved: %v", e.Err)
}

// Unwrap gives what went wrong.
func (e *NotKeptError) Unwrap() error { return e.Err }

// Stream numbers, coalesces and keeps the events of one run. Whoever listens
// reads from the run's own record at a pace of its own, so a listener that reads
// nothing costs nothing and delays nobody (SPEC EV-04).
type Stream struct {
	runID, sessionID string
	keeper           Keeper // nil where nothing is kept
	broken           func(*NotKeptError)

	mu      sync.Mutex
	changes []Change      // for the next event
	lost    *NotKeptError // why an event could not be put away
	record  []Event
	waiting []growing
	flushed time.Time
	timer   *time.Timer
	wake    chan struct{}
	ended   bool
}

// growing is a delta that waits for more of its kind.
type growing struct {
	kind Type
	id   string
	text []byte
}

// NewStream returns the empty stream of a run.
func NewStream(runID, sessionID string) *Stream {
	return &Stream{runID: runID, sessionID: sessionID}
}

// NewKeptStream returns the empty stream of a run whose events are put away before
// anybody sees them. When that fails, broken is called once, which must not publish,
// and from then on nothing is shown but the end of the run. An end that cannot be
// put away is shown as the failure it is.
func NewKeptStream(runID, sessionID string, keeper Keeper, broken func(*NotKeptError)) *Stream {
	return &Stream{runID: runID, sessionID: sessionID, keeper: keeper, broken: broken}
}

// AddMessage says that a message was added to the history. It is put away with the
// event that follows.
func (s *Stream) AddMessage(m message.Message) {
	if s.keeper == nil {
		return
	}
	m.Parts = slices.Clone(m.Parts)
	for i := range m.Parts {
		m.Parts[i] = m.Parts[i].Clone()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes = append(s.changes, Change{Message: &m})
}

// SetPart says that a part of a message changed. It is put away with the event that
// follows.
func (s *Stream) SetPart(p message.Part) {
	if s.keeper == nil {
		return
	}
	p = p.Clone()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes = append(s.changes, Change{Part: &p})
}

// Publish appends an event. After a terminal event it does nothing: a run has
// one end, and nothing follows it.
func (s *Stream) Publish(data Data) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if kind, id, text, ok := asDelta(data); ok {
		s.grow(kind, id, text)
		return
	}
	s.flush()
	s.append(data)
	if len(s.record) > 0 && s.record[len(s.record)-1].Terminal() {
		s.ended = true
		if s.timer != nil {
			s.timer.Stop()
		}
	}
}

// Fault says why not everything of the run could be put away; nil when it was.
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

// After returns the events that follow seq, waiting until there is one. It
// returns io.EOF once the run has ended and every event was returned, and the
// context's error when ctx ends first. The slice is shared: do not change it.
func (s *Stream) After(ctx context.Context, seq int64) ([]Event, error) {
	for {
		s.mu.Lock()
		if int(seq) < len(s.record) {
			events := s.record[seq:len(s.record):len(s.record)]
			s.mu.Unlock()
			return events, nil
		}
		if s.ended {
			s.mu.Unlock()
			return nil, io.EOF
		}
		if s.wake == nil {
			s.wake = make(chan struct{})
		}
		wake := s.wake
		s.mu.Unlock()
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Since returns the events so far that follow seq, without waiting. The slice is
// shared: do not change it.
func (s *Stream) Since(seq int64) []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seq < 0 || seq >= int64(len(s.record)) {
		return nil
	}
	return s.record[seq:len(s.record):len(s.record)]
}

// grow adds to the waiting deltas and lets them go when it is time. The first
// one after a pause goes at once, so that streaming feels immediate.
func (s *Stream) grow(kind Type, id, text string) {
	total := 0
	found := false
	for i := range s.waiting {
		if s.waiting[i].kind == kind && s.waiting[i].id == id {
			s.waiting[i].text = append(s.waiting[i].text, text...)
			found = true
		}
		total += len(s.waiting[i].text)
	}
	if !found {
		s.waiting = append(s.waiting, growing{kind, id, []byte(text)})
		total += len(text)
	}
	since := time.Since(s.flushed)
	if since >= coalesceInterval || total >= coalesceBytes {
		s.flush()
		return
	}
	if s.timer == nil {
		s.timer = time.AfterFunc(coalesceInterval-since, s.flushLater)
	} else if !found && len(s.waiting) == 1 {
		s.timer.Reset(coalesceInterval - since)
	}
}

func (s *Stream) flushLater() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.flush()
	}
}

func (s *Stream) flush() {
	if len(s.waiting) == 0 {
		return
	}
	for _, g := range s.waiting {
		s.append(fromDelta(g.kind, g.id, string(g.text)))
	}
	s.waiting = s.waiting[:0]
	s.flushed = time.Now()
}

func (s *Stream) append(data Data) {
	e := Event{
		Seq: int64(len(s.record)) + 1, RunID: s.runID, SessionID: s.sessionID,
		TS: time.Now().UnixMilli(), Type: data.EventType(), Data: data,
	}
	if fault := s.keep(e); fault != nil {
		if !e.Terminal() {
			return
		}
		e.Data = unsaved(data, fault)
		e.Type = e.Data.EventType()
	}
	s.record = append(s.record, e)
	if s.wake != nil {
		close(s.wake)
		s.wake = nil
	}
}

// keep puts an event away with the changes so far. Once that has failed nothing else
// is tried: what followed would have a gap before it.
func (s *Stream) keep(e Event) *NotKeptError {
	if s.keeper == nil {
		return nil
	}
	changes := s.changes
	s.changes = nil
	if s.lost == nil {
		if err := s.keeper.Keep(e, changes); err != nil {
			s.lost = &NotKeptError{err}
			s.broken(s.lost)
		}
	}
	return s.lost
}

// unsaved is the end of a run in place of one that could not be put away.
func unsaved(end Data, fault *NotKeptError) LifecycleError {
	failed := LifecycleError{Reason: message.ReasonError, Code: message.CodeInternal, Message: fault.Error()}
	switch d := end.(type) {
	case LifecycleEnd:
		failed.PartialContent, failed.Steps, failed.DurationMs = d.Content, d.Steps, d.DurationMs
	case LifecycleError:
		failed.PartialContent, failed.Steps, failed.DurationMs = d.PartialContent, d.Steps, d.DurationMs
	}
	return failed
}

func asDelta(data Data) (kind Type, id, text string, ok bool) {
	switch d := data.(type) {
	case AssistantDelta:
		return TypeAssistantDelta, d.PartID, d.Content, true
	case ReasoningDelta:
		return TypeReasoningDelta, d.PartID, d.Content, true
	case ToolProgress:
		return TypeToolProgress, d.CallID, d.Content, true
	}
	return "", "", "", false
}

func fromDelta(kind Type, id, text string) Data {
	switch kind {
	case TypeAssistantDelta:
		return AssistantDelta{id, text}
	case TypeReasoningDelta:
		return ReasoningDelta{id, text}
	default:
		return ToolProgress{id, text}
	}
}

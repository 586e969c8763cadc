package event

import (
	"context"
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

// Stream numbers, coalesces and keeps the events of one run. Whoever listens
// reads from the run's own record at a pace of its own, so a listener that reads
// nothing costs nothing and delays nobody (SPEC EV-04).
type Stream struct {
	runID, sessionID string
	keeper           Keeper // nil where nothing is kept
	broken           func(error)

	mu      sync.Mutex
	changes []Change // for the next event
	lost    bool     // an event could not be kept
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
// and from then on nothing is shown but the end of the run.
func NewKeptStream(runID, sessionID string, keeper Keeper, broken func(error)) *Stream {
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
	if !s.keep(e) && !e.Terminal() {
		return
	}
	s.record = append(s.record, e)
	if s.wake != nil {
		close(s.wake)
		s.wake = nil
	}
}

// keep puts an event away with the changes so far and says whether it is safe. Once
// that has failed nothing else is tried: what followed would have a gap before it.
func (s *Stream) keep(e Event) bool {
	if s.keeper == nil {
		return true
	}
	changes := s.changes
	s.changes = nil
	if s.lost {
		return false
	}
	if err := s.keeper.Keep(e, changes); err != nil {
		s.lost = true
		s.broken(err)
		return false
	}
	return true
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

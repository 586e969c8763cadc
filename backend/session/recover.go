package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/store"
)

// recoverRuns gives an end to the runs that a crash cut off, and says how many there
// were. Whatever was shown of them stays; a call that was open has failed, and is
// never made again (SPEC PART-03, CAN-04). Runs running in other processes are left
// alone.
func recoverRuns(ctx context.Context, s *store.Store, newID func() string) (recovered int, err error) {
	open, err := s.ActiveRuns(ctx)
	if err != nil {
		return 0, err
	}
	for _, id := range sessionsOf(open) {
		unlock, err := s.Lock(id)
		if errors.Is(err, store.ErrLocked) {
			continue
		}
		if err != nil {
			return recovered, err
		}
		err = mendSession(ctx, s, id, newID)
		if err := errors.Join(err, unlock()); err != nil {
			return recovered, err
		}
		recovered++
	}
	return recovered, nil
}

func sessionsOf(runs []store.Run) []string {
	var ids []string
	for _, run := range runs {
		if !slices.Contains(ids, run.SessionID) {
			ids = append(ids, run.SessionID)
		}
	}
	return ids
}

// mendSession gives an end to the runs of a session that have none. The caller
// holds the session's lock.
func mendSession(ctx context.Context, s *store.Store, id string, newID func() string) error {
	// Another process may have ended them before the lock was taken.
	runs, err := s.Runs(ctx, id)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if !run.EndedAt.IsZero() {
			continue
		}
		if err := mendRun(ctx, s, run, newID); err != nil {
			return fmt.Errorf("recover run %s: %w", run.ID, err)
		}
	}
	return nil
}

// mendRun brings a run that was cut off to its end. It can itself be cut off and begun
// again.
func mendRun(ctx context.Context, s *store.Store, run store.Run, newID func() string) error {
	events, err := s.Events(ctx, run, 0)
	if err != nil {
		return err
	}
	messages, err := s.MessagesOf(ctx, run)
	if err != nil {
		return err
	}
	m := &mending{run: run, newID: newID, events: events, messages: messages, record: s.Record(ctx, store.Session{ID: run.SessionID})}
	return m.saveMissing()
}

// mending is a run that is given an end.
type mending struct {
	run      store.Run
	newID    func() string
	events   []event.Event
	messages []message.Message
	record   *store.Record
	changes  []event.Change
}

// saveMissing saves what is missing: what was written of a reply, then the result of
// each call that has none, then the end.
func (m *mending) saveMissing() error {
	partial := m.partialReply()
	if partial != nil {
		m.changes = append(m.changes, event.Change{Message: partial})
	}
	for _, cut := range message.Repair(m.messages) {
		for _, part := range cut.ToolParts() {
			if err := m.endCall(*part); err != nil {
				return err
			}
		}
	}
	end := event.LifecycleEnd{Reason: message.ReasonInterrupted, Steps: m.countSteps(), DurationMs: m.activeTime().Milliseconds()}
	if partial != nil {
		end.Content = partial.Text()
	}
	return m.keepEvent(end)
}

// partialReply is what was shown of a reply that is no message yet; nil if nothing.
func (m *mending) partialReply() *message.Message {
	reply := message.Message{ID: m.newID(), SessionID: m.run.SessionID, RunID: m.run.ID, Role: message.Assistant, CreatedAt: time.Now()}
	for _, e := range m.events {
		switch d := e.Data.(type) {
		case event.AssistantDelta:
			growPart(&reply, d.PartID, message.TextPart, d.Content)
		case event.ReasoningDelta:
			growPart(&reply, d.PartID, message.ReasoningPart, d.Content)
		case event.AssistantFinal:
			reply.Parts = slices.DeleteFunc(reply.Parts, func(p message.Part) bool { return p.ID == d.PartID || slices.Contains(d.Discard, p.ID) })
			if d.Content != "" {
				growPart(&reply, d.PartID, message.TextPart, d.Content)
			}
		case event.LLMRetry:
			reply.Parts = slices.DeleteFunc(reply.Parts, func(p message.Part) bool { return slices.Contains(d.Discard, p.ID) })
		}
	}
	reply.Parts = slices.DeleteFunc(reply.Parts, m.hasPart)
	if len(reply.Parts) == 0 {
		return nil
	}
	return &reply
}

func growPart(reply *message.Message, id string, kind message.PartType, text string) {
	at := slices.IndexFunc(reply.Parts, func(p message.Part) bool { return p.ID == id })
	if at < 0 {
		at = len(reply.Parts)
		reply.Parts = append(reply.Parts, message.Part{
			ID: id, SessionID: reply.SessionID, MessageID: reply.ID, Type: kind, Interrupted: true,
		})
	}
	reply.Parts[at].Text += text
}

// hasPart says that a part is in a message already.
func (m *mending) hasPart(part message.Part) bool {
	return slices.ContainsFunc(m.messages, func(known message.Message) bool {
		return slices.ContainsFunc(known.Parts, func(p message.Part) bool { return p.ID == part.ID })
	})
}

// endCall saves the result of a call, and that the call was made, where that is
// missing.
func (m *mending) endCall(part message.Part) error {
	use := part.Tool
	called, ended := false, false
	for _, e := range m.events {
		switch d := e.Data.(type) {
		case event.ToolCall:
			called = called || d.CallID == use.CallID
		case event.ToolResult:
			ended = ended || d.CallID == use.CallID
		}
	}
	if ended {
		return nil
	}
	if !called {
		if err := m.keepEvent(event.ToolCall{CallID: use.CallID, ToolName: use.Name, Arguments: use.State.Input}); err != nil {
			return err
		}
	}
	m.changes = append(m.changes, event.Change{Part: &part})
	return m.keepEvent(event.ResultOf(use.CallID, *use.State.Output))
}

// keepEvent saves an event after those before it, with the changes so far.
func (m *mending) keepEvent(data event.Data) error {
	e := event.Event{
		Seq: int64(len(m.events)) + 1, RunID: m.run.ID, SessionID: m.run.SessionID, TS: time.Now().UnixMilli(),
		Type: data.EventType(), Data: data,
	}
	if err := m.record.Keep([]event.Event{e}, m.changes); err != nil {
		return err
	}
	m.events, m.changes = append(m.events, e), nil
	return nil
}

func (m *mending) countSteps() int {
	steps := 0
	for _, e := range m.events {
		if done, ok := e.Data.(event.StepCompleted); ok {
			steps = done.Step
		}
	}
	return steps
}

// activeTime returns how long the run was active, as far as can be told.
func (m *mending) activeTime() time.Duration {
	if len(m.events) == 0 {
		return 0
	}
	return time.Duration(m.events[len(m.events)-1].TS-m.events[0].TS) * time.Millisecond
}

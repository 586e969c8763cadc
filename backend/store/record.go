package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/store/queries"
)

// Record saves what happens in one run. It is the run's event.Keeper.
type Record struct {
	store   *Store
	session Session
	// canceled has events wait for no other process any more.
	canceled <-chan struct{}
}

var _ event.Keeper = (*Record)(nil)

// Record returns the record of a run of a session. Its first event puts the run
// away, and the session too if it is new. Where another process has the database locked,
// events wait for it until ctx ends.
func (s *Store) Record(ctx context.Context, session Session) *Record {
	return &Record{store: s, session: session, canceled: ctx.Done()}
}

// Keep implements event.Keeper.
func (r *Record) Keep(events []event.Event, changes []event.Change) error {
	mode := quick
	if slices.ContainsFunc(events, func(e event.Event) bool { return isDurable(e.Type) }) {
		mode = firm
	}
	return r.store.write(r.store.wait(r.canceled, 0), mode, func(ctx context.Context, q *queries.Queries) error {
		if first := events[0]; first.Seq == 1 {
			if err := r.addRun(ctx, q, first); err != nil {
				return err
			}
		}
		for _, change := range changes {
			if err := r.applyChange(ctx, q, change); err != nil {
				return err
			}
		}
		for _, e := range events {
			if err := r.addEvent(ctx, q, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// Kept implements event.Keeper.
func (r *Record) Kept(ctx context.Context, runID string, after int64) ([]event.Event, error) {
	events, err := r.store.eventsAfter(ctx, Run{ID: runID, SessionID: r.session.ID}, after, eventsAtOnce)
	for i := range events {
		if err == nil {
			events[i], err = r.store.EventWithData(ctx, events[i])
		}
	}
	return events, err
}

// isDurable reports whether an event must survive a power cut once it is shown: what the
// user said or decided, what was done, and how a run ended.
func isDurable(kind event.Type) bool {
	switch kind {
	case event.TypeLifecycleStart, event.TypeConfirmResult, event.TypeToolResult, event.TypeLifecycleEnd, event.TypeLifecycleError:
		return true
	}
	return false
}

func (r *Record) addRun(ctx context.Context, q *queries.Queries, e event.Event) error {
	s := r.session
	off, err := listOf(s.GroupsOff)
	if err == nil {
		err = q.AddSession(ctx, queries.AddSessionParams{
			ID: s.ID, Workspace: s.Workspace, Title: r.store.redactText(s.Title), CreatedAt: e.TS, UpdatedAt: e.TS, GroupsOff: off,
		})
	}
	if err != nil {
		return fmt.Errorf("add session: %w", err)
	}
	if err := q.TouchSession(ctx, queries.TouchSessionParams{UpdatedAt: e.TS, ID: s.ID}); err != nil {
		return fmt.Errorf("touch session: %w", err)
	}
	// The run tells of what was noticed: its first event is what is kept here.
	if _, err := q.SetNotices(ctx, queries.SetNoticesParams{Notices: []byte("[]"), ID: s.ID}); err != nil {
		return fmt.Errorf("take notices: %w", err)
	}
	if err := q.AddRun(ctx, queries.AddRunParams{ID: e.RunID, SessionID: s.ID, StartedAt: e.TS}); err != nil {
		return fmt.Errorf("add run: %w", err)
	}
	return nil
}

func (r *Record) applyChange(ctx context.Context, q *queries.Queries, change event.Change) error {
	if part := change.Part; part != nil {
		if err := r.changePart(ctx, q, *part); err != nil {
			return fmt.Errorf("change part: %w", err)
		}
		return nil
	}
	m := change.Message
	err := q.AddMessage(ctx, queries.AddMessageParams{
		ID: m.ID, SessionID: m.SessionID, RunID: m.RunID, Role: string(m.Role), Name: m.Name,
		Synthetic: m.Synthetic, CreatedAt: m.CreatedAt.UnixMilli(),
	})
	if err != nil {
		return fmt.Errorf("add message: %w", err)
	}
	for i := range m.Parts {
		part, data := r.store.withoutData(m.Parts[i])
		body, err := r.store.encode(part)
		if err == nil {
			err = q.AddPart(ctx, queries.AddPartParams{ID: part.ID, MessageID: m.ID, Number: int64(i) + 1, Body: body})
		}
		if err == nil {
			err = addBlockData(ctx, q, part.ID, data)
		}
		if err == nil {
			err = r.store.addOutline(ctx, q, part)
		}
		if err != nil {
			return fmt.Errorf("add part: %w", err)
		}
	}
	return nil
}

func (r *Record) changePart(ctx context.Context, q *queries.Queries, part message.Part) error {
	if part.IsPruned() {
		return q.PrunePart(ctx, queries.PrunePartParams{SessionID: r.session.ID, PartID: part.ID}) // nothing else of it changes any more
	}
	part, data := r.store.withoutData(part)
	body, err := r.store.encode(part)
	if err == nil {
		err = q.SetPart(ctx, queries.SetPartParams{Body: body, ID: part.ID})
	}
	if err == nil {
		err = addBlockData(ctx, q, part.ID, data)
	}
	if err == nil {
		err = q.DeleteOutline(ctx, part.ID)
	}
	if err == nil {
		err = r.store.addOutline(ctx, q, part)
	}
	return err
}

func (r *Record) addEvent(ctx context.Context, q *queries.Queries, e event.Event) error {
	data, err := r.store.encodeEvent(e.Data)
	if err == nil {
		err = q.AddEvent(ctx, queries.AddEventParams{RunID: e.RunID, Seq: e.Seq, Ts: e.TS, Type: string(e.Type), Data: data})
	}
	if err != nil {
		return fmt.Errorf("add event: %w", err)
	}
	switch d := e.Data.(type) {
	case event.LifecycleEnd:
		err = r.endRun(ctx, q, e, d.Reason)
	case event.LifecycleError:
		err = r.endRun(ctx, q, e, d.Reason)
	}
	if err != nil {
		return fmt.Errorf("keep %s: %w", e.Type, err)
	}
	return nil
}

func (r *Record) endRun(ctx context.Context, q *queries.Queries, e event.Event, reason message.Reason) error {
	why := sql.NullString{String: string(reason), Valid: true}
	err := q.EndRun(ctx, queries.EndRunParams{EndedAt: sql.NullInt64{Int64: e.TS, Valid: true}, Reason: why, ID: e.RunID})
	if err != nil {
		return err
	}
	return q.TouchSession(ctx, queries.TouchSessionParams{UpdatedAt: e.TS, Reason: why, ID: e.SessionID})
}

// errReadOnly is a write to a database that was opened to be read.
var errReadOnly = errors.New("the conversations were opened to be read")

// write does something in one transaction, once it has the lock for it.
func (s *Store) write(w *wait, mode synchronous, do func(context.Context, *queries.Queries) error) error {
	if s.readOnly {
		return &FaultError{noRights, errReadOnly}
	}
	if err := s.acquireWriter(w.canceled); err != nil {
		return err
	}
	defer s.releaseWriter()
	written, err := s.written()
	if err != nil {
		return s.explainError(err)
	}
	ctx := context.Background() // what has begun is brought to its end
	if s.mode != mode {
		if _, err := s.writer.ExecContext(ctx, "PRAGMA synchronous="+string(mode)); err != nil {
			return s.explainError(err)
		}
		s.mode = mode
	}
	tx, err := s.beginTransaction(w)
	if err != nil {
		return s.explainError(err)
	}
	if err := do(ctx, written.WithTx(tx)); err != nil {
		_ = tx.Rollback() // what failed before says why
		return s.explainError(err)
	}
	err = tx.Commit()
	if err == nil && mode == firm {
		err = s.files.checkFiles(s.path)
	}
	return s.explainError(err)
}

// encode makes JSON in which no known key stands.
func (s *Store) encode(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return s.redact(text), nil
}

// redactText takes known keys out of a text that is not JSON.
func (s *Store) redactText(text string) string { return string(s.redact([]byte(text))) }

func fromMilli(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

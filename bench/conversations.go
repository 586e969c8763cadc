package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/store"
)

// The saved conversations that are measured: years of work, and one long
// conversation among them.
const (
	savedSessions = 10_000
	savedMessages = 500_000
	longSession   = 5_000
)

// fill writes them. A row each would take minutes by the ways of the program.
const fill = `
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %[1]d)
INSERT INTO sessions SELECT printf('s%%05d', i), '/work', 'A conversation about the files of a folder', 'model', i, i, 'completed', NULL, '', CAST('[]' AS BLOB), CAST('[]' AS BLOB) FROM n;
INSERT INTO runs SELECT 'r' || id, id, 1, created_at, updated_at, 'completed' FROM sessions;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %[2]d),
	m(i, s) AS (SELECT i, CASE WHEN i <= %[3]d THEN 1 ELSE 2 + i %% (%[1]d - 1) END FROM n)
INSERT INTO messages SELECT printf('m%%d', i), printf('s%%05d', s), printf('rs%%05d', s), i,
	CASE i %% 2 WHEN 0 THEN 'user' ELSE 'assistant' END, '', 0, i FROM m;
INSERT INTO parts SELECT 'p' || id, id, 1, CAST(json_object('id', 'p' || id, 'sessionID', session_id, 'messageID', id,
	'type', 'text', 'text', 'What was said: ' || hex(randomblob(400))) AS BLOB) FROM messages;
`

// conversationRows measures the store and judges it.
func conversationRows(ctx context.Context, m *machine) (rows []figure, err error) {
	s, damage, err := store.Open(ctx, store.Options{Folder: m.conversations, Redact: func(text []byte) []byte { return text }})
	if err != nil {
		return nil, err
	}
	if damage != nil {
		return nil, fmt.Errorf("open the conversations: %s", damage)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := m.fill(ctx); err != nil {
		return nil, fmt.Errorf("write the conversations: %w", err)
	}
	const times = 11
	list, err := timed(times, func() error {
		found, err := s.Sessions(ctx, "/work", savedSessions)
		if err == nil && len(found) != savedSessions {
			err = fmt.Errorf("there are %d conversations", len(found))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	opened, err := timed(times, func() error {
		found, err := s.Messages(ctx, "s00001")
		if err == nil && len(found) != longSession {
			err = fmt.Errorf("there are %d messages", len(found))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	added, err := appended(ctx, s)
	return []figure{
		duration("list 10,000 conversations", "", 0, list, 50*time.Millisecond),
		duration("read a conversation of 5,000 messages", "", 0, opened, 200*time.Millisecond),
		duration("keep an event among 500,000 messages", "", 0, added, 100*time.Microsecond),
	}, err
}

func (p place) fill(ctx context.Context) (err error) {
	db, err := sql.Open("sqlite", filepath.Join(p.conversations, "fairlead.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, fmt.Sprintf(fill, savedSessions, savedMessages, longSession))
	return err
}

// appended is the median time to put away one piece of a reply.
func appended(ctx context.Context, s *store.Store) (time.Duration, error) {
	const times = 2001
	record := s.Record(ctx, store.Session{ID: "new", Workspace: "/work", Title: "A new one"})
	seq := int64(0)
	keep := func(data event.Data) error {
		seq++
		return record.Keep(event.Event{Seq: seq, RunID: "run", SessionID: "new", TS: seq, Type: data.EventType(), Data: data}, nil)
	}
	if err := keep(event.LifecycleStart{Prompt: "Go on."}); err != nil {
		return 0, err
	}
	return timed(times, func() error {
		return keep(event.AssistantDelta{PartID: "part", Content: "Some words of a reply, as they come within a twentieth of a second. "})
	})
}

// timed is the median time of something that is done several times.
func timed(times int, do func() error) (time.Duration, error) {
	all := make([]time.Duration, times)
	for i := range all {
		began := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		all[i] = time.Since(began)
	}
	return median(all), nil
}

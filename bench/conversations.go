package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
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

// The floor reads the same rows in the same order without making anything of them, and
// adds a row to a plain table.
const (
	listPlainly = `SELECT s.* FROM sessions s WHERE workspace = '/work' AND hidden_at IS NULL
		ORDER BY (SELECT rowid FROM messages WHERE session_id = s.id ORDER BY number DESC LIMIT 1) DESC, updated_at DESC, id DESC LIMIT 10000`
	partsPlainly = `SELECT p.body FROM messages m JOIN parts p ON p.message_id = m.id WHERE m.session_id = 's00001' ORDER BY m.number, p.number`
	plainTable   = `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE kept (seq INTEGER PRIMARY KEY, data TEXT)`
	addPlainly   = `INSERT INTO kept (data) VALUES (?)`
)

// piece is what is kept of a reply at a time.
const piece = "Some words of a reply, as they come within a twentieth of a second. "

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
	if err := m.fillConversations(ctx); err != nil {
		return nil, fmt.Errorf("write the conversations: %w", err)
	}
	floor, err := m.measurePlain(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the conversations with nothing but the database: %w", err)
	}
	list, err := medianOf(readings, func() error {
		found, err := s.Sessions(ctx, "/work", store.Current, savedSessions)
		if err == nil && len(found) != savedSessions {
			err = fmt.Errorf("there are %d conversations", len(found))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	opened, err := medianOf(readings, func() error {
		found := 0
		for _, err := range s.EachMessage(ctx, "s00001") {
			if err != nil {
				return err
			}
			found++
		}
		if found != longSession {
			return fmt.Errorf("there are %d messages", found)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	added, err := measureAppend(ctx, s)
	return []figure{
		durationFigure("list 10,000 conversations", "1.5 × floor", floor.list, list, floor.list*3/2),
		durationFigure("read a conversation of 5,000 messages", "2 × floor", floor.read, opened, 2*floor.read),
		durationFigure("keep an event among 500,000 messages", "2.5 × floor", floor.keep, added, floor.keep*5/2),
	}, err
}

// readings is how often the conversations are read.
const readings = 11

// plain is what the database alone takes.
type plain struct{ list, read, keep time.Duration }

// measurePlain measures the database alone, by the same driver.
func (p place) measurePlain(ctx context.Context) (took plain, err error) {
	db, err := sql.Open("sqlite", filepath.Join(p.conversations, "fairlead.db"))
	if err != nil {
		return took, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if took.list, err = medianOf(readings, func() error { return readAll(ctx, db, listPlainly, nil) }); err != nil {
		return took, err
	}
	if took.read, err = medianOf(readings, func() error {
		return readAll(ctx, db, partsPlainly, func(body []byte) error {
			var part message.Part
			return json.Unmarshal(body, &part)
		})
	}); err != nil {
		return took, err
	}
	table, err := sql.Open("sqlite", filepath.Join(p.conversations, "plain.db"))
	if err != nil {
		return took, err
	}
	defer func() { err = errors.Join(err, table.Close()) }()
	table.SetMaxOpenConns(1)
	if _, err := table.ExecContext(ctx, plainTable); err != nil {
		return took, err
	}
	took.keep, err = medianOf(pieces, func() error {
		_, err := table.ExecContext(ctx, addPlainly, piece)
		return err
	})
	return took, err
}

// readAll reads every row of a query, and gives the first column to each, which may be nil.
func readAll(ctx context.Context, db *sql.DB, query string, each func([]byte) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	columns, into := make([]sql.RawBytes, len(names)), make([]any, len(names))
	for i := range columns {
		into[i] = &columns[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if each != nil {
			if err := each(columns[0]); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

func (p place) fillConversations(ctx context.Context) (err error) {
	db, err := sql.Open("sqlite", filepath.Join(p.conversations, "fairlead.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, fmt.Sprintf(fill, savedSessions, savedMessages, longSession))
	return err
}

// pieces is how many of them are kept.
const pieces = 2001

// measureAppend is the median time to keep one piece of a reply.
func measureAppend(ctx context.Context, s *store.Store) (time.Duration, error) {
	record := s.Record(ctx, store.Session{ID: "new", Workspace: "/work", Title: "A new one"})
	seq := int64(0)
	keep := func(data event.Data) error {
		seq++
		return record.Keep([]event.Event{{Seq: seq, RunID: "run", SessionID: "new", TS: seq, Type: data.EventType(), Data: data}}, nil)
	}
	if err := keep(event.LifecycleStart{Prompt: "Go on."}); err != nil {
		return 0, err
	}
	return medianOf(pieces, func() error {
		return keep(event.AssistantDelta{PartID: "part", Content: piece})
	})
}

// medianOf is the median time of something that is done several times.
func medianOf(times int, do func() error) (time.Duration, error) {
	all := make([]time.Duration, times)
	for i := range all {
		began := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		all[i] = time.Since(began)
	}
	return medianValue(all), nil
}

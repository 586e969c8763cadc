package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// addMissingParents adds, for rows that refer to lost ones, what they refer to, so that they are
// part of a conversation.
func (r *rescue) addMissingParents(ctx context.Context) error {
	// Bytes whose part is lost cannot be shown: nobody knows what they are.
	if _, err := r.tx.ExecContext(ctx, "DELETE FROM block_data WHERE part_id NOT IN (SELECT id FROM parts)"); err != nil {
		return err
	}
	// A set of which nobody knows the conversation tells of a folder that nobody knows.
	if _, err := r.tx.ExecContext(ctx, "DELETE FROM change_sets WHERE session_id NOT IN (SELECT id FROM sessions)"); err != nil {
		return err
	}
	for _, step := range []struct {
		lost string
		add  func(ctx context.Context, id string) error
	}{
		{"SELECT DISTINCT message_id FROM parts WHERE message_id NOT IN (SELECT id FROM messages) ORDER BY 1", r.addMessage},
		{"SELECT run_id FROM messages UNION SELECT run_id FROM events EXCEPT SELECT id FROM runs ORDER BY 1", r.addRun},
		{"SELECT session_id FROM messages UNION SELECT session_id FROM runs EXCEPT SELECT id FROM sessions", r.addSession},
	} {
		ids, err := queryTexts(ctx, r.tx, step.lost)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := step.add(ctx, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// queryTexts reads the one column of a query.
func queryTexts(ctx context.Context, tx *sql.Tx, query string, given ...any) (all []string, err error) {
	return all, eachText(ctx, tx, func(text string) { all = append(all, text) }, query, given...)
}

// eachText reads the one column of a query, row by row.
func eachText(ctx context.Context, tx *sql.Tx, take func(text string), query string, given ...any) error {
	rows, err := tx.QueryContext(ctx, query, given...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		take(text)
	}
	return rows.Err()
}

// read reads one row; where there is none, the values stay as they are.
func (r *rescue) read(ctx context.Context, query string, given []any, into ...any) error {
	err := r.tx.QueryRowContext(ctx, query, given...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// addMessage adds the message that parts belong to. Whose words they were is lost: they
// are not taken for the user's.
func (r *rescue) addMessage(ctx context.Context, id string) error {
	session := id // where the parts do not tell, it is a conversation of its own
	err := r.read(ctx, "SELECT session FROM (SELECT json_extract(CAST(body AS TEXT), '$.sessionID') AS session FROM parts WHERE message_id = ?) WHERE session <> ''",
		[]any{id}, &session)
	if err != nil {
		return err
	}
	// Ids sort by time: it was said in the last run that began before it.
	var before, at int64
	run := id
	err = r.read(ctx, `SELECT coalesce(max(id) FILTER (WHERE id < ?2), min(id)), at FROM (
		SELECT id, started_at AS at FROM runs WHERE session_id = ?1 UNION SELECT run_id, created_at FROM messages WHERE session_id = ?1)
		HAVING count(*) > 0`, []any{session, id}, &run, &at)
	if err != nil {
		return err
	}
	if err := r.read(ctx, "SELECT parent_messages FROM sessions WHERE id = ?", []any{session}, &before); err != nil {
		return err
	}
	err = r.read(ctx, "SELECT number FROM messages WHERE session_id = ? AND +id < ? ORDER BY +id DESC LIMIT 1", []any{session, id}, &before)
	if err != nil {
		return err
	}
	number, err := r.freeNumber(ctx, "messages", session, before)
	if err != nil {
		return err
	}
	_, err = r.tx.ExecContext(ctx, `INSERT INTO messages (id, session_id, run_id, number, role, name, synthetic, created_at)
		VALUES (?, ?, ?, ?, ?, '', 0, ?)`, id, session, run, number, string(message.Assistant), at)
	return err
}

// freeNumber is the first number after one that no row of a session has.
func (r *rescue) freeNumber(ctx context.Context, table, session string, after int64) (number int64, err error) {
	query := fmt.Sprintf(`SELECT min(n) FROM (SELECT ? AS n UNION SELECT number + 1 FROM %[1]s WHERE session_id = ? AND number > ?)
		WHERE n NOT IN (SELECT number FROM %[1]s WHERE session_id = ?)`, table)
	return number, r.tx.QueryRowContext(ctx, query, after+1, session, after, session).Scan(&number)
}

// addRun adds the run that messages and events belong to. One of which the end is saved
// has ended; any other one was cut off.
func (r *rescue) addRun(ctx context.Context, id string) error {
	session := id // where no message tells, it is a conversation of its own
	var started, before int64
	if err := r.read(ctx, "SELECT session_id, created_at FROM messages WHERE run_id = ? ORDER BY number LIMIT 1", []any{id}, &session, &started); err != nil {
		return err
	}
	if err := r.read(ctx, "SELECT ts FROM events WHERE run_id = ? ORDER BY seq LIMIT 1", []any{id}, &started); err != nil {
		return err
	}
	if err := r.read(ctx, "SELECT parent_runs FROM sessions WHERE id = ?", []any{session}, &before); err != nil {
		return err
	}
	if err := r.read(ctx, "SELECT number FROM runs WHERE session_id = ? AND +id < ? ORDER BY +id DESC LIMIT 1", []any{session, id}, &before); err != nil {
		return err
	}
	number, err := r.freeNumber(ctx, "runs", session, before)
	if err != nil {
		return err
	}
	var ended sql.NullInt64
	var reason sql.NullString
	err = r.read(ctx, `SELECT ts, json_extract(CAST(data AS TEXT), '$.reason') FROM events
		WHERE run_id = ? AND type IN (?, ?) ORDER BY seq DESC LIMIT 1`, []any{id, event.TypeLifecycleEnd, event.TypeLifecycleError}, &ended, &reason)
	if err != nil {
		return err
	}
	_, err = r.tx.ExecContext(ctx, "INSERT INTO runs (id, session_id, number, started_at, ended_at, reason) VALUES (?, ?, ?, ?, ?, ?)",
		id, session, number, started, ended, reason)
	return err
}

// addSession adds the conversation that runs belong to. Its folder is lost; its title is
// its first task, where that is saved.
func (r *rescue) addSession(ctx context.Context, id string) error {
	var created, updated int64
	var reason, prompt sql.NullString
	if err := r.read(ctx, "SELECT min(started_at), max(coalesce(ended_at, started_at)) FROM runs WHERE session_id = ? HAVING count(*) > 0",
		[]any{id}, &created, &updated); err != nil {
		return err
	}
	if err := r.read(ctx, "SELECT reason FROM runs WHERE session_id = ? ORDER BY number DESC LIMIT 1", []any{id}, &reason); err != nil {
		return err
	}
	err := r.read(ctx, `SELECT substr(json_extract(CAST(e.data AS TEXT), '$.prompt'), 1, 60) FROM events e JOIN runs r ON r.id = e.run_id
		WHERE r.session_id = ? AND e.type = ? ORDER BY r.number LIMIT 1`, []any{id, event.TypeLifecycleStart}, &prompt)
	if err != nil {
		return err
	}
	_, err = r.tx.ExecContext(ctx, "INSERT INTO sessions (id, workspace, title, titled_by, created_at, updated_at, reason) VALUES (?, '', ?, 'words', ?, ?, ?)",
		id, cmp.Or(prompt.String, "Rescued conversation"), created, updated, reason)
	return err
}

// endRuns gives each run that has ended, and whose last event is lost, an event that
// says so: a reader of its events waits for the end.
func (r *rescue) endRuns(ctx context.Context) error {
	rows, err := r.tx.QueryContext(ctx, `SELECT r.id, r.ended_at, coalesce(r.reason, ''), coalesce(max(e.seq), 0) + 1
		FROM runs r LEFT JOIN events e ON e.run_id = r.id WHERE r.ended_at IS NOT NULL
		GROUP BY r.id HAVING NOT coalesce(max(e.type IN (?, ?)), 0)`, event.TypeLifecycleEnd, event.TypeLifecycleError)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	type end struct {
		run     string
		at, seq int64
		data    event.Data
	}
	var ends []end
	for rows.Next() {
		var e end
		var reason message.Reason
		if err := rows.Scan(&e.run, &e.at, &reason, &e.seq); err != nil {
			return err
		}
		e.data = lostEnd(reason)
		ends = append(ends, e)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, e := range ends {
		data, err := json.Marshal(e.data)
		if err != nil {
			return err
		}
		_, err = r.tx.ExecContext(ctx, "INSERT INTO events (run_id, seq, ts, type, data) VALUES (?, ?, ?, ?, ?)", e.run, e.seq, e.at, e.data.EventType(), data)
		if err != nil {
			return err
		}
	}
	return nil
}

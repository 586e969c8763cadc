package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Rescued is what was found in a file of conversations, and what became of it.
type Rescued struct {
	// Saved is what could be read, and Lost what is known to be missing of that.
	Saved, Lost Counts
	// Added counts the conversations that were not there, Both those of which another
	// state was there and that are kept beside it, and Known those that were there.
	Added, Both, Known int
}

// Rescue reads a file of conversations, sound or damaged, and adds those that are not
// there. One that differs from what is there is added beside it, under another id. The
// file is not written, and neither are those beside it.
func (s *Store) Rescue(ctx context.Context, file string) (r Rescued, err error) {
	if s.readOnly {
		return r, &FaultError{noRights, errReadOnly}
	}
	if err := s.refuseForeign(file); err != nil {
		return r, err
	}
	path := s.path + rescuing + "-" + filepath.Base(file)
	defer func() { err = errors.Join(err, removeDatabase(path)) }()
	if r.Saved, r.Lost, err = rebuildDatabase(ctx, file, path); err != nil {
		return r, err
	}
	if r.Saved == (Counts{}) {
		return r, fmt.Errorf("rescue %s: no conversation could be found in it", file)
	}
	if err := s.acquireWriter(ctx.Done()); err != nil {
		return r, err
	}
	defer s.releaseWriter()
	if _, err := s.writer.ExecContext(ctx, "ATTACH ? AS rescued", path); err != nil {
		return r, fmt.Errorf("rescue %s: %w", file, s.explainError(err))
	}
	err = s.merge(ctx, &r)
	_, left := s.writer.ExecContext(ctx, "DETACH rescued")
	if err = errors.Join(err, left); err != nil {
		return r, fmt.Errorf("rescue %s: %w", file, s.explainError(err))
	}
	return r, nil
}

// refuseForeign reports, as an error, that a file is none of conversations or the one that
// they are kept in.
func (s *Store) refuseForeign(path string) error {
	file, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("rescue conversations: %w", err)
	}
	if own, err := os.Stat(s.path); err == nil && os.SameFile(file, own) {
		return fmt.Errorf("rescue %s: this is the file of the conversations in use; name the one that was set aside", path)
	}
	return nil
}

// merge takes the conversations of the rescued database over, in one transaction.
func (s *Store) merge(ctx context.Context, r *Rescued) error {
	tx, err := s.beginTransaction(s.wait(ctx.Done(), patience))
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit there is nothing to undo
	m := merging{tx: tx, result: r, ids: map[string]string{}}
	// What is taken over was written before what is there, and the last of it first.
	// One that the user has deleted comes too if a fork begins with what it holds.
	ids, err := queryTexts(ctx, tx, `SELECT id FROM rescued.sessions s
		WHERE hidden_at IS NULL OR EXISTS (SELECT 1 FROM rescued.sessions f WHERE f.parent_id = s.id) ORDER BY updated_at DESC, id DESC`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := m.takeConversation(ctx, id); err != nil {
			return err
		}
	}
	if err := m.nameParents(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

type merging struct {
	tx     *sql.Tx
	result *Rescued
	// ids are those under which conversations are kept, by what they were.
	ids map[string]string
}

// takeConversation takes over one conversation, if it is not there as it is.
func (m *merging) takeConversation(ctx context.Context, id string) error {
	m.ids[id] = id
	there, same, err := m.compare(ctx, id, "")
	switch {
	case err != nil:
		return err
	case !there:
		m.result.Added++
		return m.copy(ctx, id, "")
	case same:
		m.result.Known++
		return nil
	}
	// The other id is the same for the same state, so that it is not added twice.
	ending, err := m.idEnding(ctx, id)
	if err != nil {
		return err
	}
	m.ids[id] = id + ending
	if there, _, err = m.compare(ctx, id, ending); err != nil {
		return err
	}
	if there {
		m.result.Known++
		return nil
	}
	m.result.Both++
	return m.copy(ctx, id, ending)
}

// compare reports whether a conversation is there, with an ending after its id, and
// whether everything that was said and that happened in the rescued one is there too.
func (m *merging) compare(ctx context.Context, id, ending string) (there, same bool, err error) {
	err = m.tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM main.sessions WHERE id = ?1 || ?2), NOT EXISTS (
			SELECT id, session_id, run_id, number, role FROM rescued.messages WHERE session_id = ?1
			EXCEPT SELECT id, session_id, run_id, number, role FROM main.messages WHERE session_id = ?1
		) AND NOT EXISTS (
			SELECT e.* FROM rescued.events e JOIN rescued.runs r ON r.id = e.run_id WHERE r.session_id = ?1
			EXCEPT SELECT e.* FROM main.events e JOIN main.runs r ON r.id = e.run_id WHERE r.session_id = ?1
		) AND NOT EXISTS (
			SELECT p.id FROM rescued.parts p JOIN rescued.messages m ON m.id = p.message_id WHERE m.session_id = ?1
			EXCEPT SELECT p.id FROM main.parts p JOIN main.messages m ON m.id = p.message_id WHERE m.session_id = ?1)`,
		id, ending).Scan(&there, &same)
	return there, same, err
}

// idEnding is what makes another id of a conversation's, by what is in it.
func (m *merging) idEnding(ctx context.Context, id string) (string, error) {
	sum := sha256.New()
	for _, query := range []string{
		"SELECT id || number || role FROM rescued.messages WHERE session_id = ? ORDER BY number",
		"SELECT p.id || CAST(p.body AS TEXT) FROM rescued.parts p JOIN rescued.messages m ON m.id = p.message_id WHERE m.session_id = ? ORDER BY m.number, p.number",
		"SELECT e.run_id || e.seq || CAST(e.data AS TEXT) FROM rescued.events e JOIN rescued.runs r ON r.id = e.run_id WHERE r.session_id = ? ORDER BY r.number, e.seq",
	} {
		if err := eachText(ctx, m.tx, func(text string) { _, _ = io.WriteString(sum, text) }, query, id); err != nil {
			return "", err
		}
	}
	return "-" + hex.EncodeToString(sum.Sum(nil))[:8], nil
}

// copies are the statements that copy a conversation, with an ending after each id that
// is its own: ?1 is its id, and ?2 the ending.
var copies = []string{
	`INSERT INTO main.sessions (id, workspace, title, titled_by, created_at, updated_at, reason, hidden_at, groups_off, parent_id, parent_messages, parent_runs, pinned, archived)
		SELECT id || ?2, workspace, title || iif(?2 = '', '', ' (rescued)'), titled_by, created_at, updated_at, reason, hidden_at, groups_off,
			parent_id, parent_messages, parent_runs, pinned, archived
		FROM rescued.sessions WHERE id = ?1`,
	`INSERT INTO main.runs (id, session_id, number, started_at, ended_at, reason)
		SELECT id || ?2, session_id || ?2, number, started_at, ended_at, reason FROM rescued.runs WHERE session_id = ?1`,
	// The order of the conversations is that of the rows of their messages.
	`INSERT INTO main.messages (rowid, id, session_id, run_id, number, role, name, synthetic, created_at)
		SELECT (SELECT coalesce(min(rowid), 0) FROM main.messages) - number, id || ?2, session_id || ?2, run_id || ?2, number, role, name, synthetic, created_at
		FROM rescued.messages WHERE session_id = ?1`,
	`INSERT INTO main.parts (id, message_id, number, body)
		SELECT id || ?2, message_id || ?2, number, iif(?2 = '', body, CAST(json_replace(text, '$.id', id || ?2, '$.sessionID', ?1 || ?2,
			'$.messageID', message_id || ?2, '$.covers', json_extract(text, '$.covers') || ?2) AS BLOB))
		FROM (SELECT p.*, CAST(p.body AS TEXT) AS text FROM rescued.parts p JOIN rescued.messages m ON m.id = p.message_id WHERE m.session_id = ?1)`,
	`INSERT INTO main.block_data (part_id, sum, data)
		SELECT b.part_id || ?2, b.sum, b.data FROM rescued.block_data b
			JOIN rescued.parts p ON p.id = b.part_id JOIN rescued.messages m ON m.id = p.message_id WHERE m.session_id = ?1`,
	`INSERT INTO main.events (run_id, seq, ts, type, data)
		SELECT run_id || ?2, seq, ts, type, iif(?2 = '', data, CAST(json_replace(text, '$.partId', json_extract(text, '$.partId') || ?2) AS BLOB))
		FROM (SELECT e.*, CAST(e.data AS TEXT) AS text FROM rescued.events e JOIN rescued.runs r ON r.id = e.run_id WHERE r.session_id = ?1)`,
	// What was there before is kept for the conversation itself, not for another state of it.
	`INSERT INTO main.change_sets (id, session_id, run_id, call_id, made_at, open, body)
		SELECT id, session_id, run_id, call_id, made_at, open, body FROM rescued.change_sets WHERE session_id = ?1 AND ?2 = '' ORDER BY rowid`,
}

func (m *merging) copy(ctx context.Context, id, ending string) error {
	for _, statement := range copies {
		if _, err := m.tx.ExecContext(ctx, statement, id, ending); err != nil {
			return fmt.Errorf("take over conversation %s: %w", id, err)
		}
	}
	return nil
}

// nameParents has forks that were taken over follow parents that are kept under another id.
func (m *merging) nameParents(ctx context.Context) error {
	for was, is := range m.ids {
		if was == is {
			continue
		}
		forks, err := queryTexts(ctx, m.tx, "SELECT id FROM rescued.sessions WHERE parent_id = ?", was)
		if err != nil {
			return err
		}
		for _, fork := range forks {
			if _, err := m.tx.ExecContext(ctx, "UPDATE main.sessions SET parent_id = ? WHERE id = ? AND parent_id = ?", is, m.ids[fork], was); err != nil {
				return fmt.Errorf("take over conversation %s: %w", fork, err)
			}
		}
	}
	return nil
}

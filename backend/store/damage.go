package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Damage is what was done about a damaged database.
type Damage struct {
	// Path is where the damaged file is now.
	Path string
	// Saved counts the conversations that could be taken over from it.
	Saved int
}

func (d *Damage) String() string {
	return fmt.Sprintf("the file of the conversations was damaged; it was set aside as %s, and %d conversations were taken over from it",
		d.Path, d.Saved)
}

// setAside renames a damaged database, and the files that belong to it.
func setAside(path string, now time.Time) (*Damage, error) {
	aside := path + ".damaged-" + now.UTC().Format("2006-01-02T15-04-05")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("set the damaged conversations aside: %w", err)
		}
	}
	err := os.Remove(filepath.Join(filepath.Dir(path), damageNote))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("set the damaged conversations aside: %w", err)
	}
	return &Damage{Path: aside}, nil
}

// damageNote is the file that says that damage was found.
const damageNote = databaseName + ".look"

func (s *Store) noteDamage() error {
	if err := os.WriteFile(filepath.Join(s.folder, damageNote), nil, 0o600); err != nil {
		return fmt.Errorf("note the damage: %w", err)
	}
	return nil
}

// lookOver reads the whole database if damage was found in it. An error of which
// damaged is true says that there is some.
func (s *Store) lookOver(ctx context.Context) error {
	note := filepath.Join(s.folder, damageNote)
	if _, err := os.Stat(note); err != nil {
		return nil // nothing was found
	}
	var said string
	if err := s.reader.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&said); err != nil {
		return fmt.Errorf("look over the database: %w", err)
	}
	if said != "ok" {
		return fmt.Errorf("look over the database: %w: %s", errDamaged, said)
	}
	return os.Remove(note)
}

// tables are those of a session, the ones that others refer to first, with what
// says that a row belongs to it.
var tables = []struct{ name, of string }{
	{"sessions", "id = ?"},
	{"runs", "session_id = ? ORDER BY number"},
	{"messages", "session_id = ? ORDER BY number"},
	{"parts", "message_id IN (SELECT id FROM messages WHERE session_id = ?) ORDER BY message_id, number"},
	{"events", "run_id IN (SELECT id FROM runs WHERE session_id = ?) ORDER BY run_id, seq"},
	{"decisions", "run_id IN (SELECT id FROM runs WHERE session_id = ?) ORDER BY run_id, seq"},
}

// salvage takes over what can be read of a damaged database, session by session,
// and returns how many of them came over. Of a session that is damaged itself, what
// stands before the damage comes over.
func (s *Store) salvage(ctx context.Context, path string) (saved int) {
	from, err := connection(path, true)
	if err != nil {
		return 0
	}
	defer func() { _ = from.Close() }() // it was only read
	for _, id := range readableSessions(ctx, from) {
		copied := 0
		for i, table := range tables {
			n := s.takeOver(ctx, from, table.name, table.of, id)
			if i == 0 && n == 0 {
				break
			}
			copied += n
		}
		if copied > 0 {
			saved++
		}
	}
	return saved
}

// readableSessions are the ids that can be read, up to the first that cannot.
func readableSessions(ctx context.Context, from *sql.DB) []string {
	rows, err := from.QueryContext(ctx, "SELECT id FROM sessions")
	if err != nil {
		return nil
	}
	defer func() { _ = rows.Close() }() // what could be read was read
	var ids []string
	for rows.Next() {
		var id string
		if rows.Scan(&id) != nil {
			break
		}
		ids = append(ids, id)
	}
	return ids
}

// takeOver copies the rows of a table that belong to a session, up to the first that
// cannot be read, and returns how many there were.
func (s *Store) takeOver(ctx context.Context, from *sql.DB, table, of, id string) (copied int) {
	rows, err := from.QueryContext(ctx, "SELECT * FROM "+table+" WHERE "+of, id) //nolint:gosec // both are constants
	if err != nil {
		return 0
	}
	defer func() { _ = rows.Close() }() // what could be read was read
	columns, err := rows.Columns()
	if err != nil {
		return 0
	}
	values, fields := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		fields[i] = &values[i]
	}
	places := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	insert := fmt.Sprintf("INSERT OR IGNORE INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "), places) //nolint:gosec // the columns are the schema's
	s.writing.Lock()
	defer s.writing.Unlock()
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return 0
	}
	for rows.Next() && rows.Scan(fields...) == nil {
		// A row that refers to one that is lost stays behind.
		if _, err := tx.ExecContext(ctx, insert, values...); err == nil {
			copied++
		}
	}
	if tx.Commit() != nil {
		return 0
	}
	return copied
}

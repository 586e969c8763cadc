package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

const (
	// noteName ends the name of the file that says that damage was found, and that the
	// whole database is to be looked at when it is next opened.
	noteName = ".look"
	// lookedName ends the name of the file that says how the database was left when it
	// was last looked at and closed.
	lookedName = ".looked"
	// lookAfter is how long a look at a database holds that nobody changed since: disks
	// spoil what nobody writes.
	lookAfter = 24 * time.Hour
)

// looked says how a sound database was left.
type looked struct {
	// At is when it was looked at.
	At time.Time `json:"at"`
	// Size is its size in bytes, and Changed when it was last changed.
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
}

func (s *Store) noteDamage() error {
	if s.readOnly {
		return nil
	}
	if err := os.WriteFile(s.path+noteName, nil, 0o600); err != nil {
		return fmt.Errorf("note the damage: %w", err)
	}
	return nil
}

// lookOver reads the whole database, unless it is as it was left a short time ago. An
// error of which damaged is true says that some of it is damaged.
func (s *Store) lookOver(ctx context.Context) error {
	_, err := os.Lstat(s.path + noteName)
	noted := err == nil
	if s.looked, err = s.lastLook(); err == nil && !noted {
		return nil
	}
	s.looked = looked{At: time.Now()}
	if err := s.checkDatabase(ctx, "quick_check"); err != nil {
		return err
	}
	if noted {
		return os.Remove(s.path + noteName)
	}
	return nil
}

// errChanged says that the last look at a database does not hold.
var errChanged = errors.New("the database was changed since the last look at it, or that was long ago")

// lastLook is the last look at the database, if it still holds.
func (s *Store) lastLook() (last looked, err error) {
	text, err := os.ReadFile(s.path + lookedName)
	if err == nil {
		err = json.Unmarshal(text, &last)
	}
	if err != nil {
		return looked{}, err
	}
	now, err := s.leftState(last.At)
	if err != nil {
		return looked{}, err
	}
	since := time.Since(last.At)
	if now != last || since < 0 || since > lookAfter {
		return looked{}, errChanged
	}
	return last, nil
}

// leftState is how the database is left when it was looked at.
func (s *Store) leftState(at time.Time) (looked, error) {
	info, err := os.Stat(s.path)
	if err != nil {
		return looked{}, err
	}
	return looked{At: at, Size: info.Size(), Changed: info.ModTime().UTC()}, nil
}

// keepLook keeps how the database was left. Where it cannot, the next start looks again.
func (s *Store) keepLook() {
	last, err := s.leftState(s.looked.At)
	if err != nil || s.looked.At.IsZero() {
		return
	}
	if text, err := json.Marshal(last); err == nil {
		_ = os.WriteFile(s.path+lookedName, text, 0o600)
	}
}

// checkDatabase reads the whole database, by one of SQLite's checks, and looks for pages that
// were emptied.
func (s *Store) checkDatabase(ctx context.Context, how string) error {
	tx, err := s.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // both see the same
	if err != nil {
		return fmt.Errorf("look over the database: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	var said string
	if err := tx.QueryRowContext(ctx, "PRAGMA "+how+"(1)").Scan(&said); err != nil {
		return fmt.Errorf("look over the database: %w", err)
	}
	if said != "ok" {
		return fmt.Errorf("look over the database: %w: %s", errDamaged, said)
	}
	if err := s.checkLength(ctx, tx); err != nil {
		return err
	}
	return findEmptied(ctx, tx)
}

// checkLength gives errDamaged where the file ends before its last page. What is missing of
// a long row is zeros to SQLite's own checks, and an error only when the row is read.
func (s *Store) checkLength(ctx context.Context, tx *sql.Tx) error {
	var pages int64
	if err := tx.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
		return fmt.Errorf("count the pages: %w", err)
	}
	if log, err := os.Stat(s.path + "-wal"); err == nil && log.Size() > 0 {
		return nil // pages may stand in the log alone
	}
	file, err := os.Stat(s.path)
	if err != nil {
		return fmt.Errorf("look at the length of the database: %w", err)
	}
	if file.Size() < pages*pageSize {
		return fmt.Errorf("look over the database: %w: it ends within its last pages", errDamaged)
	}
	return nil
}

// lockPage is the page that SQLite locks and never writes.
const lockPage = 1<<30/pageSize + 1

// findEmptied gives errDamaged where a page is all zeros that is not free. The end of a
// long row can be lost so without a word of SQLite's own checks.
func findEmptied(ctx context.Context, tx *sql.Tx) error {
	empty := map[uint32]bool{}
	rows, err := tx.QueryContext(ctx, "SELECT pgno FROM sqlite_dbpage WHERE data = zeroblob(?) AND pgno <> ?", pageSize, lockPage)
	if err != nil {
		return fmt.Errorf("look for emptied pages: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	for rows.Next() {
		var number uint32
		if err := rows.Scan(&number); err != nil {
			return fmt.Errorf("look for emptied pages: %w", err)
		}
		empty[number] = true
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("look for emptied pages: %w", err)
	}
	if len(empty) == 0 {
		return nil
	}
	if err := takeFree(ctx, tx, empty); err != nil {
		return fmt.Errorf("look for free pages: %w", err)
	}
	if len(empty) > 0 {
		return fmt.Errorf("look over the database: %w: %d of its pages are empty", errDamaged, len(empty))
	}
	return nil
}

// takeFree takes the free pages out of a set, which SQLite has found to be in order.
func takeFree(ctx context.Context, tx *sql.Tx, pages map[uint32]bool) error {
	const listed = 32 // where the first page says which lists the free ones
	read := func(number uint32) (text []byte, err error) {
		return text, tx.QueryRowContext(ctx, "SELECT data FROM sqlite_dbpage WHERE pgno = ?", number).Scan(&text)
	}
	text, err := read(1)
	if err != nil {
		return err
	}
	for next := binary.BigEndian.Uint32(text[listed:]); next != 0; next = binary.BigEndian.Uint32(text) {
		delete(pages, next)
		if text, err = read(next); err != nil {
			return err
		}
		free := min(int(binary.BigEndian.Uint32(text[4:])), pageSize/4-2)
		for i := range free {
			delete(pages, binary.BigEndian.Uint32(text[8+4*i:]))
		}
	}
	return nil
}

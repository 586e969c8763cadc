// Package index finds texts by two or more characters that follow each other in them. It keeps no
// text, but which three characters in a row a text has somewhere: what it finds is to be looked at. All
// of it can be made anew, and is where its file is damaged.
package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	// version is that of what is in the file: another one is made anew.
	version = 1
	// Least is how many characters a text is found by at least.
	Least = 2
	// pageKiB is how much of the file is kept in memory, in KiB.
	pageKiB = 2048
	// patience is how long another process that makes the file at the same time is waited for:
	// SQLite does not wait where both are about to set the journal mode.
	patience = 5 * time.Second
	pause    = 5 * time.Millisecond
)

// schema makes the tables.
const schema = `
CREATE TABLE groups (number INTEGER PRIMARY KEY, id TEXT NOT NULL) STRICT;
CREATE TABLE texts (number INTEGER PRIMARY KEY, of_group INTEGER NOT NULL REFERENCES groups (number)) STRICT;
CREATE INDEX texts_by_group ON texts (of_group);
-- All groups up to this number are here, or gone.
CREATE TABLE done (until INTEGER NOT NULL) STRICT;
INSERT INTO done VALUES (0);
CREATE VIRTUAL TABLE grams USING fts5(content, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE VIRTUAL TABLE terms USING fts5vocab('grams', 'row');
`

// Index is an open index. It is safe for concurrent use, by other processes too.
type Index struct{ db *sql.DB }

// Text is a text to be found by its number.
type Text struct {
	Number  int64
	Content string
}

// Group is some texts that are added together and do not change after that. Groups that are made later have
// higher numbers; that of one that is gone can be used again.
type Group struct {
	Number int64
	ID     string
	Texts  []Text
}

// Open opens the index in a file. Where there is none, or it is damaged or of another version, it is
// made anew, empty.
func Open(ctx context.Context, path string) (*Index, error) {
	x, err := open(ctx, path)
	if err == nil {
		return x, nil
	}
	if !errors.Is(err, errVersion) && !IsDamage(err) {
		return nil, err
	}
	if err := RemoveFile(path); err != nil {
		return nil, err
	}
	return open(ctx, path)
}

// RemoveFile removes an index that nobody has open.
func RemoveFile(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the search index: %w", err)
		}
	}
	return nil
}

// errVersion says that the index is of another version.
var errVersion = errors.New("the search index is of another version")

// IsDamage reports whether an error says that the file is damaged.
func IsDamage(err error) bool {
	code := primaryCode(err)
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// primaryCode is SQLite's primary result code of an error, 0 where it is none of SQLite's.
func primaryCode(err error) int {
	var fault *sqlite.Error
	if !errors.As(err, &fault) {
		return 0
	}
	const primary = 0xff
	return fault.Code() & primary
}

func open(ctx context.Context, path string) (x *Index, err error) {
	options := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout=5000", "journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON", fmt.Sprintf("cache_size=-%d", pageKiB),
	}}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive of Windows
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the search index: %w", err)
	}
	if err := file.Close(); err != nil {
		return nil, fmt.Errorf("open the search index: %w", err)
	}
	address := url.URL{Scheme: "file", Path: slashed, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, fmt.Errorf("open the search index: %w", err)
	}
	db.SetMaxOpenConns(2) // who searches does not wait for what is added
	x = &Index{db}
	err = x.prepare(ctx)
	for begun := time.Now(); primaryCode(err) == sqlite3.SQLITE_BUSY && time.Since(begun) < patience; {
		<-time.After(pause)
		err = x.prepare(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the search index: %w", err), db.Close())
	}
	return x, nil
}

// prepare makes what is to be in the file, where it is new.
func (x *Index) prepare(ctx context.Context) error {
	var has int
	if err := x.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&has); err != nil {
		return err
	}
	switch has {
	case version:
		return nil
	case 0:
	default:
		return errVersion
	}
	return x.change(ctx, "make", func(tx *sql.Tx) error {
		// Another process may have been faster.
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&has); err != nil || has == version {
			return err
		}
		_, err := tx.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d", version))
		return err
	})
}

// Close closes the index.
func (x *Index) Close() error {
	if err := x.db.Close(); err != nil {
		return fmt.Errorf("close the search index: %w", err)
	}
	return nil
}

// Last returns the group with the highest number; the zero value for none.
func (x *Index) Last(ctx context.Context) (last Group, err error) {
	err = x.db.QueryRowContext(ctx, "SELECT number, id FROM groups ORDER BY number DESC LIMIT 1").Scan(&last.Number, &last.ID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Group{}, fmt.Errorf("read the search index: %w", err)
	}
	return last, nil
}

// Done returns the number up to which all groups are here or gone, and the ids of those here after
// it, by their numbers.
func (x *Index) Done(ctx context.Context) (until int64, after map[int64]string, err error) {
	if err := x.db.QueryRowContext(ctx, "SELECT until FROM done").Scan(&until); err != nil {
		return 0, nil, fmt.Errorf("read the search index: %w", err)
	}
	rows, err := x.db.QueryContext(ctx, "SELECT number, id FROM groups WHERE number > ?", until)
	if err != nil {
		return 0, nil, fmt.Errorf("read the search index: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	after = map[int64]string{}
	for rows.Next() {
		var one Group
		if err := rows.Scan(&one.Number, &one.ID); err != nil {
			return 0, nil, fmt.Errorf("read the search index: %w", err)
		}
		after[one.Number] = one.ID
	}
	if err := rows.Err(); err != nil {
		return 0, nil, fmt.Errorf("read the search index: %w", err)
	}
	return until, after, nil
}

// SetDone takes note that all groups up to a number are here or gone.
func (x *Index) SetDone(ctx context.Context, until int64) error {
	return x.change(ctx, "change", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE done SET until = max(until, min(?, (SELECT coalesce(max(number), 0) FROM groups)))", until)
		return err
	})
}

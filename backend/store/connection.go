package store

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// readers is the number of reads at the same time.
const readers = 4

// synchronous is SQLite's word for when a commit is on the disk.
type synchronous string

const (
	// quick is when the system sees fit: a commit survives the end of the process.
	quick synchronous = "NORMAL"
	// firm is at once: it survives a power cut, with all commits before it.
	firm synchronous = "FULL"
)

// openConnection opens the database.
func openConnection(path string, readOnly bool) (*sql.DB, error) {
	options := url.Values{"_txlock": {"immediate"}}
	// Each write waits in its own way (wait.go).
	waits := slice
	if readOnly {
		waits = patience
	}
	for _, pragma := range []string{
		busyTimeout(waits),
		"journal_mode=WAL",
		"synchronous=" + string(quick),
		// macOS calls something a sync that does not reach the disk.
		"fullfsync=ON",
		"foreign_keys=ON",
		// What is deleted is overwritten.
		"secure_delete=ON",
		// In KiB. The database is read in order, and the system has it in its own cache.
		"cache_size=-512",
	} {
		options.Add("_pragma", pragma)
	}
	if readOnly {
		options.Add("_pragma", "query_only=ON")
	}
	db, err := openDatabase(path, options)
	if err != nil {
		return nil, err
	}
	// One writer at a time is what SQLite has; more connections would only wait for
	// each other.
	connections := 1
	if readOnly {
		connections = readers
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// openImmutable opens a database that nobody writes, to be read: without its log, and without
// a lock.
func openImmutable(path string) (*sql.DB, error) {
	return openDatabase(path, url.Values{"mode": {"ro"}, "immutable": {"1"}})
}

func openDatabase(path string, options url.Values) (*sql.DB, error) {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive of Windows
	}
	address := url.URL{Scheme: "file", Path: slashed, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return db, nil
}

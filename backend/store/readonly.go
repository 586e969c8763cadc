package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fairlead/backend/store/queries"
)

// Unwritable reports whether an error of Open says that the disk takes nothing: it has
// no space, or is not to be written. OpenToRead may open the database then.
func Unwritable(err error) bool {
	fault, ok := errors.AsType[*FaultError](err)
	return ok && (fault.Remedy == noSpace || fault.Remedy == noRights)
}

// OpenToRead opens the database of a data folder that cannot be written, to be read
// only, and writes nothing there. What SQLite would have to write for is done on a copy
// in the temporary folder, which Close removes: where something is still in the log,
// where the schema is older, and where the file is damaged, which damage says.
func OpenToRead(ctx context.Context, o Options) (store *Store, damage *Damage, err error) {
	path := filepath.Join(o.Folder, databaseName)
	defer func() { err = explainAt(err, path) }()
	if store, err = openInPlace(ctx, o, path); err == nil {
		return store, nil, nil
	}
	if _, newer := errors.AsType[*NewerError](err); newer || errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	copied, err := os.MkdirTemp("", "fairlead-read-")
	if err != nil {
		return nil, nil, fmt.Errorf("copy the conversations: %w", err)
	}
	if store, damage, err = openCopy(ctx, o, path, copied); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(copied))
	}
	store.copied = copied
	return store, damage, nil
}

// errNotInPlace says that a database cannot be read where it is without being written.
var errNotInPlace = errors.New("the database must be written before it can be read")

// openInPlace opens a database as it is, which must be of this schema and wholly in its
// file.
func openInPlace(ctx context.Context, o Options, path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open the conversations: %w", err)
	}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return nil, errNotInPlace
	}
	s := &Store{folder: o.Folder, path: path, redact: o.Redact, readOnly: true}
	var err error
	if s.reader, err = openImmutable(path); err != nil {
		return nil, err
	}
	s.read = queries.New(s.reader)
	var has int64
	err = s.reader.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version").Scan(&has)
	switch knows := loadMigrations().newestVersion(); {
	case err != nil:
	case has > knows:
		err = &NewerError{has, knows}
	case has < knows:
		err = errNotInPlace
	default:
		err = s.checkDatabase(ctx, "quick_check")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the conversations in %s: %w", path, err), s.closeConnections())
	}
	return s, nil
}

// openCopy opens a copy of the database at path, or what can be read of it.
func openCopy(ctx context.Context, o Options, path, folder string) (s *Store, damage *Damage, err error) {
	copied := filepath.Join(folder, databaseName)
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(path+suffix, copied+suffix); err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
			return nil, nil, fmt.Errorf("copy the conversations: %w", err)
		}
	}
	s, err = open(ctx, o, copied, loadMigrations())
	if err == nil {
		if err = s.checkDatabase(ctx, "quick_check"); err != nil {
			err = errors.Join(err, s.closeConnections())
		}
	}
	if isDamage(err) {
		damage = &Damage{}
		rescued := copied + rescuing
		if damage.Saved, damage.Lost, err = rebuildDatabase(ctx, copied, rescued); err != nil {
			return nil, nil, err
		}
		s, err = open(ctx, o, rescued, loadMigrations())
	}
	if err != nil {
		return nil, nil, err
	}
	s.readOnly = true
	return s, damage, nil
}

// copyFile copies a file.
func copyFile(from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // it was only read
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

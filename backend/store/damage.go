package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairlead/backend/store/index"
)

// Damage is what was done about a damaged database.
type Damage struct {
	// Path is where the damaged file is now, unchanged; empty where it could not be set
	// aside, because the disk cannot be written.
	Path string
	// Saved is what was taken over from it, and Lost what is known to be missing of
	// that; of a conversation its title and its folder.
	Saved, Lost Counts
}

func (d *Damage) String() string {
	lost := "nothing is known to be lost"
	if d.Lost != (Counts{}) {
		lost = "lost, as far as the numbers of the rest tell: " + d.Lost.String()
	}
	if d.Path == "" {
		return fmt.Sprintf("the file of the conversations is damaged, and cannot be set aside where it is; %s could be read of it; %s", d.Saved, lost)
	}
	return fmt.Sprintf("the file of the conversations was damaged; it was set aside as %s, and %s were saved from it; %s", d.Path, d.Saved, lost)
}

// suffixes are those of the names of a database's files.
var suffixes = []string{"", "-wal", "-shm"}

// The names of what a rescue makes beside the database: the new database while it is
// made and when it is whole, and the damaged one. The last two end in the same time.
const (
	rescuing    = ".rescuing"
	rescuedName = ".rescued-"
	damagedName = ".damaged-"
)

// errInUse says that a damaged database is left as it is, because another process has
// it open.
var errInUse = errors.New("it is damaged, and another Fairlead has it open; close that one, then start this one again, which saves what can be read")

// setAside puts a new database with what can be read of the damaged one in its place,
// and the damaged one beside it. The caller holds the lock of opening.
func setAside(ctx context.Context, o Options, now time.Time) (damage *Damage, err error) {
	unlock, err := tryLock(o.Folder, inUseName)
	if errors.Is(err, ErrLocked) {
		err = errInUse
	}
	if err != nil {
		return nil, fmt.Errorf("open the conversations in %s: %w", o.Folder, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if o.Tell != nil {
		long := time.AfterFunc(tellAfter, func() {
			o.Tell("the file of the conversations is damaged; what can be read of it is saved, which takes a while")
		})
		defer long.Stop()
	}
	path := filepath.Join(o.Folder, databaseName)
	damage = &Damage{}
	if damage.Saved, damage.Lost, err = rebuildDatabase(ctx, path, path+rescuing); err != nil {
		return nil, errors.Join(err, removeDatabase(path+rescuing))
	}
	stamp := now.UTC().Format("2006-01-02T15-04-05.000")
	damage.Path = path + damagedName + stamp
	if err := os.Rename(path+rescuing, path+rescuedName+stamp); err != nil {
		return nil, fmt.Errorf("keep what was saved of the damaged conversations: %w", err)
	}
	return damage, exchangeFiles(path, stamp)
}

// exchangeFiles renames the damaged database and puts the rescued one in its place. It can be
// cut off and begun again.
func exchangeFiles(path, stamp string) error {
	aside := path + damagedName + stamp
	for _, suffix := range suffixes {
		if _, err := os.Lstat(aside + suffix); err == nil {
			continue // before it was cut off
		}
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("set the damaged conversations aside: %w", err)
		}
	}
	// What is taken over has other numbers.
	if err := index.RemoveFile(filepath.Join(filepath.Dir(path), indexName)); err != nil {
		return err
	}
	for _, name := range []string{path + noteName, path + lookedName} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("set the damaged conversations aside: %w", err)
		}
	}
	if err := os.Rename(path+rescuedName+stamp, path); err != nil {
		return fmt.Errorf("take over what was saved of the damaged conversations: %w", err)
	}
	return nil
}

// finishSetAside ends a setting aside that was cut off; damage is nil where none was.
func finishSetAside(ctx context.Context, path string) (damage *Damage, err error) {
	rescued, err := filepath.Glob(escapeGlob(path+rescuedName) + "*")
	if err != nil {
		return nil, fmt.Errorf("look for rescued conversations: %w", err)
	}
	for _, name := range rescued {
		if _, err := os.Lstat(path); err == nil {
			// Nothing was renamed yet: it is done anew.
			if err := removeDatabase(name); err != nil {
				return nil, err
			}
			continue
		}
		stamp := strings.TrimPrefix(name, path+rescuedName)
		if err := exchangeFiles(path, stamp); err != nil {
			return nil, err
		}
		damage = &Damage{Path: path + damagedName + stamp}
		db, err := openConnection(path, true)
		if err != nil {
			return nil, err
		}
		damage.Saved, damage.Lost, err = countRows(ctx, db)
		if err = errors.Join(err, db.Close()); err != nil {
			return nil, fmt.Errorf("count what was rescued: %w", err)
		}
	}
	return damage, nil
}

// escapeGlob is a path as a pattern that only it matches.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

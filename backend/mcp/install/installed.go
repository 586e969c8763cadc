package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Record is what is known of an install.
type Record struct {
	// Request is what was asked for.
	Request Request
	// Package and Version are the package of the program and its exact version, and
	// Integrity is its hash, such as sha512-… in base64.
	Package, Version, Integrity string
	// Registry is the address it came from.
	Registry string
	// LockHash is the SHA-256 of the lock file, and TreeHash that of all files, both in
	// hexadecimal digits.
	LockHash, TreeHash string
	// Files counts files, folders and links, and Bytes is the size of all files.
	Files int
	Bytes int64
	// Scripts reports whether install scripts were allowed to run.
	Scripts bool
	// InstalledAt is when.
	InstalledAt time.Time
}

// Installed is a program that was installed.
type Installed struct {
	Record
	// Name is the name of its folder, by which it is opened and removed.
	Name string
	// Dir is its folder, which its servers only read.
	Dir string
}

// mostRecord is the most bytes of a record, and of a package.json.
const mostRecord = 4 << 20

// ErrChanged reports that an install is no longer what was installed.
var ErrChanged = errors.New("the installed files are no longer those that were installed")

// isInstallName reports whether a name can be that of an install, and leads nowhere else.
func isInstallName(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsAny(name, `/\:`) && !strings.HasPrefix(name, ".")
}

// Open returns an install by its name, without looking at its files (Installed.Verify). An error
// is fs.ErrNotExist where there is none.
func (i *Installer) Open(name string) (Installed, error) {
	if !isInstallName(name) {
		return Installed{}, fmt.Errorf("open an install: %s is not the name of one", shown(name))
	}
	installed := Installed{Name: name, Dir: filepath.Join(i.options.Dir, name)}
	info, err := os.Lstat(installed.Dir)
	if err != nil {
		return Installed{}, fmt.Errorf("open the install %s: %w", name, err)
	}
	if !info.IsDir() {
		return Installed{}, fmt.Errorf("open the install %s: it is not a folder", name)
	}
	text, err := readBounded(filepath.Join(installed.Dir, recordFile), mostRecord)
	if err == nil {
		err = json.Unmarshal(text, &installed.Record)
	}
	if err == nil && len(installed.Request.Packages) == 0 {
		err = errors.New("it names no package")
	}
	if err != nil {
		// Not as an error of a file that is missing: the folder is there.
		return Installed{}, fmt.Errorf("read the record of the install %s: %v", name, err) //nolint:errorlint // see above
	}
	return installed, nil
}

// List returns all installs, by their names. One that cannot be read is an error beside the others.
func (i *Installer) List() ([]Installed, error) {
	entries, err := os.ReadDir(i.options.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for installed servers: %w", err)
	}
	var all []Installed
	var failed error
	for _, e := range entries {
		if !e.IsDir() || !isInstallName(e.Name()) {
			continue
		}
		one, err := i.Open(e.Name())
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		all = append(all, one)
	}
	return all, failed
}

// save writes the record.
func (in Installed) save() error {
	text, err := json.MarshalIndent(in.Record, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(in.Dir, recordFile), append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the record of the install: %w", err)
	}
	return nil
}

// noteStates writes down what the files look like now that they are known to be right. A
// file that is cut off only makes the next check read all files.
func (in Installed) noteStates() error {
	states, err := hashStates(context.Background(), in.Dir)
	if err == nil {
		err = os.WriteFile(filepath.Join(in.Dir, statesFile), []byte(states), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write down what the installed files look like: %w", err)
	}
	return nil
}

// Verify reports whether an install is what was installed, before it is started: ErrChanged if
// it is not. It reads the lock file, and of the others on Linux and macOS only what they look like:
// names, sizes, times and numbers, which takes milliseconds where reading all takes a second, and
// which no program of the user's can keep while it changes a file. Elsewhere, and where something
// looks different, such as after the folder was copied, all is read.
func (in Installed) Verify(ctx context.Context) error {
	lock, err := readBounded(filepath.Join(in.Dir, lockFile), mostLock)
	if err != nil || hashOf(lock) != in.LockHash {
		return in.changed("its lock file")
	}
	noted, err := readBounded(filepath.Join(in.Dir, statesFile), mostRecord)
	if err == nil && identifies {
		states, err := hashStates(ctx, in.Dir)
		if err == nil && states == string(noted) {
			return nil
		}
	}
	return in.verifyContents(ctx)
}

// verifyContents does the same by reading all files.
func (in Installed) verifyContents(ctx context.Context) error {
	before, err := hashStates(ctx, in.Dir)
	if err != nil {
		return in.failed(ctx, err)
	}
	found, err := hashTree(ctx, in.Dir)
	if err != nil {
		return in.failed(ctx, err)
	}
	if found.hash != in.TreeHash {
		return in.changed(fmt.Sprintf("it has %d files of %d bytes, and had %d of %d", found.files, found.bytes, in.Files, in.Bytes))
	}
	// What they looked like before they were read, so that a change meanwhile is seen.
	if err := os.WriteFile(filepath.Join(in.Dir, statesFile), []byte(before), 0o600); err != nil {
		return fmt.Errorf("write down what the installed files look like: %w", err)
	}
	return nil
}

func (in Installed) changed(what string) error {
	return fmt.Errorf("%s@%s is not started: %w (%s): remove it and install it again", in.Package, in.Version, ErrChanged, what)
}

// failed tells a check that was ended from one that has found something.
func (in Installed) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("look at the installed files of %s: %w", in.Package, context.Cause(ctx))
	}
	return in.changed(err.Error())
}

// Package workspace is the one folder a conversation works on. Every path that a
// model names goes through it: nothing outside the folder is read or written,
// whatever links, "..", devices or races are in the way, and files that hold
// secrets are refused by name. It lists and previews the folder for the
// window, and keeps the full outputs of a session's calls, outside the folder.
package workspace

import (
	"fmt"
	"os"
	"path/filepath"

	"fairlead/backend/change"
	"fairlead/backend/leftover"
	"fairlead/backend/workspace/autorun"
)

// Folder is a chosen folder. It is safe for concurrent use.
type Folder struct {
	root *os.Root
	// path is the folder's absolute path with links resolved; given is the
	// absolute path as it was chosen. A model may have seen either.
	path, given string
	// autorun knows what other programs act on in it.
	autorun *autorun.Scanner
	linked  linkedSecrets
	// record is what this process has made in it for a while; nil where nothing is
	// recorded.
	record *leftover.Record
	// draft is what is to be known of a draft; nil for a folder that is none.
	draft *draftFolder
	// secrets are the files and folders with secrets, as they were seen last.
	secrets secretList
	// changes makes and records what is changed in it; nil for a folder that is only read.
	changes *change.Recorder
}

// UseChanges has a recorder make what is changed in the folder.
func (f *Folder) UseChanges(changes *change.Recorder) { f.changes = changes }

// Root returns the folder, held open until Close.
func (f *Folder) Root() *os.Root { return f.root }

// UseRecord has what is made in the folder for a while put on record, so that it is taken
// away by the next start where this process is killed.
func (f *Folder) UseRecord(record *leftover.Record) {
	f.record = record
	f.autorun.UseRecord(record)
}

// Open opens dir as the folder to work on. It refuses, with a *RefusedError, what
// is no readable folder, the user's home or a folder around it, the root of a
// file system, a folder for keys and passwords such as .ssh, one of the system's such
// as /etc, one of the user's settings such as ~/.config, and everything that equals,
// contains or lies inside one of the forbidden folders.
func Open(dir string, forbidden ...string) (*Folder, error) {
	given, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder %s: %w", dir, err)
	}
	path, err := checkFolder(given)
	if err != nil {
		return nil, err
	}
	if err := refuseSpecial(path, given, forbidden); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, &RefusedError{path, RefusedAccess, "cannot be opened: " + systemReason(err), hintAccess}
	}
	f := &Folder{root: root, path: path, given: given}
	f.autorun = autorun.New(root, path, f.readEntries)
	return f, nil
}

// draftFolder is what is to be known of a draft: the folder below it, and which copies of that the
// draft has whose paths fit.
type draftFolder struct {
	below  *Folder
	copies func(fits func(local string) bool) []string
}

// OpenDraft returns a draft of the folder, at the path of the folder itself, where commands see it.
// root is closed with it, and copies lists paths of the draft at which something lies that was
// copied from the folder, as far as they fit.
func (f *Folder) OpenDraft(root *os.Root, copies func(fits func(local string) bool) []string) *Folder {
	draft := &Folder{root: root, path: f.path, given: f.given, draft: &draftFolder{f, copies}}
	draft.autorun = autorun.New(root, f.path, draft.readEntries)
	return draft
}

// Path returns the folder's absolute path, with links resolved. It is for people
// and for starting commands, not for file calls.
func (f *Folder) Path() string { return f.path }

// Close releases the folder. Calls under way may fail.
func (f *Folder) Close() error {
	f.secrets.close()
	if err := f.root.Close(); err != nil {
		return fmt.Errorf("close the folder: %w", err)
	}
	return nil
}

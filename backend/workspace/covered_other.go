//go:build !linux

package workspace

import "os"

// notesChanges reports false: nothing is covered here.
func notesChanges(*os.Root) bool { return false }

// holdsIn reports false: what holds is found out by holds.
func (s *secretsInFolder) holdsIn(uintptr, string) bool { return false }

// folderWatch watches nothing.
type folderWatch struct{}

func newFolderWatch() *folderWatch { return nil }
func (*folderWatch) add(*os.File)  {}
func (*folderWatch) isOpen() bool  { return false }
func (*folderWatch) isQuiet() bool { return false }
func (*folderWatch) close()        {}

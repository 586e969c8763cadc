package leftover

import (
	"crypto/rand"
	"strings"
)

// temporaryPrefix and temporarySuffix mark the files that are made beside others before
// they get their names.
const (
	temporaryPrefix = ".fairlead-"
	temporarySuffix = ".tmp"
)

// TemporaryName returns a name for such a file that no other has.
func TemporaryName() string { return temporaryPrefix + rand.Text() + temporarySuffix }

// IsTemporaryName reports whether a name is one that such files have.
func IsTemporaryName(name string) bool {
	return strings.HasPrefix(name, temporaryPrefix) && strings.HasSuffix(name, temporarySuffix)
}

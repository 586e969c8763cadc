package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/adrg/xdg"
	"golang.org/x/text/unicode/norm"
)

const (
	// ownFolder is where new workspaces lie in the documents folder.
	ownFolder = "Fairlead"
	// defaultName is that of a new workspace without a name.
	defaultName = "Workspace"
	// maxName is how many characters the name of a new workspace has at most, and
	// maxNameBytes how many bytes: file systems take 255.
	maxName      = 80
	maxNameBytes = 240
	// maxNumber bounds the search for a number that is not taken.
	maxNumber = 10_000
)

// reload keeps two callers from changing xdg's package variables at once.
var reload sync.Mutex

// Documents returns the folder in which this user keeps documents. It may not
// exist. Without a home it is empty.
func Documents() string {
	home, err := os.UserHomeDir()
	if err != nil {
		// xdg would answer with a folder below the root.
		return ""
	}
	reload.Lock()
	defer reload.Unlock()
	// xdg reads the environment once at start; it may have changed since.
	xdg.Reload()
	if dir := xdg.UserDirs.Documents; filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, "Documents")
}

// Create makes a new, empty folder Fairlead/<name> in the documents folder and
// returns its path (SPEC WS-05). The name is made one that every system takes, of
// at most 80 characters; "Workspace" stands for an empty one, and a number is
// added to one that is taken.
func Create(name string) (path string, err error) {
	documents := Documents()
	if documents == "" {
		return "", errors.New("make a workspace: this user has no home folder; choose a folder instead")
	}
	parent := filepath.Join(documents, ownFolder)
	if err := os.MkdirAll(parent, newFolder); err != nil {
		return "", fmt.Errorf("make a workspace in %s: %s; choose a folder instead", parent, systemReason(err))
	}
	for number := 1; number <= maxNumber; number++ {
		path = filepath.Join(parent, numberName(cleanName(name), number))
		err = os.Mkdir(path, newFolder)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return "", fmt.Errorf("make the workspace %s: %s; give it another name or choose a folder", path, systemReason(err))
}

// cleanName returns a name for a folder that every system takes and that Open
// does not refuse.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`<>:"/\|?*`, r), unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			// What is not seen would make two names look the same.
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, " "))
	name = shortenName(trimName(norm.NFC.String(strings.Join(strings.Fields(name), " "))), maxName, maxNameBytes)
	switch {
	case name == "":
		return defaultName
	case unportableReason(name) != "", inGit(name), secretFolder(name):
		return shortenName(defaultName+" "+name, maxName, maxNameBytes)
	}
	return name
}

// trimName takes away what Windows drops at the end of a name, and the dot that
// hides a folder.
func trimName(name string) string {
	return strings.TrimRight(strings.TrimLeft(name, ". "), ". ")
}

// numberName adds a number above 1 to a name, which it shortens if need be.
func numberName(name string, number int) string {
	if number == 1 {
		return name
	}
	suffix := " " + strconv.Itoa(number)
	return shortenName(name, maxName-len(suffix), maxNameBytes-len(suffix)) + suffix
}

// shortenName cuts a trimmed name to at most so many characters and bytes.
func shortenName(name string, characters, size int) string {
	for at, r := range name {
		if characters--; characters < 0 || at+utf8.RuneLen(r) > size {
			return trimName(name[:at])
		}
	}
	return name
}

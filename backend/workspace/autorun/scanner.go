package autorun

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"fairlead/backend/leftover"
)

// Scanner knows what other programs act on in one workspace. It remembers what it has
// read, so that a look at a folder that has not changed costs little. It is safe for
// concurrent use.
type Scanner struct {
	root *os.Root
	// path is the workspace's absolute path, without links.
	path string
	list Lister
	// home and configHome are where git looks for the user's own settings.
	home, configHome string

	mu sync.Mutex
	// record is what is made for as long as a command runs; nil where nothing is recorded.
	record *leftover.Record
	// git asks git; nil where it cannot be asked.
	git AskGit
	// answers are the settings of repositories, by their folders.
	answers map[string]answer
	// listings are what folders held, by their paths.
	listings map[string]listing
	// sums are the hashes of files, by their paths.
	sums map[string]sum
	// told are the folders that cannot be read and were reported.
	told map[string]bool
}

// Lister returns the entries of a folder of the workspace, and whether there are more
// than most. With an error, it returns what it could read.
type Lister func(ctx context.Context, name string, most int) (entries []fs.DirEntry, more bool, err error)

// New returns the scanner of a workspace: root is it opened, path its absolute path
// without links. It closes nothing.
func New(root *os.Root, path string, list Lister) *Scanner {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		home = ""
	}
	return &Scanner{
		root: root, path: path, list: list, home: home, configHome: os.Getenv("XDG_CONFIG_HOME"),
		answers: map[string]answer{}, listings: map[string]listing{}, sums: map[string]sum{}, told: map[string]bool{},
	}
}

// UseRecord has what is made for as long as a command runs put on record.
func (s *Scanner) UseRecord(record *leftover.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record = record
}

// UseGit has git's settings read by asking git. Without it they are read here.
func (s *Scanner) UseGit(ask AskGit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.git = ask
	clear(s.answers)
}

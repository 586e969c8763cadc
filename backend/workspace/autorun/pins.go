package autorun

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Everything that git takes programs from is kept read-only while a command runs,
// which can only be done for what exists. hooks is made where it is missing, and so
// are files. commondir names another git folder, whose settings and hooks then
// count (gitrepository-layout(5)): it is made to name its own folder, which changes
// nothing. config.worktree holds further settings, where the setting
// extensions.worktreeConfig is on: it is made empty, and so is a file that the
// settings include. All are taken away again.

// commonHere is what commondir is made to hold.
const commonHere = ".\n"

// maxPins bounds how much is kept from one command: each costs it some time.
const maxPins = 256

// pin is something that commands must not change.
type pin struct {
	name string
	kind Kind
	// folder means that it is a repository's folder, in which git itself writes: only
	// its hooks, settings and the like are kept.
	folder bool
}

// madeFile is a file that is made for as long as a command runs.
type madeFile struct{ name, content string }

// pin keeps a path from commands.
func (l *looking) pin(name string, kind Kind) {
	if _, ok := l.look.pins[name]; !ok && name != "." {
		l.look.pins[name] = pin{name: name, kind: kind}
	}
}

// heldFiles counts, by path, the commands that need a file of ours.
var heldFiles = struct {
	mu    sync.Mutex
	users map[string]int
}{users: map[string]int{}}

// Pins returns what is to be kept from a command, relative to the workspace. The name
// of a repository's folder ends in a slash: git itself writes there. What there is no
// room for is said by notices.
func (k *Look) Pins() (names []string, left []Notice) {
	all := make([]pin, 0, len(k.pins))
	for _, p := range k.pins {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b pin) int {
		if order := slices.Index(Kinds(), a.kind) - slices.Index(Kinds(), b.kind); order != 0 {
			return order
		}
		return strings.Compare(a.name, b.name)
	})
	for i, p := range all {
		switch {
		case i >= maxPins:
			left = append(left, Notice{Code: CodeNotPinned, Kind: p.kind, Path: p.name})
		case p.folder:
			names = append(names, p.name+"/")
		default:
			names = append(names, p.name)
		}
	}
	return names, left
}

// Hold makes what has to exist so that it can be kept from a command. release takes
// away what no other command needs. What cannot be made is left: a command cannot make
// it either.
func (s *Scanner) Hold(look *Look) (release func()) {
	heldFiles.mu.Lock()
	defer heldFiles.mu.Unlock()
	for _, name := range look.hooks {
		_ = s.root.Mkdir(filepath.FromSlash(name), 0o755) // it exists, or it cannot be made by a command either
	}
	var held []string
	for _, file := range look.made {
		whole := s.absolute(file.name)
		if heldFiles.users[whole] > 0 || s.make(file) {
			heldFiles.users[whole]++
			held = append(held, file.name)
		}
	}
	return sync.OnceFunc(func() { s.release(held) })
}

// make makes a file; false where there is one.
func (s *Scanner) make(m madeFile) bool {
	file, err := s.root.OpenFile(filepath.FromSlash(m.name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return false
	}
	_, err = file.WriteString(m.content)
	if closed := file.Close(); err != nil || closed != nil {
		_ = s.root.Remove(filepath.FromSlash(m.name)) // half of one would break the repository
		return false
	}
	return true
}

func (s *Scanner) release(held []string) {
	heldFiles.mu.Lock()
	defer heldFiles.mu.Unlock()
	for _, name := range held {
		whole := s.absolute(name)
		if heldFiles.users[whole]--; heldFiles.users[whole] == 0 {
			delete(heldFiles.users, whole)
			_ = s.root.Remove(filepath.FromSlash(name)) // the repository may be gone
		}
	}
}

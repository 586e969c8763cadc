package autorun

import (
	"slices"
	"strings"
	"sync"

	"fairlead/backend/leftover"
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

// addPin keeps a path from commands.
func (l *looking) addPin(name string, kind Kind) {
	if _, ok := l.look.pins[name]; !ok && name != "." {
		l.look.pins[name] = pin{name: name, kind: kind}
	}
}

// held are the files and folders that were made, by path.
var held = struct {
	mu  sync.Mutex
	all map[string]*heldFile
}{all: map[string]*heldFile{}}

// heldFile is one that was made, and how many commands of this process need it.
type heldFile struct {
	planted *leftover.Planted
	users   int
}

// Pins returns what is to be kept from a command, relative to the workspace. The name
// of a repository's folder ends in a slash: git itself writes there. What there is no
// space for is said by notices.
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
	s.mu.Lock()
	record := s.record
	s.mu.Unlock()
	held.mu.Lock()
	defer held.mu.Unlock()
	var names []string
	hold := func(name string, plant func() (*leftover.Planted, bool)) {
		path := s.absolutePath(name)
		if held.all[path] == nil {
			planted, ok := plant()
			if !ok {
				return
			}
			held.all[path] = &heldFile{planted: planted}
		}
		held.all[path].users++
		names = append(names, name)
	}
	for _, name := range look.hooks {
		hold(name, func() (*leftover.Planted, bool) { return record.PlantFolder(s.root, s.path, name) })
	}
	for _, file := range look.made {
		hold(file.name, func() (*leftover.Planted, bool) { return record.Plant(s.root, s.path, file.name, file.content) })
	}
	return sync.OnceFunc(func() { s.letGo(names) })
}

// letGo takes away what no command of this process needs any more.
func (s *Scanner) letGo(names []string) {
	held.mu.Lock()
	defer held.mu.Unlock()
	for _, name := range names {
		path := s.absolutePath(name)
		if held.all[path].users--; held.all[path].users == 0 {
			_ = held.all[path].planted.Remove(s.root, name) // the repository may be gone
			delete(held.all, path)
		}
	}
}

package workspace

import (
	"os"
	"path"
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

// gitPins counts, by path, the commands that need a file of ours.
var gitPins = struct {
	mu    sync.Mutex
	users map[string]int
}{users: map[string]int{}}

// PinGit makes what must exist in the git folders so that it can be kept read-only,
// and returns what is to be kept so, those folders included. release takes away what
// is no longer needed. What cannot be made is left: such a folder cannot be written by
// a command either.
func (f *Folder) PinGit(repositories []string) (pins []string, release func()) {
	gitPins.mu.Lock()
	defer gitPins.mu.Unlock()
	pins = slices.Clone(repositories)
	var held []string
	hold := func(name, content string) {
		whole := filepath.Join(f.path, filepath.FromSlash(name))
		if gitPins.users[whole] > 0 || f.makePin(name, content) {
			gitPins.users[whole]++
			held = append(held, name)
		}
	}
	for _, repository := range repositories {
		local := filepath.FromSlash(repository)
		if _, err := f.root.Lstat(filepath.Join(local, "HEAD")); err != nil {
			continue // a file that names another folder, or no git folder
		}
		// It exists, or it cannot be made by a command either.
		_ = f.root.Mkdir(filepath.Join(local, "hooks"), 0o755)
		hold(path.Join(repository, "commondir"), commonHere)
		if main, _, _ := strings.Cut(repository, "/worktrees/"); f.worktreeSettings(main) {
			hold(path.Join(repository, "config.worktree"), "")
		}
		for _, name := range f.included(repository) {
			if hold(name, ""); !slices.Contains(pins, name) {
				pins = append(pins, name)
			}
		}
	}
	return pins, sync.OnceFunc(func() { f.unpin(held) })
}

// makePin makes the file; false where there is one.
func (f *Folder) makePin(name, content string) bool {
	file, err := f.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return false
	}
	_, err = file.WriteString(content)
	if closed := file.Close(); err != nil || closed != nil {
		_ = f.root.Remove(filepath.FromSlash(name)) // half of one would break the repository
		return false
	}
	return true
}

func (f *Folder) unpin(held []string) {
	gitPins.mu.Lock()
	defer gitPins.mu.Unlock()
	for _, name := range held {
		whole := filepath.Join(f.path, filepath.FromSlash(name))
		if gitPins.users[whole]--; gitPins.users[whole] == 0 {
			delete(gitPins.users, whole)
			_ = f.root.Remove(filepath.FromSlash(name)) // the git folder may be gone
		}
	}
}

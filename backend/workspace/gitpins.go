package workspace

import (
	"os"
	"path"
	"path/filepath"
	"sync"
)

// Everything that git takes programs from is kept read-only while a command runs,
// which can only be done for what exists. hooks is made where it is missing, and so
// is commondir: a file by which a git folder names another one, whose settings and
// hooks then count (gitrepository-layout(5)). It is made to name its own folder,
// which changes nothing, and taken away again.

// commonHere is what such a file holds.
const commonHere = ".\n"

// gitPins counts, by path, the commands that need a commondir of ours.
var gitPins = struct {
	mu    sync.Mutex
	users map[string]int
}{users: map[string]int{}}

// PinGit makes what must exist in the git folders so that it can be kept read-only.
// release takes away what is no longer needed. What cannot be made is left: such a
// folder cannot be written by a command either.
func (f *Folder) PinGit(repositories []string) (release func()) {
	gitPins.mu.Lock()
	defer gitPins.mu.Unlock()
	var held []string
	for _, repository := range repositories {
		local := filepath.FromSlash(repository)
		if info, err := f.root.Lstat(local); err != nil || !info.IsDir() {
			continue
		}
		// It exists, or it cannot be made by a command either.
		_ = f.root.Mkdir(filepath.Join(local, "hooks"), 0o755)
		common := path.Join(repository, "commondir")
		whole := filepath.Join(f.path, filepath.FromSlash(common))
		if gitPins.users[whole] > 0 || f.makeCommon(common) {
			gitPins.users[whole]++
			held = append(held, common)
		}
	}
	return sync.OnceFunc(func() { f.unpin(held) })
}

// makeCommon makes the file; false where there is one.
func (f *Folder) makeCommon(name string) bool {
	file, err := f.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return false
	}
	_, err = file.WriteString(commonHere)
	if closed := file.Close(); err != nil || closed != nil {
		_ = f.root.Remove(filepath.FromSlash(name)) // half of one would break the repository
		return false
	}
	return true
}

func (f *Folder) unpin(held []string) {
	gitPins.mu.Lock()
	defer gitPins.mu.Unlock()
	for _, common := range held {
		whole := filepath.Join(f.path, filepath.FromSlash(common))
		if gitPins.users[whole]--; gitPins.users[whole] == 0 {
			delete(gitPins.users, whole)
			_ = f.root.Remove(filepath.FromSlash(common)) // the git folder may be gone
		}
	}
}

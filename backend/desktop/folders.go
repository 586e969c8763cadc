package desktop

import (
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// Workspace is the folder that is open.
type Workspace struct {
	// Path is absolute. An empty one says that the person chose none.
	Path string `json:"path"`
	// Name is its last part.
	Name string `json:"name"`
}

// Folders is bound to the page: it chooses the workspace. What is in it is read
// over the asset routes.
type Folders struct {
	window *Window
	// asking is held while the person is asked: two dialogs for one window would
	// wait for each other.
	asking *sync.Mutex
}

// Choose asks for a folder in a native dialog and opens it.
func (f *Folders) Choose() (Workspace, error) {
	return Guard(f.window, func() (Workspace, error) {
		if !f.asking.TryLock() {
			return Workspace{}, &message.Refusal{Code: message.Busy, Message: "the dialog to choose a folder is open already"}
		}
		defer f.asking.Unlock()
		start := ""
		if folder, err := f.window.openFolder(); err == nil {
			start = folder.Path()
		}
		dir, err := f.window.native.ChooseFolder(words(f.window.language()).chooseFolder, start)
		if err != nil || dir == "" {
			return Workspace{}, err
		}
		return f.window.choose(dir)
	})
}

// Open opens a folder by its absolute path: one of the recent ones, or one that
// was dropped on the window.
func (f *Folders) Open(dir string) (Workspace, error) {
	return Guard(f.window, func() (Workspace, error) { return f.window.choose(dir) })
}

// Create makes a new folder under the person's documents and opens it.
func (f *Folders) Create(name string) (Workspace, error) {
	return Guard(f.window, func() (Workspace, error) {
		dir, err := workspace.Create(name)
		if err != nil {
			return Workspace{}, err
		}
		return f.window.choose(dir)
	})
}

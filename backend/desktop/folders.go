package desktop

import (
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// Workspace is the folder that is open.
type Workspace struct {
	// Path is absolute. An empty one says that the user chose none.
	Path string `json:"path"`
	// Name is its last part.
	Name string `json:"name"`
}

// Folders is bound to the page: it chooses the workspace. What is in it is read
// over the asset routes.
type Folders struct {
	window *Window
	// asking is held while the user is asked: two dialogs for one window would
	// wait for each other.
	asking *sync.Mutex
}

// Choose asks for a folder in a native dialog and opens it.
func (f *Folders) Choose() (Workspace, error) {
	return Guard(f.window, func() (Workspace, error) {
		if !f.asking.TryLock() {
			return Workspace{}, &message.Refusal{Code: message.Busy, Message: "a dialog to choose a folder or files is open already"}
		}
		defer f.asking.Unlock()
		dir, err := f.window.native.ChooseFolder(wordingOf(f.window.language()).chooseFolder, f.start())
		if err != nil || dir == "" {
			return Workspace{}, err
		}
		return f.window.chooseFolder(dir)
	})
}

// start is where the dialog begins: at the open folder, if it still is where it
// was. The dialog refuses to begin elsewhere than in a folder.
func (f *Folders) start() string {
	open, err := f.window.openFolder()
	if err != nil {
		return ""
	}
	found, err := f.window.backend.OpenFolder(open.Path())
	if err != nil {
		return ""
	}
	_ = found.Close() // nothing was read
	return open.Path()
}

// Open opens a folder by its absolute path: one of the recent ones, or one that
// was dropped on the window.
func (f *Folders) Open(dir string) (Workspace, error) {
	return Guard(f.window, func() (Workspace, error) { return f.window.chooseFolder(dir) })
}

// Create makes a new folder under the user's documents and opens it.
func (f *Folders) Create(name string) (Workspace, error) {
	return Guard(f.window, func() (Workspace, error) {
		dir, err := workspace.Create(name)
		if err != nil {
			return Workspace{}, err
		}
		return f.window.chooseFolder(dir)
	})
}

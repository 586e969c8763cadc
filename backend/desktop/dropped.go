package desktop

import (
	"fmt"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
	"fairlead/backend/workspace/names"
)

// Dropped is a file or a folder that was dropped on the window, or a file that was chosen.
type Dropped struct {
	// Path is where it lies, and Local its path in the open workspace; empty where it lies elsewhere.
	Path   string `json:"path"`
	Local  string `json:"local"`
	Folder bool   `json:"folder"`
}

// maxDropped is how many files are taken at once.
const maxDropped = 100

// ChooseFiles asks for files in a native dialog.
func (f *Folders) ChooseFiles() ([]string, error) {
	return Guard(f.window, func() ([]string, error) {
		if !f.asking.TryLock() {
			return nil, &message.Refusal{Code: message.Busy, Message: "a dialog to choose a folder or files is open already"}
		}
		defer f.asking.Unlock()
		paths, err := f.window.native.ChooseFiles(wordingOf(f.window.language()).chooseFiles, f.start())
		return append([]string{}, paths...), err
	})
}

// Locate says where what was dropped or chosen lies.
func (f *Folders) Locate(paths []string) ([]Dropped, error) {
	return Guard(f.window, func() ([]Dropped, error) {
		if len(paths) > maxDropped {
			return nil, &Fault{Code: CodeUsage, Message: fmt.Sprintf("%d files are too many: at most %d are taken at once", len(paths), maxDropped)}
		}
		folder := f.window.folder.currentView().folder
		located := make([]Dropped, len(paths))
		for i, path := range paths {
			located[i] = Dropped{Path: path, Folder: workspace.IsFolder(path)}
			if folder != nil {
				located[i].Local, _ = folder.Inside(path)
			}
		}
		return located, nil
	})
}

// CopyIn copies files to the top of the open workspace, as the user has agreed to. Nothing is replaced. It
// ends at the first one that cannot be copied.
func (f *Folders) CopyIn(paths []string) ([]names.Name, error) {
	return Guard(f.window, func() ([]names.Name, error) {
		folder, err := f.window.openFolder()
		if err != nil {
			return nil, err
		}
		copied := []names.Name{}
		for _, path := range paths {
			local, err := folder.CopyIn(f.window.ctx, path)
			if err != nil {
				return nil, err
			}
			copied = append(copied, names.Name{Path: local})
		}
		return copied, nil
	})
}

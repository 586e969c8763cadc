package desktop

import (
	"errors"
	"fmt"
	"net/http"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/workspace"
)

// Files is bound to the page: it hands files of the open folder to the user's own programs.
type Files struct{ window *Window }

// Open opens a file in the program that the system has for it, unless it could be run.
func (f *Files) Open(path string) (None, error) {
	return Guard(f.window, func() (None, error) {
		found, err := f.window.fileOutside(path, (*workspace.Folder).Openable)
		if errors.Is(err, workspace.ErrRunnable) {
			return None{}, &Fault{Code: CodeRunnable, Message: fmt.Sprintf("open %s: %v", message.Inline(path), err)}
		}
		if err != nil {
			return None{}, err
		}
		return None{}, process.OpenFile(found, f.window.writableFolders()...)
	})
}

// Reveal shows a file in its folder, in the system's file manager.
func (f *Files) Reveal(path string) (None, error) {
	return Guard(f.window, func() (None, error) {
		found, err := f.window.fileOutside(path, (*workspace.Folder).Outside)
		if err != nil {
			return None{}, err
		}
		err = showItem(f.window.ctx, found)
		if errors.Is(err, errors.ErrUnsupported) {
			return None{}, process.ShowFile(found, f.window.writableFolders()...)
		}
		return None{}, err
	})
}

// fileOutside finds a file of the open folder for another program, which would see no draft.
func (w *Window) fileOutside(path string, find func(*workspace.Folder, string) (string, error)) (absolute string, err error) {
	folder, err := w.openFolder()
	if err != nil {
		return "", err
	}
	if open := w.conversations.find(w.folder.currentView().shown); open != nil && open.DraftFolder() != nil {
		return "", &Fault{
			Code: CodeHasDraft, Message: "the task is working in a draft, which other programs do not see", Hint: "apply the draft first",
		}
	}
	return find(folder, path)
}

// writableFolders returns the folders that commands can write in: the open one, and those of the
// open conversations.
func (w *Window) writableFolders() []string {
	var folders []string
	if path := w.folder.currentView().path; path != "" {
		folders = append(folders, path)
	}
	for _, c := range w.conversations.listOpen() {
		folders = append(folders, c.folder)
	}
	return folders
}

// maxAsked is how many paths the page asks about at once.
const maxAsked = 100

// KnownFiles are files to look at, by the texts that name them.
type KnownFiles struct {
	Files []KnownFile `json:"files"`
}

// KnownFile is a file of the folder, and what was asked about.
type KnownFile struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// readKnown says which texts name files of the open folder, or of the draft that is worked in.
func (w *Window) readKnown(request *http.Request) (any, error) {
	asked := request.URL.Query()["name"]
	if len(asked) > maxAsked {
		return nil, &message.Refusal{Code: message.InvalidParams, Message: fmt.Sprintf("%d names are too many: at most %d are looked up at once", len(asked), maxAsked)}
	}
	return readFolder(w, func(folder *workspace.Folder) (any, error) {
		known := KnownFiles{Files: []KnownFile{}}
		for _, name := range asked {
			if path, ok := folder.FileAt(name); ok {
				known.Files = append(known.Files, KnownFile{name, path})
			}
		}
		return known, request.Context().Err()
	})
}

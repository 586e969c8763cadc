package desktop

import (
	"net/http"

	"fairlead/backend/workspace/names"
)

// mostNames is how many files and folders the page is offered at once.
const mostNames = 50

// NameList are files and folders of the open workspace that fit what was typed.
type NameList struct {
	Names []names.Name `json:"names"`
	// Whole is false while the workspace is looked through for the first time: the page asks again.
	Whole bool `json:"whole"`
}

// findNames finds files and folders by what is typed of their paths.
func (w *Window) findNames(request *http.Request) (any, error) {
	known := w.folder.currentView().names
	if known == nil {
		return NameList{Names: []names.Name{}, Whole: true}, nil
	}
	found, whole := known.Find(request.Context(), request.URL.Query().Get("typed"), mostNames)
	return NameList{found, whole}, nil
}

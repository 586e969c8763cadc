package desktop

import "net/http"

// Memory is what was noted about the open folder in earlier conversations.
type Memory struct {
	// Text is Markdown; empty where nothing is noted.
	Text string `json:"text"`
	// Version names exactly this text; empty where there is no file.
	Version string `json:"version"`
	// Path is the file, which lies outside the folder.
	Path string `json:"path"`
	// Bytes is the length of the text, and PromptBytes how much of it the next task begins with,
	// with a line that says so where that is not all.
	Bytes       int `json:"bytes"`
	PromptBytes int `json:"promptBytes"`
}

// readMemory reads that of the open folder.
func (w *Window) readMemory(*http.Request) (any, error) {
	folder, err := w.openFolder()
	if err != nil {
		return nil, err
	}
	kept := w.backend.Memory(folder.Path())
	notes, err := kept.Read()
	if err != nil {
		return nil, err
	}
	return Memory{
		Text: notes.Text, Version: notes.Version, Path: kept.Path(), Bytes: len(notes.Text), PromptBytes: len(notes.Prompt()),
	}, nil
}

// SaveMemory replaces what is noted about the open folder with what the user made of it; an
// empty text removes it. The version is that of the text which was edited: where others have
// changed it meanwhile, that is INVALID_STATE, and nothing is saved.
func (f *Folders) SaveMemory(text, version string) (None, error) {
	return Guard(f.window, func() (None, error) {
		folder, err := f.window.openFolder()
		if err != nil {
			return None{}, err
		}
		_, err = f.window.backend.Memory(folder.Path()).Replace(f.window.ctx, text, version)
		return None{}, err
	})
}

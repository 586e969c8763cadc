package desktop

import "fairlead/backend/settings"

// Native is what the window system does for Fairlead.
type Native interface {
	// Emit brings an event to the page. It does not wait for the page.
	Emit(name string, data any)
	// ChooseFolder asks for a folder in a native dialog that begins at start,
	// which may be "". It returns "" when the user chose none.
	ChooseFolder(title, start string) (string, error)
	// ChooseFiles asks for files in a native dialog that begins at start, which may be "". It
	// returns none when the user chose none.
	ChooseFiles(title, start string) ([]string, error)
	// ClipboardPicture returns the picture on the clipboard, nil for none or where the page can
	// take it itself.
	ClipboardPicture() ([]byte, error)
	// OpenLink opens a web address in the user's browser.
	OpenLink(url string)
	// Show brings the window to the front.
	Show()
	// Quit closes the window.
	Quit()
	// Place returns where the window is and how large.
	Place() settings.Place
}

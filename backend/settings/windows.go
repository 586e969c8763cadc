package settings

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
)

const (
	// WindowsFile is the name, inside the state folder, of the context windows that
	// models turned out to have.
	WindowsFile = "windows.json"
	// windowsVersion is the only layout of it that exists.
	windowsVersion = 1
	// maxWindows is how many models are remembered.
	maxWindows = 200
	// maxWindow is the largest context window that is believed, in tokens.
	maxWindow = 100_000_000
)

// Windows are the context windows of models, as their providers named them when a
// conversation was too long. The zero Windows knows of none.
type Windows struct {
	// learned are the newest first.
	learned []learnedWindow
}

type learnedWindow struct {
	BaseURL string `json:"baseUrl"`
	Model   string `json:"model"`
	Tokens  int    `json:"tokens"`
}

// windowsJSON is the file.
type windowsJSON struct {
	Version int             `json:"version"`
	Windows []learnedWindow `json:"windows"`
}

// learning keeps two conversations of this process from losing what the other one
// learned. What two processes lose of each other's is learned again.
var learning sync.Mutex

// Of returns how many tokens a model takes at once; 0 where that is not known.
func (w Windows) Of(baseURL, model string) int {
	for _, each := range w.learned {
		if each.BaseURL == baseURL && each.Model == model {
			return each.Tokens
		}
	}
	return 0
}

// ReadWindows reads what was learned from the state folder. A file with any fault
// gives the zero Windows and a *StateError, and is set aside, as by ReadState.
func ReadWindows(folder string) (Windows, error) {
	return readState(filepath.Join(folder, WindowsFile), parseWindows)
}

// LearnWindow keeps in the state folder that a model takes so many tokens at once.
// Where a broken file was in the way, it is learned all the same, and the
// *StateError says what became of that file.
func LearnWindow(folder, baseURL, model string, tokens int) error {
	if tokens < 1 || tokens > maxWindow {
		return fmt.Errorf("learn the context window of %s: it cannot be %d tokens", model, tokens)
	}
	learning.Lock()
	defer learning.Unlock()
	windows, fault := ReadWindows(folder)
	if windows.Of(baseURL, model) == tokens {
		return nil
	}
	learned := slices.DeleteFunc(windows.learned, func(old learnedWindow) bool {
		return old.BaseURL == baseURL && old.Model == model
	})
	learned = slices.Insert(learned, 0, learnedWindow{BaseURL: baseURL, Model: model, Tokens: tokens})
	file := windowsJSON{Version: windowsVersion, Windows: learned[:min(len(learned), maxWindows)]}
	if err := writeState(folder, WindowsFile, file); err != nil {
		return fmt.Errorf("learn the context window of %s: %w", model, err)
	}
	return fault
}

func parseWindows(content []byte) (Windows, error) {
	var file windowsJSON
	if err := json.Unmarshal(content, &file); err != nil {
		return Windows{}, err
	}
	if file.Version != windowsVersion {
		return Windows{}, fmt.Errorf("version must be %d: this Fairlead knows no other", windowsVersion)
	}
	for _, each := range file.Windows {
		if each.Tokens < 1 || each.Tokens > maxWindow {
			return Windows{}, fmt.Errorf("the context window of %q cannot be %d tokens", each.Model, each.Tokens)
		}
	}
	return Windows{learned: file.Windows[:min(len(file.Windows), maxWindows)]}, nil
}

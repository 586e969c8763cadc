package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

const (
	// StateFile is the name, inside the state folder, of what the window remembers.
	StateFile = "window.json"
	// stateVersion is the only layout of it that exists.
	stateVersion = 1
	// maxRecent is how many folders are remembered, and maxKnown of how many what they are.
	maxRecent, maxKnown = 10, 100
	// maxModes is of how many conversations it is remembered what is asked about in them.
	maxModes = 200
)

// State is what the window remembers between two starts. There is never a key in
// it. The zero State is that of a first start.
type State struct {
	// Version is the layout of the file; Write sets it.
	Version int `json:"version"`
	// Recent are the folders that were opened, the newest first, at most 10.
	Recent []string `json:"recent"`
	// Known are the folders that were opened, by what they are wherever they are moved, the
	// newest first, at most 100.
	Known []KnownFolder `json:"known,omitempty"`
	// Workspace is the folder that was open; empty when none was.
	Workspace string `json:"workspace"`
	// Session is the conversation that was shown; empty when none was.
	Session string      `json:"session"`
	Model   ModelChoice `json:"model"`
	// Favourites are the models that the user wants at hand, the newest first, at
	// most 20.
	Favourites []ModelChoice `json:"favourites"`
	// RecentModels are those that were used, the newest first, at most 8.
	RecentModels []ModelChoice `json:"recentModels,omitempty"`
	// Addresses are the base URLs of the user's own that a model was chosen at, the
	// newest first, at most 20.
	Addresses []string `json:"addresses,omitempty"`
	Window    Place    `json:"window"`
	Layout    Layout   `json:"layout"`
	// Language is en or zh-CN; empty follows the system.
	Language string `json:"language"`
	// Theme is light or dark; empty follows the system.
	Theme string `json:"theme"`
	// Modes are what is asked about in conversations, of the last 200 in which that was chosen, the
	// newest first.
	Modes []SessionMode `json:"modes,omitempty"`
	// Silent are the kinds of notices that are switched off: needs, done, failed.
	Silent []string `json:"silent,omitempty"`
	// Agreements are the decisions about what folders suggest, the newest first, at most 1,000.
	Agreements []Agreement `json:"agreements,omitempty"`
}

// KnownFolder is a folder that was opened.
type KnownFolder struct {
	Path string `json:"path"`
	// Identity names it on its file system.
	Identity string `json:"identity"`
}

// SessionMode is what is asked about in a conversation.
type SessionMode struct {
	Session string `json:"session"`
	// Approve is ask, preview, draft, writes or none.
	Approve string `json:"approve"`
}

// ModelChoice is a model that was chosen. The zero ModelChoice is none.
type ModelChoice struct {
	// Provider is the provider's name; empty for one known by its address only.
	Provider string `json:"provider"`
	BaseURL  string `json:"baseUrl"`
	Model    string `json:"model"`
	// Effort is how much it should reason, from off to max; empty leaves it
	// to the settings file.
	Effort string `json:"effort,omitempty"`
}

// Place is where the window was on the screen, in the units of the system's
// desktop. A Width or Height of 0 says that this is not known.
type Place struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised"`
}

// Layout is how the parts of the window are arranged. The zero Layout leaves that to the window.
type Layout struct {
	// Zoom is how large everything is shown, from 0.8 to 2; 0 where the user has not chosen.
	Zoom float64 `json:"zoom,omitempty"`
	// CodeSize is that of code, in CSS pixels from 10 to 20; 0 where the user has not chosen.
	CodeSize int `json:"codeSize,omitempty"`
	// Wrap says that long lines of code in answers are wrapped, and Tint that what was added and
	// removed is also told by colour.
	Wrap bool `json:"wrap,omitempty"`
	Tint bool `json:"tint,omitempty"`
	// Sidebar and Desk are open or closed; empty where the user has not chosen.
	Sidebar string `json:"sidebar,omitempty"`
	Desk    string `json:"desk,omitempty"`
	// DeskWidth is in CSS pixels; 0 where the user has not chosen.
	DeskWidth int `json:"deskWidth,omitempty"`
	// Tab is what the desk shows: review, files, processes or preview.
	Tab string `json:"tab,omitempty"`
	// File is the one that is looked at, by its path in the workspace Folder; empty for none.
	File   string `json:"file,omitempty"`
	Folder string `json:"folder,omitempty"`
}

// Check reports what of a layout cannot be.
func (l Layout) Check() error {
	shown := []string{"", "open", "closed"}
	switch {
	case l.Zoom != 0 && (l.Zoom < 0.8 || l.Zoom > 2):
		return fmt.Errorf("the zoom %v is not from 0.8 to 2", l.Zoom)
	case l.CodeSize != 0 && (l.CodeSize < 10 || l.CodeSize > 20):
		return fmt.Errorf("the size of code %d is not from 10 to 20", l.CodeSize)
	case !slices.Contains(shown, l.Sidebar) || !slices.Contains(shown, l.Desk):
		return fmt.Errorf("what is shown is neither open nor closed: %q, %q", l.Sidebar, l.Desk)
	case l.DeskWidth < 0:
		return fmt.Errorf("the width %d is negative", l.DeskWidth)
	case !slices.Contains([]string{"", "review", "files", "processes", "preview"}, l.Tab):
		return fmt.Errorf("unknown tab %q", l.Tab)
	}
	return nil
}

// StateError is a state file that could not be used.
type StateError struct {
	// Path is the file, and Aside where it was put; empty when it stayed.
	Path, Aside string
	// Reason is one line.
	Reason string
}

func (e *StateError) Error() string {
	text := fmt.Sprintf("read state %s: %s; it starts as new", e.Path, e.Reason)
	if e.Aside != "" {
		text += ", the file is kept as " + e.Aside
	}
	return text
}

// maxAddresses is how many addresses are remembered.
const maxAddresses = 20

// AgreeAddress remembers that the user wants to use a base URL.
func (s *State) AgreeAddress(baseURL string) {
	s.Addresses = slices.DeleteFunc(s.Addresses, func(known string) bool { return known == baseURL })
	s.Addresses = slices.Insert(s.Addresses, 0, baseURL)
	s.Addresses = s.Addresses[:min(len(s.Addresses), maxAddresses)]
}

// ReadState reads what the window remembers from the state folder. No file is a
// first start. A file with any fault gives the zero State and a *StateError, which
// the caller shows; it is set aside first, so that the next Write does not lose it.
func ReadState(folder string) (State, error) {
	return readState(filepath.Join(folder, StateFile), parseState)
}

// readState reads a file of the state folder, and sets it aside if it has a fault.
func readState[T any](path string, parse func([]byte) (T, error)) (T, error) {
	var none T
	content, err := readAtMost(path)
	if errors.Is(err, fs.ErrNotExist) {
		return none, nil
	}
	if err == nil {
		var state T
		if state, err = parse(content); err == nil {
			return state, nil
		}
	}
	fault := &StateError{Path: path, Reason: oneLine(err.Error())}
	if aside := path + ".broken"; os.Rename(path, aside) == nil {
		fault.Aside = aside
	}
	return none, fault
}

func parseState(content []byte) (State, error) {
	var state State
	if err := json.Unmarshal(content, &state); err != nil {
		return State{}, err
	}
	switch {
	case state.Version != stateVersion:
		return State{}, fmt.Errorf("version must be %d: this Fairlead knows no other", stateVersion)
	case !slices.Contains([]string{"", "en", "zh-CN"}, state.Language):
		return State{}, fmt.Errorf("unknown language %q", state.Language)
	case !slices.Contains([]string{"", "light", "dark"}, state.Theme):
		return State{}, fmt.Errorf("unknown theme %q", state.Theme)
	case state.Window.Width < 0 || state.Window.Height < 0:
		return State{}, errors.New("the window's size is negative")
	}
	if state.Layout.Check() != nil {
		state.Layout = Layout{} // it is not worth losing the rest
	}
	state.Recent = state.Recent[:min(len(state.Recent), maxRecent)]
	state.Known = state.Known[:min(len(state.Known), maxKnown)]
	state.Modes = state.Modes[:min(len(state.Modes), maxModes)]
	state.Favourites = state.Favourites[:min(len(state.Favourites), maxFavourites)]
	state.RecentModels = state.RecentModels[:min(len(state.RecentModels), maxRecentModels)]
	state.Agreements = state.Agreements[:min(len(state.Agreements), maxAgreements)]
	return state, nil
}

// Opened notes that a folder was opened: it is the workspace now, and the first of
// the recent ones.
func (s *State) Opened(path string) {
	s.Workspace = path
	recent := slices.DeleteFunc(slices.Clone(s.Recent), func(old string) bool { return old == path })
	recent = slices.Insert(recent, 0, path)
	s.Recent = recent[:min(len(recent), maxRecent)]
}

// Know notes what a folder is; an empty identity notes nothing.
func (s *State) Know(folder KnownFolder) {
	s.Known = slices.DeleteFunc(slices.Clone(s.Known), func(known KnownFolder) bool { return known.Path == folder.Path })
	if folder.Identity != "" {
		s.Known = slices.Insert(s.Known, 0, folder)
	}
	s.Known = s.Known[:min(len(s.Known), maxKnown)]
}

// ChooseMode notes what is asked about in a conversation.
func (s *State) ChooseMode(chosen SessionMode) {
	s.Modes = slices.DeleteFunc(slices.Clone(s.Modes), func(old SessionMode) bool { return old.Session == chosen.Session })
	s.Modes = slices.Insert(s.Modes, 0, chosen)
	s.Modes = s.Modes[:min(len(s.Modes), maxModes)]
}

// Forget notes that a folder is no longer where it was.
func (s *State) Forget(path string) {
	s.Know(KnownFolder{Path: path})
	s.Recent = slices.DeleteFunc(slices.Clone(s.Recent), func(recent string) bool { return recent == path })
}

// WhereBefore returns the other paths at which a folder was opened.
func (s *State) WhereBefore(folder KnownFolder) (paths []string) {
	for _, known := range s.Known {
		if known.Identity == folder.Identity && known.Path != folder.Path {
			paths = append(paths, known.Path)
		}
	}
	return paths
}

// Write keeps the state in the state folder, for this user only. Who reads at
// the same time finds the old state or the new one, whole.
func (s State) Write(folder string) error {
	s.Version = stateVersion
	if err := writeState(folder, StateFile, s); err != nil {
		return fmt.Errorf("write window state: %w", err)
	}
	return nil
}

// writeState puts a file of the state folder in the place of an old one.
func writeState(folder, name string, state any) error {
	content, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return err
	}
	if err := MakeFolder(folder); err != nil {
		return err
	}
	return ReplaceFile(filepath.Join(folder, name), append(content, '\n'), private)
}

// private is the mode of files for this user only.
const private fs.FileMode = 0o600

// ReplaceFile puts a new file with a mode in the place of an old one, if there is one. Who reads at
// the same time finds the old content or the new one, whole, and so it is after a power cut.
func ReplaceFile(path string, content []byte, mode fs.FileMode) (err error) {
	// CreateTemp makes its files for this user only.
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = file.Write(content)
	if err == nil && mode != private {
		err = os.Chmod(file.Name(), mode)
	}
	if err == nil {
		// Else a power cut could leave an empty file under the old name.
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

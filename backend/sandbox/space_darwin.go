package sandbox

import (
	"cmp"
	"os"
	"slices"
)

// own is what macOS adds to a System.
type own struct {
	// seatbelt says that commands are confined by it.
	seatbelt bool
}

// Space is one session's place for commands.
//
// Not verified: nothing of what this package says about macOS, Seatbelt and
// sandbox-exec(1) has been tried on a Mac. The profile language has no documentation;
// what is known of it comes from the profiles of macOS and Chromium and from reports
// of others who confine programs by it. So the level is drawn from what a confined
// command could do when it tried (Inspect), and is at most Limited.
//
// What the profile does not close: a command that is given the network reaches the
// servers of this computer, and descriptors that Fairlead itself has inherited stay
// open. The workspace has to be given by the name that its volume has for it, in upper
// and lower case; by another, nothing in it can be reached.
type Space struct {
	place Place
	own   own
	// held says that the private folders are in use.
	held *os.File
	// git is what commands get of the user's settings of git.
	git *gitCopy
}

// Open makes a session's place for commands.
func (s *System) Open(place Place) (*Space, error) {
	place = place.realPlace()
	if checkPath(place.Home) != nil {
		place.Home = ""
	}
	held, err := place.makeFolders()
	if err != nil {
		return nil, err
	}
	place.Hide = slices.Concat(place.Hide, place.withheldFiles())
	return &Space{place, s.own, held, &gitCopy{home: place.Home, folder: place.givenFolder()}}, nil
}

// gitSettings are the variables by which git finds its settings: a command sees the
// user's home itself, but not the ones there.
func (s *Space) gitSettings() []string {
	if path := s.git.copyPath(); path != "" {
		return []string{"GIT_CONFIG_GLOBAL=" + path}
	}
	return nil
}

// Arguments are the program and the arguments that run a command line confined to the
// space. It says a word on descriptor 3 as soon as it is, and is not run where it
// cannot be. Repositories are the git folders in the workspace, relative to it, whose
// hooks and settings are kept from it.
func (s *Space) Arguments(line string, network bool, repositories []string) ([]string, error) {
	if !s.own.seatbelt {
		return seatbeltCommand("", line), nil
	}
	pins, err := findPins(s.place.Workspace, repositories)
	if err != nil {
		return nil, err
	}
	text, err := newProfile(s.place, network, pins)
	if err != nil {
		return nil, err
	}
	return seatbeltCommand(text, line), nil
}

// Close deletes the private folders. The commands have ended before.
func (s *Space) Close() error { return s.place.remove(s.held) }

// homeFolders are where a command finds its home and its temporary folder. It sees the
// user's home, most of which it cannot read, and nothing of which it can change.
func (s *Space) homeFolders() (home, temporary string) {
	return cmp.Or(s.place.Home, s.place.homeFolder()), s.place.temporaryFolder()
}

//go:build !linux && !darwin

package sandbox

import (
	"context"
	"os"

	"fairlead/backend/leftover"
	"fairlead/backend/message"
)

// own is empty: nothing is used here yet.
type own struct{}

// Space is one session's place for commands.
type Space struct {
	place Place
	// held says that the private folders are in use.
	held *os.File
}

// Inspect says that commands are not confined on this system.
func Inspect(context.Context, string, *leftover.Record) *System {
	return &System{Level: message.LevelNone, Why: "this system has no means that Fairlead can use"}
}

// Open makes a session's place for commands.
func (s *System) Open(place Place) (*Space, error) {
	held, err := place.makeFolders()
	if err != nil {
		return nil, err
	}
	return &Space{place, held}, nil
}

// Close deletes the private folders.
func (s *Space) Close() error { return s.place.remove(s.held) }

// gitSettings adds nothing: a command reads the user's own.
func (s *Space) gitSettings() []string { return nil }

func (s *Space) homeFolders() (home, temporary string) {
	return s.place.Home, s.place.temporaryFolder()
}

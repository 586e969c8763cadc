// Package sandbox confines commands to the workspace, as far as the system lets it,
// and finds out by trying how far that is.
//
// A System is what was found out. A Space is one session's place for commands: the
// workspace, and private folders for temporary files, caches and a home. On Linux a
// process of its own stands between Fairlead and them (package supervisor); elsewhere
// the system's own means are used where there are any, and the level says so.
package sandbox

import (
	"path/filepath"
	"strings"

	"fairlead/backend/message"
)

// System is what this computer can do to confine a command.
type System struct {
	// Level is the promise that holds.
	Level message.Level
	// Gaps are the ways out that are left at level Limited.
	Gaps []Gap
	// Why says what is missing for level Full; empty there.
	Why string
	// Lift says what to run so that it is no longer missing, where that is known.
	Lift string

	own own
}

// Gap is something that a command can do although it is confined.
type Gap string

// The gaps that level Limited allows for.
const (
	// GapModes is changing modes, times and attributes of the user's files outside
	// the workspace.
	GapModes Gap = "modes"
	// GapSignals is sending signals to the user's other programs.
	GapSignals Gap = "signals"
	// GapGit is changing what git runs in the workspace, which is looked for when
	// the command has ended.
	GapGit Gap = "git"
	// GapServers is that a server which one command starts cannot be reached by the
	// next: this one closes something that a user may want.
	GapServers Gap = "servers"
)

// Without says what a system lacks.
type Without struct {
	Namespaces, Landlock, Seccomp bool
}

// Missing says what is missing for level Full, and what to run so that it no longer is,
// where that is known.
func (s *System) Missing() string {
	if s.Lift == "" {
		return s.Why
	}
	return s.Why + ". " + s.Lift
}

// Sentence says what keeps a command in, for the user who is asked about it.
// network says that it is to have the network.
func (s *System) Sentence(network bool) string {
	var text string
	switch s.Level {
	case message.LevelFull:
		text = "Confined: this command can change only this folder and a private temporary one, and cannot read your other files or your keys."
	case message.LevelLimited:
		text = "Partly confined: this command can write only in this folder and cannot read your keys, but it " + s.describeGaps() + "."
	default:
		text = "Not confined: this command runs with all your rights and can read your files and keys."
		if s.Level == message.LevelNone && s.Why != "" {
			text += " The reason: " + s.Why + "."
		}
		return text
	}
	if network {
		return text + " It asks for the network: what it can read, it can send anywhere."
	}
	return text + " It has no network."
}

// describeGaps are what a command can do at level Limited, in words.
func (s *System) describeGaps() string {
	words := map[Gap]string{
		GapModes:   "can change the mode and time of your other files",
		GapSignals: "can end your other programs",
		GapGit:     "can change what git runs in this folder, which is looked at afterwards",
		GapServers: "cannot start servers",
	}
	var said []string
	for _, gap := range s.Gaps {
		said = append(said, words[gap])
	}
	return strings.Join(said, ", ")
}

// Place is where a session's commands work.
type Place struct {
	// Workspace is the folder they may change: an absolute path without links.
	Workspace string
	// Private is a folder of the session, which is made if need be.
	Private string
	// Home is the user's home folder; empty where there is none.
	Home string
	// Read are further folders that they may read, and Hide those that they must not
	// see, wherever they lie.
	Read, Hide []string
	// Draft is a folder that overlay.New has made, for a place whose commands work on a copy of
	// the workspace that lasts: what they change lies there. Empty for none. Only level Full has
	// drafts.
	Draft string
	// Memory is the most that a command and all it starts may use together, in bytes; 0
	// is half of the computer's. Only Linux keeps to it.
	Memory uint64
	// ReadOnly keeps the workspace as it is.
	ReadOnly bool
	// Install are folders of programs that may be read though they may lie in one of Hide:
	// absolute paths without links.
	Install []string
}

// Temporary is the folder for temporary files.
func (p Place) temporaryFolder() string { return filepath.Join(p.Private, "tmp") }
func (p Place) homeFolder() string      { return filepath.Join(p.Private, "home") }
func (p Place) cacheFolder() string     { return filepath.Join(p.Private, "cache") }

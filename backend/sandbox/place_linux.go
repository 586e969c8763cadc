package sandbox

import (
	"slices"

	"fairlead/backend/sandbox/supervisor"
)

// placeFor is where a command runs.
func (s *Space) placeFor(network bool) supervisor.Place {
	at := supervisor.Place{
		Workspace: s.place.Workspace, ReadOnly: s.place.ReadOnly, Install: s.place.Install, Home: s.place.Home, Read: s.place.Read, Hide: s.place.Hide,
		Temporary: s.place.temporaryFolder(), OwnHome: s.place.homeFolder(), Cache: s.place.cacheFolder(),
		Draft: s.place.Draft != "", Network: network, Memory: s.place.Memory, Locks: s.locks,
	}
	if at.GitSettings = s.git.copyPath(); at.GitSettings != "" {
		at.Read = append(slices.Clip(at.Read), s.git.folder)
	}
	return at
}

// homeFolders are where a command finds its home and its temporary folder. Without a view
// of its own it sees the user's home, most of which it cannot read, and nothing of
// which it can change.
func (s *Space) homeFolders() (home, temporary string) {
	if s.locks.Namespaces {
		return s.place.Home, "/tmp"
	}
	return s.place.Home, s.place.temporaryFolder()
}

// gitSettings are the variables by which git finds its settings where a command sees the
// user's home itself.
func (s *Space) gitSettings() []string {
	path := s.git.copyPath()
	if s.locks.Namespaces || path == "" {
		return nil
	}
	return []string{"GIT_CONFIG_GLOBAL=" + path}
}

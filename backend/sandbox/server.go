package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fairlead/backend/message"
	"fairlead/backend/publicnet"
	"fairlead/backend/sandbox/relay"
	"fairlead/backend/sandbox/supervisor"
)

// Access is what a server may do with the workspace.
type Access string

const (
	// AccessNone keeps the workspace out of sight. The server starts in an empty folder of its own.
	AccessNone Access = "none"
	// AccessRead lets it read.
	AccessRead Access = "read"
	// AccessWrite lets it change what a command may change.
	AccessWrite Access = "write"
)

// ServerPlace is where one server runs, and what it was granted. No two of them share a private
// folder.
type ServerPlace struct {
	// Place has no draft: a server runs on the workspace itself.
	Place
	// Access is what it may do with the workspace.
	Access Access
	// Hosts are what it may reach, and Reach says how that is done. Only at level Full
	// that can be kept: below it a server with any host has the network, as a command that was
	// allowed it.
	Hosts []publicnet.Host
	Reach relay.Options
}

// Server is a long-running program that is talked to over its input and output.
type Server struct {
	// Program is what is run, by an absolute path, and Arguments are its arguments.
	Program   string
	Arguments []string
	// Env is its whole environment as KEY=value.
	Env []string
	// Repositories and Cover are those of a Command. Where the server has no access to the
	// workspace they say nothing.
	Repositories, Cover []string
}

// ServerSpace is the place of one server. Nothing else ever runs in it: the server has
// processes, a network and private folders that no command and no other server shares.
type ServerSpace struct {
	space *Space
	level message.Level
	// bare reports whether the workspace is not to be seen.
	bare  bool
	hosts []publicnet.Host
	reach relay.Options
}

// folderName is the name of the folder in the private one that a server without a workspace
// starts in.
const folderName = "folder"

// OpenServer makes the place of a server, which is not running yet.
func (s *System) OpenServer(p ServerPlace) (*ServerSpace, error) {
	place, bare := p.Place, false
	place.Draft = ""
	switch p.Access {
	case AccessNone:
		bare = true
		// A readable folder may be around it.
		if place.Workspace != "" {
			place.Hide = append(slices.Clip(place.Hide), place.Workspace)
		}
		place.Workspace = filepath.Join(place.Private, folderName)
	case AccessRead:
		place.ReadOnly = true
	case AccessWrite:
	default:
		return nil, fmt.Errorf("open the place of a server: %q is no access to a folder", p.Access)
	}
	hosts, err := checkHosts(p.Hosts)
	if err != nil {
		return nil, fmt.Errorf("open the place of a server: %w", err)
	}
	space, err := s.Open(place)
	if err != nil {
		return nil, err
	}
	if bare {
		if err := os.Mkdir(place.Workspace, 0o700); err != nil {
			return nil, errors.Join(fmt.Errorf("make an empty folder for a server: %w", err), space.Close())
		}
	}
	return &ServerSpace{space: space, level: s.Level, bare: bare, hosts: hosts, reach: p.Reach}, nil
}

// checkHosts returns the hosts, each once.
func checkHosts(granted []publicnet.Host) ([]publicnet.Host, error) {
	var hosts []publicnet.Host
	for _, host := range granted {
		if err := host.Check(); err != nil {
			return nil, err
		}
		if !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	if len(hosts) > supervisor.MostHosts {
		return nil, fmt.Errorf("it was granted %d hosts, and can have %d", len(hosts), supervisor.MostHosts)
	}
	return hosts, nil
}

// Folder is where the server starts.
func (s *ServerSpace) Folder() string { return s.space.place.Workspace }

// Level is what the system promises of its confinement.
func (s *ServerSpace) Level() message.Level { return s.level }

// Environment adds to a server's variables where its private folders are.
func (s *ServerSpace) Environment(variables []string) []string { return s.space.Environment(variables) }

// Close ends the server and all that it has started, waits for their end and deletes the private
// folders.
func (s *ServerSpace) Close() error { return s.space.Close() }

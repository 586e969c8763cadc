package mcp

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// Options are what the servers of a workspace need.
type Options struct {
	// Starter starts them.
	Starter Starter
	// Elicitor asks the user for what they want to know; nil where nobody can be asked.
	Elicitor Elicitor
	// Version is that of Fairlead, which servers are told.
	Version string
	// Changed is told that the status of a server is another one; nil for nobody. It may be called
	// from several goroutines, and must not wait for Close.
	Changed func(name string)
}

// Entry is a server that the user has added to a workspace.
type Entry struct {
	Definition Definition
	Grant      Grant
	// Pin is what the user has agreed to of its tools; nil for nothing yet.
	Pin *Pin
}

// Servers are those of one workspace. They are safe for concurrent use.
type Servers struct {
	options Options
	mu      sync.Mutex
	named   map[string]*Server
	closed  bool
}

// NewServers returns no servers yet.
func NewServers(o Options) *Servers { return &Servers{options: o, named: map[string]*Server{}} }

// Put adds a server, without starting it, or puts it in the place of the one of the same name,
// which is closed. One that is the same already stays as it is. The error is why it cannot be used.
func (s *Servers) Put(e Entry) error {
	if err := cmp.Or(e.Definition.Check(), e.Grant.Check(e.Definition)); err != nil {
		return err
	}
	name := e.Definition.Name
	s.mu.Lock()
	old := s.named[name]
	if s.closed || old != nil && old.definition.Hash() == e.Definition.Hash() && old.grant.Hash() == e.Grant.Hash() {
		s.mu.Unlock()
		return nil
	}
	s.named[name] = newServer(e, sessionOptions{
		starter: s.options.Starter, elicitor: s.options.Elicitor, version: s.options.Version,
	}, func() {
		if s.options.Changed != nil {
			s.options.Changed(name)
		}
	})
	s.mu.Unlock()
	if old != nil {
		old.Close()
	}
	return nil
}

// Remove closes a server and forgets it.
func (s *Servers) Remove(name string) {
	s.mu.Lock()
	old := s.named[name]
	delete(s.named, name)
	s.mu.Unlock()
	if old != nil {
		old.Close()
	}
}

// Server returns the server of a name; nil where there is none.
func (s *Servers) Server(name string) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.named[name]
}

// States are those of all servers, sorted by name.
func (s *Servers) States() []Status {
	var states []Status
	for _, server := range s.all() {
		states = append(states, server.Status())
	}
	return states
}

// all are the servers, sorted by name.
func (s *Servers) all() []*Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*Server
	for _, name := range slices.Sorted(maps.Keys(s.named)) {
		all = append(all, s.named[name])
	}
	return all
}

// Close ends all servers, side by side. None can be added afterwards.
func (s *Servers) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	var closing sync.WaitGroup
	for _, server := range s.all() {
		closing.Go(server.Close)
	}
	closing.Wait()
}

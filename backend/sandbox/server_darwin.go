package sandbox

import "path/filepath"

// Arguments are the program and the arguments that run the server confined to its place, as
// those of a Space run a command line.
func (s *ServerSpace) Arguments(c Server) ([]string, error) {
	if !s.space.own.seatbelt {
		return seatbeltServer("", c.Program, c.Arguments), nil
	}
	place := s.space.place
	var pins []pin
	if !s.bare {
		for _, name := range c.Cover {
			place.Hide = append(place.Hide, filepath.Join(place.Workspace, filepath.FromSlash(name)))
		}
		var err error
		if pins, err = findPins(place.Workspace, c.Repositories); err != nil {
			return nil, err
		}
	}
	text, err := newProfile(place, len(s.hosts) > 0, pins)
	if err != nil {
		return nil, err
	}
	return seatbeltServer(text, c.Program, c.Arguments), nil
}

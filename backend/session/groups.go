package session

import (
	"context"
	"slices"
)

// GroupsOff are the sets of tools that are switched off.
func (s *Session) GroupsOff() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.saved.GroupsOff
}

// SwitchGroup switches a set of tools on or off, for the runs that follow (SPEC GRP-01).
func (s *Session) SwitchGroup(ctx context.Context, name string, on bool) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	off := Switched(s.GroupsOff(), name, on)
	if s.isKept() {
		if err := s.config.Store.SetGroupsOff(ctx, s.ID, off); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saved.GroupsOff = off
	return nil
}

// Switched returns the sets of tools that are off after one was switched.
func Switched(off []string, name string, on bool) []string {
	off = slices.DeleteFunc(slices.Clone(off), func(other string) bool { return other == name })
	if !on {
		off = append(off, name)
	}
	return off
}

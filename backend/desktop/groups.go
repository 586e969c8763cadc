package desktop

import (
	"context"
	"slices"

	"fairlead/backend"
)

// ToolGroup is a set of tools that is switched on and off together.
type ToolGroup struct {
	Name  string   `json:"name"`
	Tools []string `json:"tools"`
	On    bool     `json:"on"`
}

// SetGroup switches a set of tools on or off in a conversation, from its next run on;
// an empty id means the one that begins next.
func (s *Sessions) SetGroup(sessionID, name string, on bool) (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		w.turn.Lock()
		defer w.turn.Unlock()
		off, err := w.groupsOff(w.ctx, sessionID)
		if err != nil {
			return None{}, err
		}
		off = slices.DeleteFunc(slices.Clone(off), func(other string) bool { return other == name })
		if !on {
			off = append(off, name)
		}
		w.mu.Lock()
		t := w.talks[sessionID]
		w.mu.Unlock()
		switch {
		case t != nil:
			err = t.conversation.SetGroups(w.ctx, off)
		case sessionID != "":
			err = w.backend.Sessions.SetGroupsOff(w.ctx, sessionID, off)
		default:
			w.mu.Lock()
			w.off = off
			w.mu.Unlock()
		}
		w.changed()
		return None{}, err
	})
}

// groupsOff are the sets of tools that are switched off in a conversation.
func (w *Window) groupsOff(ctx context.Context, id string) ([]string, error) {
	w.mu.Lock()
	t, off := w.talks[id], w.off
	w.mu.Unlock()
	switch {
	case t != nil:
		return t.conversation.GroupsOff(), nil
	case id == "":
		return off, nil
	}
	saved, err := w.backend.Sessions.Find(ctx, id, "")
	return saved.GroupsOff, err
}

// groups are all sets of tools, as they are switched.
func groups(off []string) []ToolGroup {
	all := []ToolGroup{}
	known, err := backend.ToolGroups()
	if err != nil { // a fault of the program, which its tests find
		return all
	}
	for _, group := range known {
		all = append(all, ToolGroup{Name: group.Name, Tools: group.Tools, On: !slices.Contains(off, group.Name)})
	}
	return all
}

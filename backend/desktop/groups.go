package desktop

import (
	"context"
	"slices"

	"fairlead/backend"
	"fairlead/backend/session"
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
		defer s.window.stateChanged()
		return None{}, s.window.switchGroup(sessionID, name, on)
	})
}

func (w *Window) switchGroup(id, name string, on bool) error {
	if id == "" {
		w.conversations.switchGroup(name, on)
		return nil
	}
	if c := w.conversations.useOrReserve(id); c != nil {
		defer w.endUse(c, false)
		return c.SwitchGroup(w.ctx, name, on)
	}
	defer w.conversations.endReservation(id, nil) // nobody opens it meanwhile
	saved, err := w.backend.Sessions.Find(w.ctx, id, "")
	if err != nil {
		return err
	}
	return w.backend.Sessions.SetGroupsOff(w.ctx, id, session.Switched(saved.GroupsOff, name, on))
}

// groupsOff are the sets of tools that are switched off in a conversation.
func (w *Window) groupsOff(ctx context.Context, id string) ([]string, error) {
	if id == "" {
		_, off := w.conversations.nextOptions()
		return off, nil
	}
	if c := w.conversations.find(id); c != nil {
		return c.GroupsOff(), nil
	}
	saved, err := w.backend.Sessions.Find(ctx, id, "")
	return saved.GroupsOff, err
}

// toolGroups returns all sets of tools, as they are switched.
func (w *Window) toolGroups(off []string) []ToolGroup {
	all := []ToolGroup{}
	known, err := backend.ToolGroups(w.usesMemory())
	if err != nil { // a fault of the program, which its tests find
		return all
	}
	for _, group := range known {
		all = append(all, ToolGroup{Name: group.Name, Tools: group.Tools, On: !slices.Contains(off, group.Name)})
	}
	return all
}

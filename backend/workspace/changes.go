package workspace

import (
	"fairlead/backend/change"
	"fairlead/backend/message"
)

// ChangesOf are the changes of a set as results have them.
func ChangesOf(set *change.Set) []message.Change {
	var all []message.Change
	for _, c := range set.Changes {
		one := ChangeOf(c)
		if set.Draft == "" { // what was changed in a draft is reviewed as a whole
			one.SetID = set.ID
		}
		all = append(all, one)
	}
	return all
}

// ChangeOf is a change as results have it.
func ChangeOf(c change.Change) message.Change {
	return message.Change{
		Path: Shown(string(c.Path)), Kind: KindOf(c), Op: string(c.Op), Added: c.Added, Removed: c.Removed,
		From: Shown(string(c.From)), To: Shown(string(c.To)),
	}
}

// KindOf is in one word what became of a path.
func KindOf(c change.Change) string {
	switch {
	case c.Before.Kind == change.None:
		return "created"
	case c.After.Kind == change.None:
		return "deleted"
	}
	return "modified"
}

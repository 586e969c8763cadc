package workspace

import (
	"fairlead/backend/change"
	"fairlead/backend/message"
)

// diffBytes is how long all diffs of one question are together at most.
const diffBytes = 256 << 10

// ShowPending shows changes that a command has made in a copy of the folder, those of which
// shown reports so, with why some are held, and counts the lines of all.
func ShowPending(
	r *change.Recorder, p *change.Pending, held map[int]message.Held, shown func(index int) bool,
) (rows []message.PendingChange, added, removed int) {
	left := diffBytes
	for i, c := range p.Changes {
		if !shown(i) {
			continue
		}
		row := message.PendingChange{
			Path: Shown(string(c.Path)), Kind: KindOf(c), Op: string(c.Op), From: Shown(string(c.From)), To: Shown(string(c.To)),
			Size: c.After.Size, Target: Shown(string(c.After.Target)),
			Unit: Shown(string(p.UnitAt(i))),
		}
		if c.Before.Kind == c.After.Kind && c.Before.Mode != c.After.Mode {
			row.Mode = c.After.Mode.String()
		}
		if why, ok := held[i]; ok {
			row.Held = &why
		}
		if c.From == "" && c.To == "" && c.Op != change.Mode && left > 0 {
			before, after, ok, err := r.PendingTexts(p, i)
			if ok && err == nil { // what cannot be read has no diff
				var diff string
				diff, row.Added, row.Removed = change.UnifiedDiff(sideOf(c.Before, string(c.Path)), sideOf(c.After, string(c.Path)), before, after)
				if len(diff) <= left {
					row.Diff, left = diff, left-len(diff)
					row.Hunks = p.HasHunks(i)
				}
			}
		}
		added, removed = added+row.Added, removed+row.Removed
		rows = append(rows, row)
	}
	return rows, added, removed
}

// sideOf is the path of one side of a diff; empty where nothing is there.
func sideOf(s change.State, path string) string {
	if s.Kind == change.None {
		return ""
	}
	return path
}

// CollisionsOf says of changes, by their index, which are held because they do not fit the
// folder.
func CollisionsOf(p *change.Pending) map[int]message.Held {
	held := map[int]message.Held{}
	for i, collision := range p.Collisions {
		held[i] = message.Held{Code: map[change.Collision]message.HeldCode{
			change.CollisionMeanwhile: message.HeldMeanwhile, change.CollisionMerged: message.HeldMerged, change.CollisionOpen: message.HeldOpen,
		}[collision]}
	}
	return held
}

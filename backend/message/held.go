package message

import (
	"fmt"
	"slices"
	"strings"
)

// PendingChange is one path that a call has changed in a copy of the folder.
type PendingChange struct {
	// Path is relative to the workspace, with slashes.
	Path string `json:"path"`
	// Kind is in one word what becomes of it: created, modified, deleted.
	Kind string `json:"kind"`
	// Op is the operation, as in Change.
	Op string `json:"op,omitempty"`
	// From is the path that it was moved from, and To the one that it was moved to.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Diff is the unified diff of a text, empty for others and where it is too long; Added and
	// Removed count its lines.
	Diff    string `json:"diff,omitempty"`
	Added   int    `json:"added,omitempty"`
	Removed int    `json:"removed,omitempty"`
	// Hunks reports whether hunks of the diff can be left out.
	Hunks bool `json:"hunks,omitempty"`
	// Size is that of the file afterwards, in bytes, and Target where a link leads then.
	Size   int64  `json:"size,omitempty"`
	Target string `json:"target,omitempty"`
	// Mode is what its mode becomes, as ls shows it; empty where it stays.
	Mode string `json:"mode,omitempty"`
	// Unit is the repository or the database that it is part of, and with which it is applied as a
	// whole or not at all; empty for none.
	Unit string `json:"unit,omitempty"`
	// Held is why it is not applied without being asked about, in any mode; nil where it is.
	Held *Held `json:"held,omitempty"`
}

// Chosen is what is applied of the changes of a call: all for the zero value.
type Chosen struct {
	// Paths are those that are applied; nil for all.
	Paths []string
	// WithoutHunks has, by path, the headers of the hunks that are left out of its text.
	WithoutHunks map[string][]string
}

// Check fails with a *Refusal where what is chosen is not part of what was shown.
func (c Chosen) Check(shown []PendingChange) error {
	refuse := func(what, path string) error {
		return &Refusal{Code: InvalidParams, Message: fmt.Sprintf("the question shows no %s of %q", what, path)}
	}
	rows := map[string]PendingChange{}
	for _, row := range shown {
		rows[row.Path] = row
	}
	for _, path := range c.Paths {
		if _, ok := rows[path]; !ok {
			return refuse("change", path)
		}
	}
	for path, headers := range c.WithoutHunks {
		row := rows[path]
		for _, header := range headers {
			if !row.Hunks || header == "" || !strings.Contains(row.Diff, "\n"+header+"\n") {
				return refuse("part "+header, path)
			}
		}
	}
	return nil
}

// HasHeld reports whether any of the changes is held.
func (p Preview) HasHeld() bool {
	return slices.ContainsFunc(p.Changes, func(c PendingChange) bool { return c.Held != nil })
}

// HeldCode is why a change is held (SPEC PRE-04). The list is closed.
type HeldCode string

// The reasons.
const (
	// HeldAutorun is what other programs run by themselves: Autorun says which.
	HeldAutorun HeldCode = "autorun"
	// HeldRepository is a repository that was not there.
	HeldRepository HeldCode = "repository"
	// HeldSetID is a file that runs with the rights of its owner or group.
	HeldSetID HeldCode = "set_id"
	// HeldOutside is a link that leads out of the folder.
	HeldOutside HeldCode = "outside"
	// HeldDeletions is one of many files that are deleted at once.
	HeldDeletions HeldCode = "deletions"
	// HeldMeanwhile is a path that somebody else has changed since the command began.
	HeldMeanwhile HeldCode = "meanwhile"
	// HeldMerged is a text that somebody else has changed too, in other places: what is applied is
	// both together.
	HeldMerged HeldCode = "merged"
	// HeldOpen is a file that another program has open for writing.
	HeldOpen HeldCode = "open"
)

// Held is why a change is not applied without being asked about.
type Held struct {
	Code    HeldCode `json:"code"`
	Autorun Autorun  `json:"autorun,omitempty"`
}

// String is the reason in English, for the terminal, the model and the log.
func (h Held) String() string {
	switch h.Code {
	case HeldAutorun:
		return "other programs run by themselves what it says (" + string(h.Autorun) + ")"
	case HeldRepository:
		return "it is part of a new repository"
	case HeldSetID:
		return "it runs with the rights of its owner or group"
	case HeldOutside:
		return "it leads out of the folder"
	case HeldDeletions:
		return "many files are deleted at once"
	case HeldMeanwhile:
		return "it was changed meanwhile"
	case HeldMerged:
		return "it was changed meanwhile, in other places; what is applied is both together"
	case HeldOpen:
		return "another program has it open for writing"
	}
	return string(h.Code)
}

package message

import "strings"

// Undo is how far what a call changes can be taken back. It is told before the call runs
// (SPEC CHG-03).
type Undo struct {
	Quality UndoQuality `json:"quality"`
	// Lost are files that could not be brought back if a command changed or deleted them,
	// the largest first, and More counts those that are not named.
	Lost []string `json:"lost,omitempty"`
	More int      `json:"more,omitempty"`
	// Frees reports whether what is kept of the oldest changes is deleted to make space for
	// what is kept of this one.
	Frees bool `json:"frees,omitempty"`
}

// UndoQuality is how what changes is recorded. The list is closed.
type UndoQuality string

// The qualities.
const (
	// UndoExact is that what the call changes is recorded, and nothing else.
	UndoExact UndoQuality = "exact"
	// UndoCompared is that the folder is looked at before and after: what others change
	// meanwhile is recorded too.
	UndoCompared UndoQuality = "compared"
	// UndoNone is that nothing is recorded.
	UndoNone UndoQuality = "none"
)

// Sentence describes in English what cannot be taken back; empty where all can.
func (u *Undo) Sentence() string {
	if u == nil {
		return ""
	}
	if u.Quality == UndoNone {
		return "What this command changes cannot be undone."
	}
	var sentences []string
	if len(u.Lost) > 0 {
		sentences = append(sentences, "These cannot be kept, so that a change of them cannot be undone: "+joinPaths(u.Lost, u.More)+".")
	}
	if u.Frees {
		sentences = append(sentences, "To keep what this changes, what is kept of the oldest changes is deleted: these can no longer be undone.")
	}
	return strings.Join(sentences, " ")
}

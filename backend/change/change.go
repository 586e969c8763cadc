// Package change records what the calls of a conversation change in its folder, and takes
// it back. What one call changed is a set: it names each path with what was there before
// and after, and what was there before is kept in the data folder, mostly by moving it
// there instead of copying it. Nothing of it needs git.
//
// A set is saved before anything is changed, so that after a crash or a power cut each of
// its changes is known to be made, or not (SPEC CHG-02). Undo and redo are sets too.
package change

import (
	"context"
	"io/fs"
	"slices"
	"time"

	"fairlead/backend/leftover"
)

// Op is what was done to a path (SPEC CHG-01).
type Op string

// The operations.
const (
	Create       Op = "create"
	Modify       Op = "modify"
	Delete       Op = "delete"
	MakeFolder   Op = "mkdir"
	RemoveFolder Op = "rmdir"
	Symlink      Op = "symlink"
	// Mode is a change of what belongs to a file or folder beside its content: mode,
	// owner, extended attributes, time.
	Mode Op = "mode"
)

// opOf is the operation that leads from one state to another.
func opOf(before, after State) Op {
	switch {
	case after.Kind == None && before.Kind == Folder:
		return RemoveFolder
	case after.Kind == None:
		return Delete
	case after.Kind == Link:
		return Symlink
	case after.Kind == Folder && before.Kind != Folder:
		return MakeFolder
	case before.Kind == None:
		return Create
	case before.Kind == after.Kind && (after.Kind == Folder || after.sameContent(before)):
		return Mode
	}
	return Modify
}

// Change is one path that a set changed.
type Change struct {
	// Path is relative to the folder, with slashes. It need not be UTF-8.
	Path leftover.Path `json:"path"`
	Op   Op            `json:"op"`
	// Before and After are what lay there.
	Before State `json:"before"`
	After  State `json:"after"`
	// From is the path that it was moved from, and To the one that it was moved to, in
	// the same set; empty for what was not moved.
	From leftover.Path `json:"from,omitempty"`
	To   leftover.Path `json:"to,omitempty"`
	// Same is another name of the same file, which came or stayed with it: it is linked to
	// that again where it can be.
	Same leftover.Path `json:"same,omitempty"`
	// Kept names the object that holds what was there before; empty where nothing was, and
	// where Lost says why it is not kept.
	Kept string `json:"kept,omitempty"`
	Lost Loss   `json:"lost,omitempty"`
	// Below reports, in a set of a draft, whether the folder has what was there before.
	Below bool `json:"below,omitempty"`
	// Spare names a copy of the same, of a file that others could still write to when it was
	// moved; empty for others.
	Spare string `json:"spare,omitempty"`
	// Copy names the object that has a copy of what was there after, of a text that is not
	// too long: it is shown, and merged with what others have made of it. CopyAt is where in
	// the object it is, which has those of all of a set; the zero value is all of it.
	Copy   string `json:"copy,omitempty"`
	CopyAt piece  `json:"copyAt,omitzero"`
	// Undone reports whether it was taken back, and not made again since.
	Undone bool `json:"undone,omitempty"`
	// Added and Removed count lines, where both states are texts.
	Added   int `json:"added,omitempty"`
	Removed int `json:"removed,omitempty"`
}

// isLinked reports whether Same is a name of what is there after, and not of what was before.
func (c Change) isLinked() bool {
	return c.Before.Kind == None || c.After.Links > 1 && (c.Before.Kind != File || c.Before.Links < 2)
}

// IsOnlyTime reports whether nothing is changed but when a file was last changed.
func (c Change) IsOnlyTime() bool { return c.Op == Mode && c.Before.Kind == File && c.keepsRest() }

// keepsRest reports whether what belongs to a path beside its content and its time is the same.
func (c Change) keepsRest() bool { return c.Before.sameRest(withTime(c.After, c.Before.Modified)) }

// objects are the names of those that the change has.
func (c Change) objects() []string {
	return slices.DeleteFunc([]string{c.Kept, c.Spare, c.Copy}, func(name string) bool { return name == "" })
}

// namedBy returns the names of all objects that sets have.
func namedBy(sets ...Set) map[string]bool {
	named := map[string]bool{}
	for _, set := range sets {
		for i := range set.Changes {
			for _, name := range set.Changes[i].objects() {
				named[name] = true
			}
		}
	}
	return named
}

// Loss is why what was at a path before is not kept.
type Loss string

// The losses.
const (
	// LossLarge is content that is too large to be copied.
	LossLarge Loss = "large"
	// LossUnreadable is content that could not be read.
	LossUnreadable Loss = "unreadable"
	// LossSpecial is what is neither file, folder nor link.
	LossSpecial Loss = "special"
	// LossBelow is content of the folder below a draft that somebody else has changed since.
	LossBelow Loss = "below"
	// LossFreed is content that was kept, until its space was needed.
	LossFreed Loss = "freed"
)

// Source is what made a set.
type Source string

// The sources.
const (
	ByTool    Source = "tool"
	ByCommand Source = "command"
	ByUndo    Source = "undo"
	ByRedo    Source = "redo"
	// ByHunks is the user, who took hunks of a change back, or made them again.
	ByHunks Source = "hunks"
	// ByChoice is the user, who wanted both of a conflict.
	ByChoice Source = "choice"
)

// Set is what one call, or one undo, changed in the folder.
type Set struct {
	ID string `json:"-"`
	// SessionID is the conversation, RunID the run and CallID the call.
	SessionID string `json:"-"`
	RunID     string `json:"-"`
	CallID    string `json:"-"`
	// Made is when it was begun.
	Made time.Time `json:"-"`
	// Open reports whether it is still unknown which of its changes were made.
	Open   bool   `json:"-"`
	Source Source `json:"source"`
	// Of is the set that an undo takes back or a redo makes again; empty for others.
	Of string `json:"of,omitempty"`
	// Undos are the undos that a redo takes back.
	Undos []string `json:"undos,omitempty"`
	// Hunks are those that were taken back of a change once the set was made; nil for sets of
	// other sources.
	Hunks *HunkChoice `json:"hunks,omitempty"`
	// Layer names the layer that it was applied from: it has what a command did, and nothing
	// else; empty for others.
	Layer string `json:"layer,omitempty"`
	// Draft is the one in which it was made; empty for a set of the folder itself.
	Draft string `json:"draft,omitempty"`
	// Others are the calls that ran at the same time, and may have made some of it.
	Others  []string `json:"others,omitempty"`
	Changes []Change `json:"changes"`
	// Times are those of the folders that its changes lie in.
	Times []FolderTime `json:"times,omitempty"`
	// Units are the repositories and databases that it changed.
	Units []Unit `json:"units,omitempty"`
}

// MayBeOthers reports whether others may have made some of the set: it is what changed while a command
// ran, in the folder itself.
func (s *Set) MayBeOthers() bool { return s.Source == ByCommand && s.Layer == "" && s.Draft == "" }

// HunkChoice names hunks of what a run changed at a path.
type HunkChoice struct {
	// Set and Index are the first change of a row of the review.
	Set   string `json:"set"`
	Index int    `json:"index"`
	// Headers are those of the hunks.
	Headers []string `json:"headers"`
}

// FolderTime is when the entries of a folder changed, in nanoseconds since 1970.
type FolderTime struct {
	Path   leftover.Path `json:"path"`
	Before int64         `json:"before"`
	After  int64         `json:"after"`
	// Closed is the mode of a folder that its owner may not change, with fs.ModeDir, where it
	// is opened while something in it is changed: it is given back then. 0 is that of others.
	Closed fs.FileMode `json:"closed,omitempty"`
}

// Journal keeps sets.
type Journal interface {
	// SaveSets adds sets, or replaces those of their ids, all or none of them; when it is
	// firm, they survive a power cut from then on.
	SaveSets(ctx context.Context, firm bool, sets ...Set) error
	// DeleteSet deletes a set that changed nothing.
	DeleteSet(ctx context.Context, id string) error
	// Sets returns the sets of a conversation in the order in which they were begun.
	Sets(ctx context.Context, sessionID string) ([]Set, error)
}

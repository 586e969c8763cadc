package autorun

// Code is what a Notice is about.
type Code string

// The codes.
const (
	// CodeNew is a file that programs act on and that was not there before.
	CodeNew Code = "autorun_new"
	// CodeChanged is one that is not as it was.
	CodeChanged Code = "autorun_changed"
	// CodeMore is a number of further ones of a kind, which are not named.
	CodeMore Code = "autorun_more"
	// CodeIncomplete is a look that was cut short.
	CodeIncomplete Code = "autorun_incomplete"
	// CodeNotPinned is a file that commands could change while they ran.
	CodeNotPinned Code = "autorun_not_pinned"
	// CodePinned is a file that a command tried to change, and could not.
	CodePinned Code = "autorun_pinned"
)

// Gap is why a look is incomplete.
type Gap string

// The gaps.
const (
	// GapEntries is a folder with more entries than are looked at.
	GapEntries Gap = "entries"
	// GapTime is that the time for the look was over.
	GapTime Gap = "time"
	// GapUnreadable is a folder that cannot be read.
	GapUnreadable Gap = "unreadable"
	// GapSettings is a settings file of git that cannot be read, or includes too many.
	GapSettings Gap = "settings"
)

// Notice is one thing that the user should know of files that programs act on by
// themselves.
type Notice struct {
	Code Code `json:"code"`
	// Kind is which programs act on the file; empty where that is not known.
	Kind Kind `json:"kind,omitempty"`
	// Path is relative to the workspace, with slashes; absolute for a settings file of
	// git that lies outside.
	Path string `json:"path,omitempty"`
	// Count is how many more there are.
	Count int `json:"count,omitempty"`
	// Gap is why a look is incomplete.
	Gap Gap `json:"gap,omitempty"`
}

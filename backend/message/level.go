package message

// Level says how far the system confines a command to the workspace (SPEC SEC-02).
// It is found by tests when the program starts, never assumed.
type Level string

// The levels.
const (
	// LevelFull is a command that writes only in the workspace and in a temporary
	// folder of its own, reads no secret of the user, and has no network unless
	// that was allowed for it.
	LevelFull Level = "full"
	// LevelLimited is a command that is confined but for gaps that are named.
	LevelLimited Level = "limited"
	// LevelNone is a command that runs with all the user's rights.
	LevelNone Level = "none"
)

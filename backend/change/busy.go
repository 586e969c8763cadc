package change

import "strings"

// InUseError means that another program holds a file open, so that the system lets nobody
// replace, move or delete it.
type InUseError struct {
	// Programs are those that hold it, as far as the system tells.
	Programs []string
}

func (e *InUseError) Error() string {
	by := "another program"
	if len(e.Programs) > 0 {
		by = strings.Join(e.Programs, ", ")
	}
	return "it is open in " + by + ": close it there and try again"
}

package sandbox

import "fmt"

// Command is a command line to confine.
type Command struct {
	// Line is what sh -c is given.
	Line string
	// Dir is the folder it starts in.
	Dir string
	// Env is its whole environment as KEY=value.
	Env []string
	// Network says that the person allowed the network for it.
	Network bool
	// Repositories are the git folders in the workspace, relative to it, whose hooks
	// and settings are kept from it.
	Repositories []string
}

// SetUpError says that a command could not be confined, and so was not run.
type SetUpError struct {
	// Err is what went wrong.
	Err error
}

func (e *SetUpError) Error() string {
	return fmt.Sprintf("the command could not be confined and was not run: %v", e.Err)
}

func (e *SetUpError) Unwrap() error { return e.Err }

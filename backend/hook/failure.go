package hook

import "fmt"

// FailedError is a hook that failed where it may alter something.
type FailedError struct {
	// Hook is its name, and Point the function that failed.
	Hook  string
	Point string
	// Err is what it failed with.
	Err error
}

func (e *FailedError) Error() string {
	return fmt.Sprintf("hook %q failed in %s: %v", e.Hook, e.Point, e.Err)
}

// Unwrap returns what the hook failed with.
func (e *FailedError) Unwrap() error { return e.Err }

// Refused is what PreActing returns to refuse a call. It is not a failure.
type Refused struct {
	// Hook is the name of the hook; the chain sets it.
	Hook string
	// Reason is for the model and the user.
	Reason string
}

func (e *Refused) Error() string {
	return fmt.Sprintf("hook %q refused the call: %s", e.Hook, e.Reason)
}

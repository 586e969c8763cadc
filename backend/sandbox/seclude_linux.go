package sandbox

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Seclude closes this process to the user's other programs: none can read its
// environment or its memory, where keys are, or trace it, and there is no dump of it.
func Seclude() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("close the process to others: %w", err)
	}
	return nil
}

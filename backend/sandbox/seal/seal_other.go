//go:build !linux

package seal

import "errors"

// Process fails where the system has nothing to seal a process with.
func Process(Bounds) error { return errors.ErrUnsupported }

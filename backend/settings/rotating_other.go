//go:build !windows

package settings

import "os"

// openEnd opens a file to be written at its end, or makes it.
func openEnd(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

//go:build !linux

package leftover

import "os"

// syncContent makes the content of a file survive a power cut.
func syncContent(file *os.File) error { return file.Sync() }

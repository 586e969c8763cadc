//go:build unix && !race

package document_test

import "syscall"

// isThere reports whether a process is there.
func isThere(id int) bool { return syscall.Kill(id, 0) == nil }

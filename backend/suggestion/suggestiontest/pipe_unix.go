//go:build unix

package suggestiontest

import "syscall"

func makePipe(path string) error {
	const mode = 0o600
	return syscall.Mkfifo(path, mode)
}

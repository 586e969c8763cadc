//go:build unix

package cli

import (
	"os"
	"syscall"
)

// startProgram makes this process be the program. It returns only when that fails.
func startProgram(program string) error {
	return syscall.Exec(program, []string{program}, os.Environ())
}

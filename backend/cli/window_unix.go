//go:build unix

package cli

import (
	"os"
	"syscall"
)

// become makes this process be the program. It returns only when that fails.
func become(program string) error {
	return syscall.Exec(program, []string{program}, os.Environ())
}

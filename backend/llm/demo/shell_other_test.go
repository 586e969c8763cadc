//go:build !windows

package demo_test

import "os/exec"

// shellOf is the system's shell with a command.
func shellOf(line string) *exec.Cmd { return exec.Command("sh", "-c", line) }

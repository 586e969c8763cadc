//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
)

// lackingPrograms are those that the commands of tests want and the system does not have.
func lackingPrograms() map[string]func() { return nil }

// runningWith returns the command lines of the processes whose environment holds text.
func runningWith(text string) (found []string) {
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		if environment, err := os.ReadFile(path); err == nil && bytes.Contains(environment, []byte(text)) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			found = append(found, string(line))
		}
	}
	return found
}

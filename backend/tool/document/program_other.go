//go:build !linux

package document

import (
	"os"
	"os/exec"

	"fairlead/backend/tool/document/exchange"
)

// mustBeSealed is not asked for: only on Linux can the reader give up everything else.
const mustBeSealed = false

// readerCommand is the command of the program that reads documents, which is this one.
func readerCommand(arguments []string) (*exec.Cmd, error) {
	if !own.Load() {
		return nil, errNoProgram
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.Command(path, append([]string{exchange.Verb}, arguments...)...), nil
}

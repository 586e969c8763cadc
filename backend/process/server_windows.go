package process

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fairlead/backend/sandbox"

	"golang.org/x/sys/windows"
)

// errScript reports that a server is no script of cmd.exe, which would read its arguments by rules
// of its own.
var errScript = errors.New("a server cannot be a .bat or .cmd file; name the program that it starts")

// startServerTree starts a server in a job, which is all that there is here. Not verified.
func startServerTree(space *sandbox.ServerSpace, c sandbox.Server, streams [3]*os.File) (tree, error) {
	if slices.Contains([]string{".bat", ".cmd"}, strings.ToLower(filepath.Ext(c.Program))) {
		return nil, errScript
	}
	dir, err := startFolder(space.Folder())
	if err != nil {
		return nil, err
	}
	line := windows.ComposeCommandLine(append([]string{c.Program}, c.Arguments...))
	return startTree(started{program: c.Program, line: line, dir: dir, env: c.Env, streams: streams})
}

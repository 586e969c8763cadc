package install

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"fairlead/backend/process"
	"fairlead/backend/sandbox"
)

// Command is a command of a package manager.
type Command struct {
	// Argv is the program, as an absolute path, and its arguments.
	Argv []string
	// Dir is the folder it starts in, and Write the one folder it may write to, in which Dir
	// lies. Both are absolute paths.
	Dir, Write string
	// Network reports whether it may use the network.
	Network bool
}

// Runner runs a command to its end, confined, and returns what it wrote to standard output
// and standard error, shortened where that is long. An error says that it failed or could not be
// run; the output is what it wrote until then.
type Runner func(ctx context.Context, c Command) (output string, err error)

// Confined runs commands of package managers as those of a model are run: what they may write is their
// workspace.
type Confined struct {
	// System confines them.
	System *sandbox.System
	// Place is what they may see. Its workspace is that of each command, and below its private
	// folder each gets one of its own.
	Place sandbox.Place
}

// Run is a Runner.
func (r Confined) Run(ctx context.Context, c Command) (output string, err error) {
	line, err := commandLine(c.Argv, runtime.GOOS == "windows")
	if err != nil {
		return "", err
	}
	place := r.Place
	if place.Workspace, err = filepath.EvalSymlinks(c.Write); err != nil {
		return "", fmt.Errorf("find the folder of the install: %w", err)
	}
	dir, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		return "", fmt.Errorf("find the folder of the install: %w", err)
	}
	place.Private = filepath.Join(place.Private, "install-"+rand.Text())
	space, err := r.System.Open(place)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, space.Close()) }()
	exit, err := process.Run(ctx, process.Command{
		Line: line, Dir: dir, Space: space, Level: r.System.Level, Network: c.Network,
	})
	output = exit.Text.Head + exit.Text.Tail
	switch {
	case err != nil:
		return output, err
	case exit.Limit != "":
		return output, errors.New(exit.Limit)
	case exit.Signal != "":
		return output, fmt.Errorf("it was ended by %s", exit.Signal)
	case exit.Code != 0:
		return output, fmt.Errorf("it ended with exit code %d", exit.Code)
	}
	return output, nil
}

// commandLine writes a command for the system's shell so that each argument stays what it is.
func commandLine(argv []string, windows bool) (string, error) {
	quoted := slices.Clone(argv)
	for i, arg := range quoted {
		switch {
		case strings.ContainsAny(arg, "\x00\r\n") || (windows && strings.ContainsAny(arg, `"%!`)):
			return "", fmt.Errorf("%s cannot be handed to the system's shell: is there such a character in the name of a folder?", shown(arg))
		case windows:
			quoted[i] = `"` + arg + `"`
		default:
			quoted[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " "), nil
}

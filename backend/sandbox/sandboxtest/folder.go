package sandboxtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// newFolder makes the folder.
func newFolder() (string, error) {
	folder, err := os.MkdirTemp("", "fairlead-")
	if err != nil {
		return "", fmt.Errorf("make a folder for the tests: %w", err)
	}
	return filepath.EvalSymlinks(folder)
}

// programsFolder is where the programs lie in the folder of the tests.
const programsFolder = "bin"

// fillFolder puts this program and the empty home and temporary folder into the folder.
func fillFolder(folder string) error {
	for _, name := range []string{programsFolder, "home", "tmp"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			return fmt.Errorf("make a folder for the tests: %w", err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the test program: %w", err)
	}
	return copyProgram(self, programPath(folder, testProgram))
}

// buildPrograms builds programs into a folder, or copies those that are built already.
func buildPrograms(folder string, programs []string) error {
	if len(programs) == 0 {
		return nil
	}
	if built := os.Getenv(programsVariable); built != "" {
		for _, program := range programs {
			name := programName(path.Base(program))
			if err := copyProgram(filepath.Join(built, name), filepath.Join(folder, name)); err != nil {
				return err
			}
		}
		return nil
	}
	build := exec.Command("go", append([]string{"build", "-buildvcs=false", "-o", folder + string(filepath.Separator)}, programs...)...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w: %s", strings.Join(programs, " "), err, output)
	}
	return nil
}

// programPath is where a program of that name lies in the folder of the tests.
func programPath(folder, name string) string {
	return filepath.Join(folder, programsFolder, programName(name))
}

// programName is what the system calls a program of that name.
func programName(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// copyProgram copies a program.
func copyProgram(from, to string) error {
	source, err := os.Open(from) //nolint:gosec // a program that the tests want
	if err != nil {
		return fmt.Errorf("copy a program of the tests: %w", err)
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700) //nolint:gosec // a program, in the folder of the tests
	if err != nil {
		return fmt.Errorf("copy a program of the tests: %w", err)
	}
	_, err = io.Copy(target, source)
	if err = errors.Join(err, target.Close()); err != nil {
		return fmt.Errorf("copy a program of the tests: %w", err)
	}
	return nil
}

// testEnvironment is what the tests see of the variables: with other places for what a
// user has, without the way to the user's session.
func testEnvironment(variables []string, folder string, asNobody bool) []string {
	kept := slices.DeleteFunc(slices.Clone(variables), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return isPersonal(name)
	})
	home, temporary := filepath.Join(folder, "home"), filepath.Join(folder, "tmp")
	kept = append(kept, folderVariable+"="+folder, "HOME="+home, "TMPDIR="+temporary)
	if runtime.GOOS == "windows" {
		kept = append(kept, "USERPROFILE="+home, "TEMP="+temporary, "TMP="+temporary)
	}
	if asNobody {
		kept = append(kept, "USER=nobody", "LOGNAME=nobody")
	}
	return kept
}

// isPersonal reports whether a variable leads to what is the user's: folders, the
// session bus, agents that hold keys, Go's caches in the home.
func isPersonal(name string) bool {
	switch name {
	case "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
		"GOPATH", "GOCACHE", "GOMODCACHE", "GOENV":
		return true
	}
	return strings.HasPrefix(name, "XDG_")
}

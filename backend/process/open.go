package process

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// openerPrograms are the programs that open an address in the program that the user chose for
// it, the usual one first: those of macOS and of Windows, and those of other desktops.
func openerPrograms() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32.exe"}
	}
	return []string{"xdg-open", "x-www-browser", "www-browser"}
}

// OpenLink opens an address in the user's own program for it. Neither that program nor what it looks for on PATH comes from
// one of the folders named outside (SPEC SEC-12). It does not wait for the program.
func OpenLink(address string, outside ...string) error {
	arguments := []string{address}
	if runtime.GOOS == "windows" {
		arguments = []string{"url.dll,FileProtocolHandler", address}
	}
	return startOpener("open a link", openerPrograms(), arguments, outside)
}

// OpenFile opens a file, or a folder, by its absolute path in the user's own program for it, as
// OpenLink does. The caller has looked whether it could be run.
func OpenFile(path string, outside ...string) error {
	return startOpener("open a file", []string{fileOpener()}, []string{path}, outside)
}

// ShowFile shows a file, by its absolute path, in its folder. On other desktops than those of macOS
// and Windows that is just the folder.
func ShowFile(path string, outside ...string) error {
	arguments := []string{filepath.Dir(path)}
	switch runtime.GOOS {
	case "darwin":
		arguments = []string{"-R", path}
	case "windows":
		arguments = []string{"/select,", path}
	}
	return startOpener("show a file", []string{fileOpener()}, arguments, outside)
}

// fileOpener is the program that opens files and folders.
func fileOpener() string {
	switch runtime.GOOS {
	case "darwin":
		return "open"
	case "windows":
		return "explorer.exe"
	}
	return "xdg-open"
}

// startOpener starts the first of some programs that is there, and does not wait for it.
func startOpener(what string, programs, arguments, outside []string) error {
	for _, name := range programs {
		path, ok := Find(name, outside...)
		if !ok {
			continue
		}
		opener := exec.Command(path, arguments...)
		opener.Env = append(withoutVariable(os.Environ(), "PATH"), "PATH="+SearchPath(outside...))
		opener.Dir = string(os.PathSeparator)
		if err := opener.Start(); err != nil {
			return err
		}
		go func() { _ = opener.Wait() }() // what came of it is that program's affair
		return nil
	}
	return errors.New(what + ": none of " + strings.Join(programs, ", ") + " is on PATH outside of the workspace; install xdg-utils")
}

// withoutVariable returns the variables but for one.
func withoutVariable(variables []string, name string) []string {
	var kept []string
	for _, variable := range variables {
		if !strings.HasPrefix(variable, name+"=") {
			kept = append(kept, variable)
		}
	}
	return kept
}

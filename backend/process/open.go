package process

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// openerPrograms are the programs that open an address in the program that the user chose for
// it, the usual one first: that of macOS, and those of other desktops.
func openerPrograms() []string {
	if runtime.GOOS == "darwin" {
		return []string{"open"}
	}
	return []string{"xdg-open", "x-www-browser", "www-browser"}
}

// OpenLink opens an address in the user's own program for it, on systems where a
// program is run for that. Neither that program nor what it looks for on PATH comes from
// one of the folders named outside (SPEC SEC-12). It does not wait for the program.
func OpenLink(address string, outside ...string) error {
	for _, name := range openerPrograms() {
		path, ok := Find(name, outside...)
		if !ok {
			continue
		}
		opener := exec.Command(path, address)
		opener.Env = append(withoutVariable(os.Environ(), "PATH"), "PATH="+SearchPath(outside...))
		opener.Dir = string(os.PathSeparator)
		if err := opener.Start(); err != nil {
			return err
		}
		go func() { _ = opener.Wait() }() // what came of it is the browser's affair
		return nil
	}
	return errors.New("open a link: none of " + strings.Join(openerPrograms(), ", ") + " is on PATH outside of the workspace; install xdg-utils")
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

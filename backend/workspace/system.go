package workspace

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

var (
	// systemFolders hold programs, settings and state of the system, or what it makes
	// up: nothing below them is a project, but for projectFolders.
	systemFolders = []string{
		"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/boot", "/etc", "/proc", "/sys", "/dev", "/run",
		"/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/include", "/usr/share",
		"/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/usr/local/etc", "/usr/local/share",
		"/var/log", "/var/spool", "/var/cache", "/var/run", "/private/etc", "/System", "/Library", "/Applications",
		`C:\Windows`, `C:\Program Files`, `C:\Program Files (x86)`, `C:\ProgramData`,
	}
	// systemTops are such folders that can have projects somewhere below them.
	systemTops = []string{"/usr", "/usr/local", "/var", "/var/lib", "/home", "/private", "/private/var", "/Users"}
	// projectFolders are the places in system folders where disks are mounted and
	// shared memory is: what is below them can be a project.
	projectFolders = []string{"/dev/shm", "/run/media", "/run/user/*/gvfs"}
)

// ofSystem reports whether a folder, its links resolved, is one of the system's. The way
// leads to it.
func ofSystem(path string, to way) bool {
	if slices.Contains(systemTops, path) {
		return true
	}
	for _, pattern := range projectFolders {
		if depth := strings.Count(pattern, "/"); strings.Count(path, "/") > depth {
			top := strings.Join(strings.Split(path, "/")[:depth+1], "/")
			if parsePattern(pattern).matchesName(top) {
				return false
			}
		}
	}
	return slices.ContainsFunc(systemFolders, to.leadsThrough)
}

// ofPrograms reports whether the way leads to a folder in which the user's programs keep
// settings and data.
func ofPrograms(to way) bool {
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	names := []string{".config", ".local", ".var", ".mozilla", ".thunderbird"}
	switch runtime.GOOS {
	case "darwin":
		names = append(names, "Library")
	case "windows":
		// Temporary files lie in it, too.
		if !to.leadsThrough(os.TempDir()) {
			names = append(names, "AppData")
		}
	}
	return slices.ContainsFunc(names, func(name string) bool { return to.leadsThrough(filepath.Join(home, name)) })
}

package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"fairlead/backend/secret"
)

// systemFindings are about what the system gives the window and the keys.
func systemFindings(with *surroundings, keyringErr error) []finding {
	findings := []finding{keyringFinding(keyringErr), windowFinding(with.streams.OpenWindow != nil)}
	if runtime.GOOS == "linux" {
		findings = append(findings, webKitFinding(libraryFolders), watchesFinding(inotifyLimits))
	}
	return findings
}

func keyringFinding(err error) finding {
	if err == nil {
		return finding{"keyring", "ok", "the system's keyring keeps your keys"}
	}
	if fault, ok := errors.AsType[*secret.KeyringError](err); ok {
		return finding{"keyring", "missing", fault.State() + "; " + fault.Advice()}
	}
	return finding{"keyring", "missing", oneLine(err.Error())}
}

// libraryFolders are where Linux systems keep their libraries.
var libraryFolders = []string{"/usr/lib/*", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib/*"}

// webKitFinding looks for the web engine that the window is drawn with. The
// command line cannot ask the loader for it without loading it.
func webKitFinding(folders []string) finding {
	const library = "libwebkit2gtk-4.1.so.0"
	for _, folder := range folders {
		// The pattern is ours, so it is a good one.
		if found, _ := filepath.Glob(filepath.Join(folder, library)); len(found) > 0 {
			return finding{"webkit", "ok", found[0] + " draws the window"}
		}
	}
	return finding{"webkit", "missing", library + " is not there; install it for the window (on Debian and Ubuntu: libwebkit2gtk-4.1-0)"}
}

const (
	// inotifyLimits is where Linux tells how much may be watched.
	inotifyLimits = "/proc/sys/fs/inotify"
	// fewWatches is the limit below which a large folder cannot be watched whole:
	// each folder inside takes one.
	fewWatches = 65536
)

func watchesFinding(limits string) finding {
	watches, err := readLimit(limits, "max_user_watches")
	instances, err2 := readLimit(limits, "max_user_instances")
	if err := errors.Join(err, err2); err != nil {
		return finding{"watches", "missing", "read the limits of watching: " + oneLine(err.Error()) + "; changes in the folder may be seen late"}
	}
	detail := fmt.Sprintf("%d folders can be watched, by %d programs", watches, instances)
	if watches < fewWatches {
		return finding{"watches", "missing", detail + "; changes in large folders are seen late, raise it with: sudo sysctl fs.inotify.max_user_watches=524288"}
	}
	return finding{"watches", "ok", detail}
}

func readLimit(folder, name string) (int, error) {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

// windowFinding looks for the program that opens the window, and for a display to
// open it on.
func windowFinding(itself bool) finding {
	program, missing := findWindow(itself)
	if missing != "" {
		return finding{"window", "missing", missing + "; fairlead run works without"}
	}
	return finding{"window", "ok", program + " opens it"}
}

package doctor

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
func systemFindings(window Finding, keyringErr error) []Finding {
	findings := []Finding{keyringFinding(keyringErr), window}
	if runtime.GOOS == "linux" {
		findings = append(findings, webKitFinding(libraryFolders), watchesFinding(inotifyLimits))
	}
	return findings
}

func keyringFinding(err error) Finding {
	if err == nil {
		return Finding{"keyring", OK, "the system's keyring keeps your keys"}
	}
	if fault, ok := errors.AsType[*secret.KeyringError](err); ok {
		return Finding{"keyring", Missing, fault.State() + "; " + fault.Advice()}
	}
	return Finding{"keyring", Missing, oneLine(err.Error())}
}

// libraryFolders are where Linux systems keep their libraries.
var libraryFolders = []string{"/usr/lib/*", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib/*"}

// webKitFinding looks for the web engine that the window is drawn with. The
// command line cannot ask the loader for it without loading it.
func webKitFinding(folders []string) Finding {
	const library = "libwebkit2gtk-4.1.so.0"
	for _, folder := range folders {
		// The pattern is ours, so it is a good one.
		if found, _ := filepath.Glob(filepath.Join(folder, library)); len(found) > 0 {
			return Finding{"webkit", OK, found[0] + " draws the window"}
		}
	}
	return Finding{"webkit", Missing, library + " is not there; install it for the window (on Debian and Ubuntu: libwebkit2gtk-4.1-0)"}
}

const (
	// inotifyLimits is where Linux tells how much may be watched.
	inotifyLimits = "/proc/sys/fs/inotify"
	// fewWatches is the limit below which a large folder cannot be watched whole:
	// each folder inside takes one.
	fewWatches = 65536
)

func watchesFinding(limits string) Finding {
	watches, err := readLimit(limits, "max_user_watches")
	instances, err2 := readLimit(limits, "max_user_instances")
	if err := errors.Join(err, err2); err != nil {
		return Finding{"watches", Missing, "read the limits of watching: " + oneLine(err.Error()) + "; changes in the folder may be seen late"}
	}
	detail := fmt.Sprintf("%d folders can be watched, by %d programs", watches, instances)
	if watches < fewWatches {
		return Finding{"watches", Missing, detail + "; changes in large folders are seen late, raise it with: sudo sysctl fs.inotify.max_user_watches=524288"}
	}
	return Finding{"watches", OK, detail}
}

func readLimit(folder, name string) (int, error) {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

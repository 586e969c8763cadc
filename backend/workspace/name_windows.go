package workspace

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// listedName returns the name that a folder lists an entry by. It may be given in other letters,
// A.TXT for a.txt, and by the short one that programs of old systems see, such as ENV~1: the rules
// for names, and what is known of a file, go by the one that is listed.
func listedName(folder, name string) string {
	if strings.ContainsAny(name, `*?<>"`) {
		return name // the search would take it for a pattern
	}
	path, err := windows.UTF16PtrFromString(filepath.Join(folder, name))
	if err != nil {
		return name
	}
	var entry windows.Win32finddata
	search, err := windows.FindFirstFile(path, &entry)
	if err != nil {
		return name
	}
	_ = windows.FindClose(search)
	return windows.UTF16ToString(entry.FileName[:])
}

package workspace

import (
	"strings"

	"fairlead/backend/workspace/autorun"
)

// reserved are the names that Windows takes for devices, with any extension.
var reserved = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true, "conin$": true, "conout$": true,
	"com0": true, "com1": true, "com2": true, "com3": true, "com4": true,
	"com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt0": true, "lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true,
	"lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
	// The raised digits of Latin-1 count as digits.
	"com¹": true, "com²": true, "com³": true, "lpt¹": true, "lpt²": true, "lpt³": true,
}

// unportableReason says what is wrong with a local path on Windows; empty if nothing
// is. Other systems have files of such names, so these can be read and replaced
// there, but no new ones are made.
func unportableReason(local string) string {
	for part := range strings.SplitSeq(local, "/") {
		if part == "." || part == ".." {
			continue
		}
		stem, _, _ := strings.Cut(part, ".")
		switch {
		case strings.ContainsRune(part, ':'):
			return "has a colon, which names a drive or a stream on Windows"
		case strings.ContainsRune(part, '\\'):
			return "has a backslash: use / between folders"
		case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
			return "has a part that ends in a dot or a space"
		case reserved[strings.ToLower(strings.TrimRight(stem, " "))]:
			return "has the name of a Windows device"
		}
	}
	return ""
}

// foldName returns name as file systems compare names that ignore case.
func foldName(name string) string { return autorun.Fold(name) }

// inGit reports whether a local path is git's own folder or lies in it. GIT~1 is the
// short name that Windows gives it.
func inGit(local string) bool {
	for part := range strings.SplitSeq(local, "/") {
		if name := foldName(part); name == ".git" || name == "git~1" {
			return true
		}
	}
	return false
}

package sandbox

import (
	"path"
	"slices"
	"strings"
)

// The operations that rules are about. One rule allows and another denies the same of
// them, by the same names, because a rule for all file-read* does not take back what
// one for file-read-data gave.
const (
	reading = "file-read* file-test-existence file-map-executable process-exec*"
	// A second name for a file, and a copy that shares its content, are operations of
	// their own, asked for the old name and for the new.
	writing = "file-write* file-link file-clone"
	looking = "file-read-metadata file-test-existence"
	moving  = "file-write-unlink"
)

// newProfile is what Seatbelt lets a command do in a place, in its profile language,
// version 1. Whatever no rule allows is denied; of several rules for one thing the
// last decides. All paths are real ones: no part of them is a link.
func newProfile(p Place, network bool, pins []pin) (string, error) {
	paths := slices.Concat([]string{p.Workspace, p.Private}, p.Read, p.Hide, p.Install)
	if p.Home != "" {
		paths = append(paths, p.Home)
	}
	for _, pin := range pins {
		paths = append(paths, pin.path)
	}
	for _, path := range paths {
		if err := checkPath(path); err != nil {
			return "", err
		}
	}
	r := rules{"(version 1)", "(deny default)"}
	r.allowProcesses()
	r.allowDevices()
	r.allowFolders(p)
	r.protectGit(p, pins)
	r.add("deny", "process-exec*", filtersFor(literalFilter, deniedPrograms...)...)
	r.allowWay(p)
	r.allowNetwork(network)
	return strings.Join(r, "\n") + "\n", nil
}

// rules are those of a profile, in their order.
type rules []string

// add adds a rule for the operations on what any of the filters matches. Without
// filters a rule is about everything, which is never meant here.
func (r *rules) add(decision, operations string, filters ...string) {
	if len(filters) > 0 {
		*r = append(*r, "("+decision+" "+operations+"\n  "+strings.Join(filters, "\n  ")+")")
	}
}

// allowProcesses is what a command may do with processes, and with the system beside files.
func (r *rules) allowProcesses() {
	*r = append(*r,
		"(allow process-fork)",
		"(allow process-info* (target same-sandbox))",
		"(allow signal (target same-sandbox))",
		"(allow ipc-posix-sem)",
		`(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center"))`,
		"(allow pseudo-tty)",
	)
	var known []string
	for _, name := range systemValues {
		known = append(known, "(sysctl-name "+quoteText(name)+")")
	}
	for _, prefix := range systemValuePrefixes {
		known = append(known, "(sysctl-name-prefix "+quoteText(prefix)+")")
	}
	r.add("allow", "sysctl-read", known...)
	r.add("allow", "mach-lookup", filtersFor(serviceFilter, services...)...)
}

func serviceFilter(name string) string { return "(global-name " + quoteText(name) + ")" }

// allowDevices are those that hold nothing of the user's. A terminal is one that the
// command has opened itself, not one that the user types in.
func (r *rules) allowDevices() {
	all := append(filtersFor(literalFilter, plainDevices...), subpathFilter("/dev/fd"))
	r.add("allow", "file-read* file-write* file-ioctl file-test-existence", all...)
	r.add("allow", "file-read* file-ioctl file-test-existence", filtersFor(literalFilter, sourceDevices...)...)
	r.add("allow", "file-read* file-write* file-ioctl file-test-existence",
		"(require-all "+regexFilter("^/dev/ttys[0-9]+$")+` (extension "com.apple.sandbox.pty"))`)
}

// allowFolders are what a command may read and run, and what it may change. What is hidden
// stays so, but for the workspace, the private folder and Place.Install where they lie in it.
func (r *rules) allowFolders(p Place) {
	r.add("allow", reading, slices.Concat(filtersFor(subpathFilter, macFolders...), filtersFor(literalFilter, macFiles...),
		filtersFor(subpathFilter, p.Read...))...)
	*r = append(*r, "(deny file-link)", "(deny file-clone)")
	own := []string{p.Workspace, p.Private}
	hidden := slices.Concat(deniedFolders, p.Hide)
	if p.Home != "" {
		hidden = append(hidden, path.Join(p.Home, "Library/Keychains"))
	}
	all := slices.Concat(own, hidden, p.Install)
	slices.SortStableFunc(all, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	for _, folder := range all {
		switch {
		case slices.Contains(hidden, folder):
			r.add("deny", reading+" "+writing, subpathFilter(folder))
		case slices.Contains(p.Install, folder), folder == p.Workspace && p.ReadOnly:
			r.add("allow", reading, subpathFilter(folder))
		default:
			r.add("allow", reading+" "+writing, subpathFilter(folder))
		}
	}
}

// protectGit keeps what git takes orders from as it is. The workspace and the private folder
// stay where they are too, or else one could be moved into the other, out of reach of
// the rules for what is in it.
func (r *rules) protectGit(p Place, pins []pin) {
	fixed := []string{p.Workspace, p.Private}
	for _, pin := range pins {
		r.add("deny", writing, pin.guardedFilters()...)
		fixed = append(fixed, pin.fixedPaths(p.Workspace)...)
	}
	slices.Sort(fixed)
	for _, path := range slices.Compact(fixed) {
		r.add("deny", moving, literalFilter(path), regexFilter("^"+foldedPattern(path)+"$"))
	}
}

// dataVolume is where the volume of the user's files is mounted. The folders in the
// root that are shown from it have their other name for those who look at them.
const dataVolume = "/System/Volumes/Data"

// allowWay lets programs look at each folder on the way to what they may read, as
// realpath(3) does, but not into it.
func (r *rules) allowWay(p Place) {
	all := []string{dataVolume}
	if p.Home != "" {
		all = append(all, p.Home, dataVolume+p.Home)
	}
	for _, path := range slices.Concat(macFolders, macFiles, []string{dataVolume, p.Workspace, p.Private, p.Home}, p.Read, p.Install) {
		for _, dir := range foldersAbove(path) {
			all = append(all, dir)
			if !strings.HasPrefix(dir, "/System") {
				all = append(all, dataVolume+dir)
			}
		}
	}
	slices.Sort(all)
	r.add("allow", looking, filtersFor(literalFilter, slices.Compact(all)...)...)
}

// allowNetwork opens the way out to the network, or closes all ways. Sockets with a path,
// behind which other programs of the user's serve, stay closed, but for the one that
// looks up names; so do servers.
func (r *rules) allowNetwork(allowed bool) {
	if !allowed {
		*r = append(*r, "(deny network*)")
		return
	}
	*r = append(*r, "(allow system-socket)")
	r.add("allow", "network-outbound", `(remote ip "*:*")`, literalFilter(resolverSocket))
	r.add("allow", "mach-lookup", filtersFor(serviceFilter, networkServices...)...)
	r.add("allow", "file-read* file-test-existence", literalFilter(resolverFile))
	r.add("allow", looking, filtersFor(literalFilter, foldersAbove(resolverFile)...)...)
	r.add("allow", "sysctl-read", "(sysctl-name-prefix "+quoteText("net.routetable")+")")
}

package autorun

import (
	"maps"
	"slices"
	"strings"
)

// maxNamed bounds the files of one kind that are named.
const maxNamed = 6

// Since returns what is new or changed since an earlier look, and what neither of the
// two could see. A folder that is new stands for all that is in it.
func (k *Look) Since(before *Look) []Notice {
	byKind := map[Kind][]Notice{}
	fresh := "\x00" // no path
	for _, name := range slices.Sorted(maps.Keys(k.stamps)) {
		now := k.stamps[name]
		then, known := before.stamps[name]
		n := Notice{Kind: now.kind, Path: name, Code: CodeNew}
		switch {
		case strings.HasPrefix(name, fresh+"/"):
			continue
		case known && (then.isSame(now) || now.mode.IsDir() && then.mode.IsDir()):
			continue
		case known:
			n.Code = CodeChanged
		case now.mode.IsDir():
			fresh = name
		}
		byKind[now.kind] = append(byKind[now.kind], n)
	}
	var notices []Notice
	for _, kind := range Kinds() {
		found := byKind[kind]
		if more := len(found) - maxNamed; more > 0 {
			found = append(found[:maxNamed:maxNamed], Notice{Code: CodeMore, Kind: kind, Count: more})
		}
		notices = append(notices, found...)
	}
	return append(notices, gapsOf(before, k)...)
}

// isSame reports whether a file is as it was.
func (s stamp) isSame(other stamp) bool {
	s.kind = other.kind // what is known of it, not what it is
	return s == other
}

// gapsOf are the gaps of two looks, as far as they are named.
func gapsOf(looks ...*Look) []Notice {
	var all []Notice
	for _, look := range looks {
		for _, n := range look.gaps {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all[:min(len(all), maxNamed)]
}

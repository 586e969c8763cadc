package workspace

import (
	"io"
	"path"
	"strings"

	"github.com/git-pkgs/gitignore"
)

const (
	// IgnoreFile is the file that says what git leaves out of a folder.
	IgnoreFile = ".gitignore"
	// excludeFile is the same for a whole repository, not shared with others.
	excludeFile = ".git/info/exclude"
	// maxIgnoreFile bounds what is read of either, in bytes.
	maxIgnoreFile = 1 << 20
)

// Rules are the patterns of one folder's ignore file, and of those above it.
// Only files of the workspace count: the user's own excludes would make the same
// task see different files on different machines.
type Rules struct {
	outer   *Rules
	dir     string
	matcher *gitignore.Matcher
}

// IgnoresPath reports whether a local path is left out. The nearest file that has a
// matching pattern decides, as in git.
func (r *Rules) IgnoresPath(name string, dir bool) bool {
	base := path.Base(name)
	if inGit(base) || dir && base == "node_modules" {
		return true
	}
	for ; r != nil; r = r.outer {
		local := name
		if r.dir != "." {
			local = strings.TrimPrefix(name, r.dir+"/")
		}
		if dir {
			local += "/"
		}
		match := r.matcher.MatchDetail(local)
		if dir && strings.HasSuffix(match.Pattern, "/**") {
			// Such a pattern is about what is in a folder. The matcher takes it for
			// the folder as well, and what is excepted below would not be seen.
			match = r.matcher.MatchDetail(strings.TrimSuffix(local, "/"))
		}
		if match.Matched {
			return match.Ignored
		}
	}
	return false
}

// rulesAt returns the rules that apply to the entries of a folder, its own ignore
// file left to the walk; none if they exclude the folder itself.
func (f *Folder) rulesAt(name string) *Rules {
	r := f.rulesOf(excludeFile, ".", nil)
	if name == "." {
		return r
	}
	above := "."
	for part := range strings.SplitSeq(name, "/") {
		r = f.rulesIn(above, r)
		above = path.Join(above, part)
		if r.IgnoresPath(above, true) {
			return nil
		}
	}
	return r
}

// rulesIn adds the rules of a folder's own ignore file, if it has one.
func (f *Folder) rulesIn(dir string, outer *Rules) *Rules {
	return f.rulesOf(path.Join(dir, IgnoreFile), dir, outer)
}

func (f *Folder) rulesOf(file, dir string, outer *Rules) *Rules {
	opened, err := f.open(file)
	if err != nil {
		return outer
	}
	defer func() { _ = opened.Close() }()
	text, err := io.ReadAll(io.LimitReader(opened, maxIgnoreFile))
	if err != nil {
		return outer
	}
	matcher := gitignore.New("")
	matcher.AddPatterns(text, "")
	return &Rules{outer: outer, dir: dir, matcher: matcher}
}

package autorun

import (
	"context"
	"slices"
	"strings"
)

// Held returns which programs act by themselves on files that a command has changed and nobody
// has applied yet, of paths relative to the workspace, with slashes. In a git folder these are
// the parts that git takes programs and orders from.
func (s *Scanner) Held(ctx context.Context, names []string) map[string]Kind {
	held := map[string]Kind{}
	var left []string
	for _, name := range names {
		part, inGit := gitPart(name)
		switch {
		case inGit && (slices.Contains(gitOrders, part) || slices.ContainsFunc(gitParts, func(known string) bool { return isBelow(part, known) })):
			held[name] = Git
		case inGit:
		default:
			if kind, ok := Reason(name); ok {
				held[name] = kind
			} else {
				left = append(left, name)
			}
		}
	}
	if len(left) == 0 {
		return held
	}
	look := s.Look(ctx) // for what git's settings name, and links lead to
	for _, name := range left {
		if kind, ok := look.actingPrograms(name); ok {
			held[name] = kind
		}
	}
	return held
}

// gitPart returns the part of a git folder that a path leads to, folded: of the repository's
// own, of a submodule's or of a linked worktree's.
func gitPart(name string) (part string, ok bool) {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = strings.TrimRight(Fold(p), ". ")
	}
	at := slices.IndexFunc(parts, func(p string) bool { return p == ".git" || p == "git~1" })
	if at < 0 {
		return "", false
	}
	inside := parts[at+1:]
	for _, nested := range []string{"modules", "worktrees"} {
		if len(inside) > 1 && inside[0] == nested {
			// A name of a module may have several parts: any of what follows may be the folder's.
			for i := 1; i < len(inside); i++ {
				if slices.ContainsFunc(gitParts, func(known string) bool { return isBelow(strings.Join(inside[i:], "/"), known) }) {
					return strings.Join(inside[i:], "/"), true
				}
			}
		}
	}
	return strings.Join(inside, "/"), true
}

// isBelow reports whether a path is another one or lies in it.
func isBelow(name, folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") }

// IsGitFolder reports whether a path is that of a git folder, or of the file that
// stands for one.
func IsGitFolder(name string) bool {
	part, ok := gitPart(name)
	return ok && part == ""
}

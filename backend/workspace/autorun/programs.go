package autorun

import (
	"path/filepath"
	"slices"
	"strings"
)

// maxWords bounds the words of one setting that are taken for paths.
const maxWords = 64

// programVariables are the names of settings whose value is a command line, or the path
// of a program, or of a file that names programs: core.fsmonitor, core.editor,
// sequence.editor, core.sshCommand, filter.*.clean and so on (git-config(1)).
var programVariables = words(`fsmonitor editor sshcommand pager askpass gitproxy clean smudge process command textconv
	external driver cmd program helper difffilter uploadpack receivepack packobjectshook browser tunnel
	alternaterefscommand defaultkeycommand update sendmailcmd tocmd cccmd headercmd smtpserver vcs`)

// programSections are the sections all of whose settings are command lines.
var programSections = words(`alias pager hook`)

// pathSections are those in which a setting named path is that of a program.
var pathSections = words(`mergetool difftool browser man guitool`)

func words(text string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		all[word] = true
	}
	return all
}

// names returns the words of the setting that git can take for a program, or a program
// that it runs for a file. A first word without a slash is looked for on the PATH.
func (s setting) names() []string {
	switch {
	case s.key == "core.attributesfile", s.variable() == "path" && pathSections[s.section()]:
		return []string{s.value}
	case s.section() == "alias" && !strings.HasPrefix(s.value, "!"):
		return nil // another command of git's
	case !programSections[s.section()] && !programVariables[s.variable()]:
		return nil
	}
	found := commandWords(s.value)
	if len(found) > 0 && !strings.Contains(found[0], "/") {
		found = found[1:]
	}
	if strings.Contains(s.value, "/") {
		found = append(found, s.value) // a path with blanks
	}
	return found
}

// namedIn returns the absolute paths that the settings of a repository name, each
// against every folder that git may resolve it in.
func (s *Scanner) namedIn(r repository, settings []setting) (hooks, includes, programs []string) {
	bases := r.bases(settings)
	for _, set := range settings {
		if included, ok := set.included(s.home); ok {
			includes = append(includes, included)
			continue
		}
		isHooks := set.key == "core.hookspath" || set.key == "init.templatedir"
		names := set.names()
		for _, base := range bases {
			if isHooks {
				if name, ok := expand(set.value, base, s.home); ok {
					hooks = append(hooks, name)
				}
				continue
			}
			for _, word := range names {
				if name, ok := expand(word, base, s.home); ok {
					programs = append(programs, name)
				}
			}
		}
	}
	return unique(hooks), unique(includes), unique(programs)
}

// bases are the folders that git resolves relative paths in: those of the working
// trees, and its own.
func (r repository) bases(settings []setting) []string {
	bases := slices.Clone(r.tops)
	for _, s := range settings {
		if s.key == "core.worktree" {
			bases = append(bases, real(against(s.value, r.dir)))
		}
	}
	return unique(append(bases, r.dir))
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// commandWords are the words of a command line that can be paths: as they stand
// between blanks, quotes and what a shell takes for signs of its own.
func commandWords(line string) []string {
	found := strings.FieldsFunc(strings.TrimPrefix(line, "!"), func(r rune) bool {
		return strings.ContainsRune(" \t\n\"'`;|&()<>=", r)
	})
	found = slices.DeleteFunc(found, func(word string) bool {
		return strings.HasPrefix(word, "-") || strings.ContainsAny(word, "\x00") || filepath.Clean(word) == "."
	})
	return found[:min(len(found), maxWords)]
}

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
var programVariables = splitWords(`fsmonitor editor sshcommand pager askpass gitproxy clean smudge process command textconv
	external driver cmd program helper difffilter uploadpack receivepack packobjectshook browser tunnel
	alternaterefscommand defaultkeycommand update sendmailcmd tocmd cccmd headercmd smtpserver vcs`)

// programSections are the sections all of whose settings are command lines.
var programSections = splitWords(`alias pager hook`)

// pathSections are those in which a setting named path is that of a program.
var pathSections = splitWords(`mergetool difftool browser man guitool`)

func splitWords(text string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		all[word] = true
	}
	return all
}

// programNames returns the words of the setting that git can take for a program, or a program
// that it runs for a file. A first word without a slash is looked for on the PATH.
func (s setting) programNames() []string {
	switch {
	case s.key == "core.attributesfile", s.variableName() == "path" && pathSections[s.sectionName()]:
		return []string{s.value}
	case s.sectionName() == "alias" && !strings.HasPrefix(s.value, "!"):
		return nil // another command of git's
	case !programSections[s.sectionName()] && !programVariables[s.variableName()]:
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
	bases := r.baseFolders(settings)
	for _, set := range settings {
		if included, ok := set.includedFile(s.home); ok {
			includes = append(includes, included)
			continue
		}
		isHooks := set.key == "core.hookspath" || set.key == "init.templatedir"
		names := set.programNames()
		for _, base := range bases {
			if isHooks {
				if name, ok := expandPath(set.value, base, s.home); ok {
					hooks = append(hooks, name)
				}
				continue
			}
			for _, word := range names {
				if name, ok := expandPath(word, base, s.home); ok {
					programs = append(programs, name)
				}
			}
		}
	}
	return sortUnique(hooks), sortUnique(includes), sortUnique(programs)
}

// baseFolders are the folders that git resolves relative paths in: those of the working
// trees, and its own.
func (r repository) baseFolders(settings []setting) []string {
	bases := slices.Clone(r.tops)
	for _, s := range settings {
		if s.key == "core.worktree" {
			bases = append(bases, withoutLinks(resolveAgainst(s.value, r.dir)))
		}
	}
	return sortUnique(append(bases, r.dir))
}

func sortUnique(names []string) []string {
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

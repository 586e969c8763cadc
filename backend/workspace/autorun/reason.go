// Package autorun knows which files of a folder other programs act on by
// themselves: git, editors, shells, CI services, coding assistants, task runners
// and development environments. What a command or a file tool leaves in such a file
// takes effect after it has ended, outside of all confinement. The package is the
// one place that knows them: it says what is kept from commands while they run, what
// is compared afterwards, and what a question about a file has to mention.
//
// Files that the user runs on purpose, such as a Makefile or the scripts of a
// package.json, are not among them.
package autorun

import (
	"path"
	"strings"
)

// Kind is a group of programs that act on files by themselves.
type Kind string

// The kinds, in the order in which they are reported.
const (
	// Git is git: it runs hooks, and programs that its settings name.
	Git Kind = "git"
	// Editor is an editor or IDE that a folder is opened in, and debuggers.
	Editor Kind = "editor"
	// Assistant is a coding assistant.
	Assistant Kind = "assistant"
	// Shell is a shell or a terminal program.
	Shell Kind = "shell"
	// Environment is what sets up the programs of a project: virtual environments,
	// version managers, the settings of package managers, containers.
	Environment Kind = "environment"
	// Task is a task runner or a manager of git hooks.
	Task Kind = "task"
	// CI is a service that builds what is pushed.
	CI Kind = "ci"
)

// Kinds returns all kinds in the order in which they are reported.
func Kinds() []Kind { return []Kind{Git, Editor, Assistant, Shell, Environment, Task, CI} }

// rule is what is known of a name.
type rule struct {
	kind Kind
	// pinned means that commands cannot change it while they run. What tools of a
	// project rewrite in their daily use, and texts that assistants read, are only
	// looked at.
	pinned bool
}

// Reason returns which programs act on the file or folder at a path by themselves,
// judged by its name alone. The path is relative to the workspace, with slashes; a
// known name counts at every depth, in every case, and so does all that lies below a
// known folder.
func Reason(name string) (Kind, bool) {
	r, ok := findRule(name)
	return r.kind, ok
}

// findRule returns the rule of a path: that of the file, or of the first folder on the
// way to it.
func findRule(name string) (rule, bool) {
	parts := strings.Split(path.Clean(name), "/")
	folded := make([]string, len(parts))
	for i, p := range parts {
		folded[i] = strings.TrimRight(Fold(p), ". ") // Windows drops these
	}
	for i := range parts {
		if r, ok := ruleOf(folded[:i+1]); ok {
			return r, true
		}
	}
	return rule{}, false
}

// ruleOf returns the rule of the last of some folded names; those before it are the
// folders that it lies in.
func ruleOf(parts []string) (rule, bool) {
	last := parts[len(parts)-1]
	if r, ok := names()[last]; ok {
		return r, true
	}
	for _, ending := range endings {
		if strings.HasSuffix(last, ending.text) && len(last) > len(ending.text) {
			return ending.rule, true
		}
	}
	if len(parts) < 2 {
		return rule{}, false
	}
	above := parts[len(parts)-2]
	if r, ok := below[above][last]; ok {
		return r, true
	}
	if sitePackages[above] && (strings.HasSuffix(last, ".pth") || last == "sitecustomize.py" || last == "usercustomize.py") {
		return rule{kind: Environment}, true
	}
	return rule{}, false
}

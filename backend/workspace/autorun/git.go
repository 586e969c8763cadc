package autorun

import (
	"bufio"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// gitParts are what git takes programs and orders from, in a repository's folder.
var gitParts = []string{"config", "config.worktree", "commondir", "hooks", "info/attributes"}

// gitOrders are lists of what git does next, among it commands, when a rebase or a
// series of picks that was stopped goes on. git writes them itself.
var gitOrders = []string{"rebase-merge/git-rebase-todo", "sequencer/todo"}

// topIsKnown reports whether the workspace itself is a working tree of a repository
// that was found, or one's folder.
func (l *looking) topIsKnown() bool {
	for _, r := range l.repositories {
		if r.dir == l.path || slices.Contains(r.tops, l.path) {
			return true
		}
	}
	return false
}

// gitEntry notes a .git folder, file or link.
func (l *looking) gitEntry(name string) {
	top := l.absolutePath(path.Dir(name))
	l.noteAt(name, Git)
	t := l.resolve(l.absolutePath(name))
	l.addPassedLinks(t, Git, true)
	switch {
	case t.info == nil:
		return
	case t.info.IsDir():
		l.addAt(t.path, top)
		return
	}
	if real, ok := l.relativePath(t.path); ok {
		l.noteAt(real, Git)
		l.addPin(real, Git)
		l.look.roots[real] = Git
	}
	if named := gitFile(t.path, top); named != "" {
		t = l.resolve(named)
		l.addPassedLinks(t, Git, true)
		l.addAt(t.path, top)
	}
}

// addAt adds the repository in a folder, which has a working tree unless top is empty.
func (l *looking) addAt(dir, top string) {
	r, ok := repositoryAt(dir)
	if !ok {
		info, err := os.Stat(dir)
		if err != nil || !info.IsDir() {
			if name, inside := l.relativePath(dir); inside {
				l.look.roots[name] = Git // a file tool may make it
			}
			return
		}
		r = repository{dir: dir, common: dir} // it can become one
	}
	if top != "" {
		r.tops = append(r.tops, top)
	}
	l.add(r)
}

// add adds a repository, and those that belong to it.
func (l *looking) add(r repository) {
	if known, ok := l.repositories[r.dir]; ok {
		known.tops = sortUnique(append(known.tops, r.tops...))
		return
	}
	l.repositories[r.dir] = &r
	l.order = append(l.order, r.dir)
	if r.common != r.dir {
		l.addAt(r.common, "")
	}
	if name, ok := l.relativePath(r.dir); ok {
		for _, below := range l.belowRepository(name) {
			l.addAt(l.resolve(l.absolutePath(below)).path, "")
		}
	}
}

// examineRepository notes what git takes programs from in a repository.
func (l *looking) examineRepository(r *repository) {
	if name, ok := l.relativePath(r.dir); ok {
		l.gitFolder(name)
	}
	l.noteNamedPrograms(*r)
}

// gitFolder notes the parts of a repository's folder.
func (l *looking) gitFolder(name string) {
	if name != "." {
		l.noteAt(name, Git)
		l.look.roots[name] = Git
	}
	l.look.pins[name] = pin{name: name, kind: Git, folder: true}
	if _, err := l.root.Lstat(filepath.FromSlash(path.Join(name, "HEAD"))); err == nil {
		l.look.hooks = append(l.look.hooks, path.Join(name, "hooks"))
		l.look.made = append(l.look.made, madeFile{path.Join(name, "commondir"), commonHere})
	}
	for _, part := range gitParts {
		l.followLinks(path.Join(name, part), Git, part != "info/attributes")
	}
	for _, orders := range gitOrders {
		if whole := path.Join(name, orders); l.runsCommands(whole) {
			l.noteAt(whole, Git)
		}
	}
}

// runsCommands reports whether a list of what git does next has commands in it
// (git-rebase(1), "exec").
func (l *looking) runsCommands(name string) bool {
	file, err := l.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|noWait, 0)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return false
	}
	lines := bufio.NewScanner(io.LimitReader(file, maxSettings))
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) > 0 && (words[0] == "exec" || words[0] == "x") {
			return true
		}
	}
	return lines.Err() != nil // a line too long to be told
}

// noteNamedPrograms notes what the settings of a repository name in the workspace.
func (l *looking) noteNamedPrograms(r repository) {
	a := l.readSettings(l.ctx, r)
	for _, gap := range a.gaps {
		if name, ok := l.relativePath(gap.Path); ok {
			gap.Path = name
		}
		l.look.gaps = append(l.look.gaps, gap)
	}
	if slices.ContainsFunc(a.settings, setting.ofWorktrees) {
		if name, ok := l.relativePath(r.dir); ok {
			l.look.made = append(l.look.made, madeFile{path.Join(name, "config.worktree"), ""})
		}
	}
	hooks, includes, programs := l.namedIn(r, a.settings)
	for _, absolute := range hooks {
		l.noteInside(absolute, Git)
	}
	for _, absolute := range includes {
		t := l.resolve(absolute)
		name, ok := l.relativePath(t.path)
		if ok && t.info == nil {
			l.look.made = append(l.look.made, madeFile{name, ""})
		}
		if ok && (t.info == nil || t.info.Size() == 0) {
			l.addPassedLinks(t, Git, true)
			l.addPin(name, Git)
			l.look.roots[name] = Git
			continue
		}
		l.noteInside(absolute, Git)
	}
	for _, absolute := range programs {
		t := l.resolve(absolute)
		name, ok := l.relativePath(t.path)
		switch {
		case t.info != nil && t.info.Mode().IsRegular():
			l.noteInside(absolute, Git)
		case t.info == nil && ok && strings.Contains(name, "/"):
			l.look.roots[name] = Git // a file tool may make it
		}
	}
}

// ofWorktrees reports whether the setting gives working trees settings of their own.
func (s setting) ofWorktrees() bool {
	return s.key == "extensions.worktreeconfig" && !strings.EqualFold(s.value, "false")
}

// noteInside notes what an absolute path leads to through the workspace, or in it.
func (l *looking) noteInside(absolute string, kind Kind) {
	t := l.resolve(absolute)
	if name, ok := l.relativePath(t.path); ok {
		l.addPassedLinks(t, kind, true)
		if t.info == nil {
			l.look.roots[name] = kind // a file tool may make it
			return
		}
		l.followLinks(name, kind, true)
		return
	}
	l.addPassedLinks(t, kind, true)
}

package workspace

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"fairlead/backend/change"
	"fairlead/backend/leftover"
	"fairlead/backend/message"
	"fairlead/backend/workspace/autorun"
)

// The bounds on what a command may delete without a question (SPEC PRE-04): so many files, or
// so large a part of all, in hundredths, where it is not few.
const (
	maxDeleted  = 50
	deletedPart = 20
	fewDeleted  = 10
)

// Held says of changes that a command has made in a copy, by their index, why they are not
// applied without being asked about.
func (f *Folder) Held(ctx context.Context, p *change.Pending) (map[int]message.Held, error) {
	held := CollisionsOf(p)
	hold := func(i int, code message.HeldCode) {
		if _, ok := held[i]; !ok {
			held[i] = message.Held{Code: code}
		}
	}
	holdRepositories(p.Changes, hold)
	names := make([]string, len(p.Changes))
	for i, c := range p.Changes {
		names[i] = string(c.Path)
		switch {
		case c.After.Kind == change.File && c.After.Mode&(fs.ModeSetuid|fs.ModeSetgid) != 0 && c.After.Mode != c.Before.Mode:
			hold(i, message.HeldSetID)
		case c.After.Kind == change.Link && c.After.Target != c.Before.Target && f.leadsOut(c):
			hold(i, message.HeldOutside)
		}
	}
	acting := f.autorun.Held(ctx, names)
	for i, name := range names {
		if kind, ok := acting[name]; ok && !p.Changes[i].IsOnlyTime() {
			if _, known := held[i]; !known {
				held[i] = message.Held{Code: message.HeldAutorun, Autorun: message.Autorun(kind)}
			}
		}
	}
	many, err := f.deletesMany(ctx, p.Changes)
	if err != nil {
		return nil, err
	}
	for i, c := range p.Changes {
		if many && c.After.Kind == change.None && c.To == "" {
			hold(i, message.HeldDeletions)
		}
	}
	// What was moved is moved, or not, by both of its paths.
	at := map[leftover.Path]int{}
	for i, c := range p.Changes {
		at[c.Path] = i
	}
	for i, c := range p.Changes {
		if why, ok := held[i]; ok {
			for _, other := range []leftover.Path{c.From, c.To} {
				if j, known := at[other]; known && other != "" {
					hold(j, why.Code)
				}
			}
		}
	}
	holdUnits(p, held)
	return held, nil
}

// holdUnits holds all of a repository or a database of which something is held: it is applied as a
// whole or not at all.
func holdUnits(p *change.Pending, held map[int]message.Held) {
	why := map[leftover.Path]message.Held{}
	for i := range p.Changes {
		if one, ok := held[i]; ok {
			if _, known := why[p.UnitAt(i)]; !known {
				why[p.UnitAt(i)] = one
			}
		}
	}
	delete(why, "")
	for i := range p.Changes {
		one, isHeld := why[p.UnitAt(i)]
		if _, known := held[i]; isHeld && !known {
			held[i] = one
		}
	}
}

// holdRepositories holds repositories that were not there, with all that is in them: git
// folders, and folders that look like one.
func holdRepositories(changes []change.Change, hold func(int, message.HeldCode)) {
	made := map[string]bool{}
	for _, c := range changes {
		if c.Before.Kind == change.None {
			made[string(c.Path)] = true
		}
	}
	var repositories []string
	for _, c := range changes {
		name := string(c.Path)
		bare := c.After.Kind == change.Folder && made[name+"/HEAD"] && made[name+"/objects"] && made[name+"/refs"]
		if c.After.Kind != change.None && c.After.Kind != c.Before.Kind && autorun.IsGitFolder(name) || bare {
			repositories = append(repositories, name)
		}
	}
	for i, c := range changes {
		for _, repository := range repositories {
			if isWithinOrAt(string(c.Path), repository) {
				hold(i, message.HeldRepository)
			}
		}
	}
}

// leadsOut reports whether a new link leads out of the folder, as it is written.
func (f *Folder) leadsOut(c change.Change) bool {
	target := string(c.After.Target)
	if filepath.IsAbs(target) {
		target = path.Clean(target)
		return target != f.path && !strings.HasPrefix(target, f.path+"/")
	}
	joined := path.Join(path.Dir(string(c.Path)), target)
	return joined == ".." || strings.HasPrefix(joined, "../")
}

// deletesMany reports whether changes delete more files than pass without a question. What git
// ignores does not count, nor what this conversation has made.
func (f *Folder) deletesMany(ctx context.Context, changes []change.Change) (bool, error) {
	var gone []string
	for _, c := range changes {
		if c.After.Kind == change.None && c.Before.Kind != change.Folder && c.To == "" {
			gone = append(gone, string(c.Path))
		}
	}
	if len(gone) < fewDeleted {
		return false, nil
	}
	made, err := f.changes.Made(ctx)
	if err != nil {
		return false, err
	}
	count, ignored := 0, f.Ignored()
	for _, name := range gone {
		if !made[leftover.Path(name)] && !ignored(name) {
			count++
		}
	}
	switch {
	case count > maxDeleted:
		return true, nil
	case count < fewDeleted:
		return false, nil
	}
	all := 0
	_, err = f.Walk(ctx, ".", func(e Entry) error {
		if !e.Type.IsDir() {
			all++
		}
		return nil
	})
	return count*100 > all*deletedPart, err
}

// Ignored returns what reports whether git ignores a path, by the rules that there are now.
func (f *Folder) Ignored() func(name string) bool {
	rules := map[string]*Rules{}
	return func(name string) bool {
		dir := path.Dir(name)
		if _, ok := rules[dir]; !ok {
			rules[dir] = f.rulesIn(dir, f.rulesAt(dir))
		}
		return f.isIgnored(name, rules[dir])
	}
}

// isIgnored reports whether git ignores a file, or a folder that it lies in.
func (f *Folder) isIgnored(name string, rules *Rules) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if f.rulesAt(path.Dir(dir)).IgnoresPath(dir, true) {
			return true
		}
	}
	return rules.IgnoresPath(name, false)
}

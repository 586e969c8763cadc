package change

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"fairlead/backend/leftover"
)

// Unit is what is taken back as a whole or not at all: the folder in which git keeps a
// repository, or the files of one SQLite database (SPEC CHG-07).
type Unit struct {
	// Path is the folder, or the database.
	Path leftover.Path `json:"path"`
	// Before and After are sums of all that is in it, whether it changed or not.
	Before string `json:"before"`
	After  string `json:"after"`
}

// databaseSuffixes are what SQLite adds to the name of a database for the files beside it.
var databaseSuffixes = []string{"-wal", "-shm", "-journal"}

// sharedMemory is the one that readers change too, and that is made anew.
const sharedMemory = "-shm"

// UnitOf is the unit that a path is part of; empty for none.
func UnitOf(local leftover.Path) leftover.Path {
	at := string(local)
	for end := 0; ; {
		next := strings.IndexByte(at[end:], '/')
		name := at[end:]
		if next >= 0 {
			name = at[end : end+next]
		}
		if strings.EqualFold(name, ".git") {
			return leftover.Path(at[:end+len(name)])
		}
		if next < 0 {
			break
		}
		end += next + 1
	}
	for _, suffix := range databaseSuffixes {
		if base, ok := strings.CutSuffix(at, suffix); ok && path.Base(base) != "" {
			return leftover.Path(base)
		}
	}
	return ""
}

// unitsOf are the units that changes touch, with a database that only its own file stands
// for, where another file of it is known.
func unitsOf(changes []Change, known func(leftover.Path) bool) []leftover.Path {
	var units []leftover.Path
	for _, c := range changes {
		unit := UnitOf(c.Path)
		if unit == "" && known(c.Path+"-wal") {
			unit = c.Path
		}
		if unit != "" && !slices.Contains(units, unit) {
			units = append(units, unit)
		}
	}
	return units
}

// Has reports whether a change is of something that is part of the unit.
func (u Unit) Has(c Change) bool { return inUnit(c.Path, u.Path) }

// inUnit reports whether a path is part of a unit.
func inUnit(local, unit leftover.Path) bool {
	if isWithin(string(local), string(unit)) {
		return true
	}
	return slices.ContainsFunc(databaseSuffixes, func(suffix string) bool { return local == unit+leftover.Path(suffix) })
}

// sumUnit is the sum of all that a unit holds now, which lies at another path for the moment
// where its folder has been moved.
func (t *tree) sumUnit(ctx context.Context, unit, at leftover.Path) (string, error) {
	l := lister{ctx: ctx, tree: t}
	for _, local := range append([]string{string(at)}, besides(string(at))...) {
		state, err := t.look(local)
		if err != nil {
			return "", err
		}
		if state.Kind != None {
			if err := l.add(local, state); err != nil {
				return "", err
			}
		}
	}
	sum := sha256.New()
	slices.SortFunc(l.all, func(a, b Entry) int { return comparePaths(a.Path, b.Path) })
	for _, e := range l.all {
		state := e.State
		if state.Kind == File && !isNamedByContent(e.Path) {
			var err error
			if state.Sum, err = t.meaning(string(e.Path), state); err != nil {
				return "", err
			}
		}
		writeSummed(sum, unit+e.Path[len(at):], state)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func besides(database string) []string {
	var files []string
	for _, suffix := range databaseSuffixes {
		files = append(files, database+suffix)
	}
	return files
}

// unitSums are the units that differences touch, as the base has them before it is updated.
func (b *base) unitSums(found []difference) []Unit {
	changes := make([]Change, len(found))
	come := map[leftover.Path]bool{}
	for i, d := range found {
		changes[i].Path, come[d.path] = d.path, true
	}
	var units []Unit
	for _, unit := range unitsOf(changes, func(local leftover.Path) bool { return come[local] || b.entries[local] != nil }) {
		units = append(units, Unit{Path: unit, Before: b.sumUnit(unit)})
	}
	return units
}

// sumUnit is the same sum of what a base has.
func (b *base) sumUnit(unit leftover.Path) string {
	now := b.entries
	var paths []leftover.Path
	for local := range now {
		if inUnit(local, unit) {
			paths = append(paths, local)
		}
	}
	slices.SortFunc(paths, comparePaths)
	sum := sha256.New()
	for _, local := range paths {
		state := now[local].State
		if state.Kind == File && !isNamedByContent(local) {
			state.Sum = now[local].Meaning
		}
		writeSummed(sum, local, state)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// writeSummed adds one entry to the sum of a unit.
func writeSummed(sum io.Writer, local leftover.Path, s State) {
	switch {
	case strings.HasSuffix(string(local), sharedMemory), s.Kind == Other:
	case leftover.IsTemporaryName(path.Base(string(local))): // a fault left it, and the next start deletes it
	case s.Kind == Folder:
		fmt.Fprintf(sum, "%q folder\n", local)
	case s.Kind == File && isNamedByContent(local):
		fmt.Fprintf(sum, "%q %d\n", local, s.Size)
	default:
		fmt.Fprintf(sum, "%q %s %v %q %s\n", local, s.Kind, s.runs(), s.Target, s.Sum)
	}
}

// isNamedByContent reports whether a file of a repository has a name that says what it holds.
func isNamedByContent(local leftover.Path) bool {
	unit := UnitOf(local)
	return unit != "" && strings.HasPrefix(string(local), string(unit)+"/objects/")
}

// isIndex reports whether a file of a repository has the name of an index.
func isIndex(local leftover.Path) bool {
	return path.Base(string(local)) == "index" && UnitOf(local) != ""
}

// meaning is the sum of what a file says: of git's index without what git notes there of the
// files on the disk, which it does at every look.
func (t *tree) meaning(local string, seen State) (string, error) {
	at, err := t.spotOf(local)
	if err != nil {
		return "", err
	}
	file, err := openSeen(at.dir, at.name, seen)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	return meaningOf(leftover.Path(local), io.NewSectionReader(file, 0, seen.Size))
}

// meaningOf is the sum of what the content of a file says.
func meaningOf(local leftover.Path, content io.Reader) (string, error) {
	if isIndex(local) {
		text, err := io.ReadAll(io.LimitReader(content, maxCompared+1))
		if err != nil {
			return "", err
		}
		if sum, ok := indexMeaning(text); ok {
			return sum, nil
		}
		return SumOf(text), nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// holdUnits makes conflicts of all steps in units that are not as they were left, or of which
// a step is a conflict. left are the sums that units would have after the steps so far.
func (p *planning) holdUnits(steps []Step, units []Unit) error {
	for _, unit := range units {
		var own []*Step
		for i := range steps {
			if inUnit(steps[i].Path(), unit.Path) {
				own = append(own, &steps[i])
			}
		}
		if len(own) == 0 {
			continue
		}
		wanted, becomes := unit.After, unit.Before
		now, planned := p.units[unit.Path]
		if at, ok := p.presentPath(unit.Path); !planned && ok {
			var err error
			if now, err = p.tree.sumUnit(p.ctx, unit.Path, at); err != nil {
				return err
			}
		}
		broken := now != wanted || slices.ContainsFunc(own, func(s *Step) bool { return s.Verdict == Impossible })
		for _, s := range own {
			s.Unit = unit.Path
			switch {
			case broken:
				p.hold(s)
			case s.Verdict == Conflict && (s.object != "" || s.After.Kind == None):
				s.Verdict = Restore // it says the same, in other bytes
				p.left[s.Path()] = leftState{State: s.After, object: s.object}
			case s.Verdict == Conflict:
				s.Verdict = Nothing
			}
		}
		if !broken {
			p.units[unit.Path] = becomes
		}
	}
	return nil
}

// holdChanged makes conflicts of the steps in units that are no longer as a plan found them.
func (w *work) holdChanged(ctx context.Context, units []Unit, steps []Step) error {
	for _, unit := range units {
		own := func(s Step) bool { return s.Unit == unit.Path && s.Verdict == Restore }
		if !slices.ContainsFunc(steps, own) {
			continue
		}
		now, err := w.tree.sumUnit(ctx, unit.Path, unit.Path)
		if err != nil {
			return err
		}
		for i := range steps {
			if own(steps[i]) && now != unit.After {
				steps[i].Verdict = Conflict
			}
		}
	}
	return nil
}

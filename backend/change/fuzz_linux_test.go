//go:build linux && !race

// Hundreds of sequences with real files take the race detector many times as long; its turn
// is the tests of commands beside writes.

package change_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
)

// sequence is one of random calls in a folder, with somebody else who writes there too.
type sequence struct {
	t       *rapid.T
	r       *change.Recorder
	folder  string
	objects string
	root    *os.Root
	// theirs are the words that somebody else has written and not overwritten, by path.
	theirs map[string][]string
	calls  []string
	edited bool
	word   int
}

var fuzzPaths = []string{"a", "b", "d/c", "d/e/f", "g"}

func (s *sequence) path() string { return rapid.SampledFrom(fuzzPaths).Draw(s.t, "path") }

func (s *sequence) call() string {
	s.calls = append(s.calls, fmt.Sprintf("call%d", len(s.calls)))
	return s.calls[len(s.calls)-1]
}

func (s *sequence) target(local string) (change.Target, func()) {
	way, at := []change.Opened{{Root: s.root, Path: "."}}, "."
	var opened []*os.Root
	parts := strings.Split(local, "/")
	for _, part := range parts[:len(parts)-1] {
		at = filepath.Join(at, part)
		below, err := s.root.OpenRoot(at)
		if err != nil {
			break
		}
		opened = append(opened, below)
		way = append(way, change.Opened{Root: below, Path: at})
	}
	info, err := s.root.Lstat(local)
	if err != nil {
		info = nil
	}
	return change.Target{Way: way, Path: local, Seen: info}, func() {
		for _, o := range opened {
			_ = o.Close()
		}
	}
}

// write, delete and move may fail, because something else lies there: nothing is lost then.
func (s *sequence) write() {
	target, done := s.target(s.path())
	defer done()
	if target.Seen != nil && target.Seen.IsDir() {
		return
	}
	_, _ = s.r.Write(s.t.Context(), s.call(), target, fmt.Appendf(nil, "tool %d\n", len(s.calls)), change.Lines{})
}

func (s *sequence) delete() {
	target, done := s.target(rapid.SampledFrom([]string{"a", "b", "d", "d/c", "d/e", "g"}).Draw(s.t, "deleted"))
	defer done()
	if target.Seen == nil {
		return
	}
	if listed, err := s.r.List(s.t.Context(), target); err == nil {
		_, _ = s.r.Delete(s.t.Context(), s.call(), target, listed)
	}
}

func (s *sequence) move() {
	from, done := s.target(rapid.SampledFrom([]string{"a", "b", "d", "d/c"}).Draw(s.t, "from"))
	defer done()
	to, closeTo := s.target(rapid.SampledFrom([]string{"b", "g", "h/i", "d/e/f"}).Draw(s.t, "to"))
	defer closeTo()
	if from.Seen == nil || to.Seen != nil || strings.HasPrefix(to.Path, from.Path+"/") {
		return
	}
	_, _ = s.r.Move(s.t.Context(), s.call(), from, to)
}

func (s *sequence) command() {
	line := rapid.SampledFrom([]string{
		"echo command >a", "rm -rf d", "mv a b", "echo more >>g", "mkdir -p d/e && echo x >d/e/f", "rm -f b", "chmod 600 a", "rm -rf d && echo file >d", "ln -f a g",
	}).Draw(s.t, "line")
	command, err := s.r.BeginCommand(s.t.Context(), s.call())
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = s.folder
	_ = cmd.Run() // what it works on may not be there
	if _, err := command.End(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sequence) scope() change.Scope {
	if len(s.calls) == 0 || rapid.Bool().Draw(s.t, "all") {
		return change.Scope{}
	}
	return change.Scope{Calls: []string{rapid.SampledFrom(s.calls).Draw(s.t, "call")}}
}

func (s *sequence) carryOut(plan change.Plan, err error) {
	if err != nil {
		s.t.Fatal(err)
	}
	done, err := s.r.CarryOut(s.t.Context(), plan)
	if err != nil {
		s.t.Fatal(err)
	}
	if conflicts := plan.Count(change.Conflict) + plan.Count(change.Impossible); len(done.Kept) < conflicts {
		s.t.Fatalf("%d conflicts, and only %d are told", conflicts, len(done.Kept))
	}
}

// edit has somebody else add a word to a file, or make one.
func (s *sequence) edit(local string) {
	s.edited = true
	s.word++
	word := fmt.Sprintf("word%d.", s.word)
	whole := filepath.Join(s.folder, local)
	if os.MkdirAll(filepath.Dir(whole), 0o755) != nil {
		return
	}
	file, err := os.OpenFile(whole, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return
	}
	defer file.Close()
	if _, err := file.WriteString(word); err == nil {
		s.theirs[local] = append(s.theirs[local], word)
	}
}

// check fails if a word that somebody else wrote is neither in the folder nor kept.
func (s *sequence) check() {
	var text strings.Builder
	for _, dir := range []string{s.folder, s.objects} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && !strings.Contains(d.Name(), ".after") && !strings.HasPrefix(d.Name(), "base.") {
				content, _ := os.ReadFile(path)
				text.Write(content)
			}
			return nil
		})
	}
	for local, words := range s.theirs {
		for _, word := range words {
			if !strings.Contains(text.String(), word) {
				s.t.Fatalf("%s of %s is lost", word, local)
			}
		}
	}
}

func TestCHG04_NothingOfOthersIsLost(t *testing.T) {
	for _, beside := range []bool{false, true} {
		t.Run(fmt.Sprintf("beside %v", beside), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) { play(t, rt, beside) })
		})
	}
}

// play plays one sequence. Somebody else writes between the calls, or beside them.
func play(t *testing.T, rt *rapid.T, beside bool) {
	base, err := os.MkdirTemp(t.TempDir(), "")
	must(t, err)
	defer func() { _ = os.RemoveAll(base) }()
	s := &sequence{t: rt, folder: filepath.Join(base, "work"), objects: filepath.Join(base, "objects"), theirs: map[string][]string{}}
	for _, local := range fuzzPaths[:4] {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(s.folder, local)), 0o755))
		must(t, os.WriteFile(filepath.Join(s.folder, local), []byte("first "+local+"\n"), 0o644))
	}
	s.root, err = os.OpenRoot(s.folder)
	must(t, err)
	defer s.root.Close()
	var closeAll func()
	s.r, closeAll = changetest.Open(s.root, s.folder, s.objects)
	defer closeAll()
	s.r.SetRun("r1")
	before := snapshot(t, s.folder)
	for range rapid.IntRange(1, 12).Draw(rt, "steps") {
		what := rapid.IntRange(0, 7).Draw(rt, "what")
		var writing sync.WaitGroup
		// What a command does to a file after it was looked at, nobody else has seen.
		if beside && what != 4 && rapid.Bool().Draw(rt, "edits") {
			local := s.path()
			writing.Go(func() { s.edit(local) })
		}
		switch what {
		case 0, 1:
			s.write()
		case 2:
			s.delete()
		case 3:
			s.move()
		case 4:
			s.command()
		case 5:
			s.carryOut(s.r.PlanUndo(rt.Context(), s.scope()))
		case 6:
			s.carryOut(s.r.PlanRedo(rt.Context(), s.scope()))
		case 7:
			if !beside {
				s.edit(s.path())
			}
		}
		writing.Wait()
		s.check()
	}
	if s.edited {
		return
	}
	// Where nobody else changed anything, all is as it was when all is taken back.
	for range len(s.calls) + 1 {
		s.carryOut(s.r.PlanUndo(rt.Context(), change.Scope{}))
	}
	after := snapshot(t, s.folder)
	for name, e := range before {
		if got := after[name]; got.Content != e.Content || got.Mode != e.Mode {
			rt.Fatalf("%s holds %+v, and held %+v", name, got, e)
		}
	}
	if len(after) != len(before) {
		rt.Fatalf("there are %d entries, and were %d", len(after), len(before))
	}
}

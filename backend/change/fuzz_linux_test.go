//go:build linux && !race

// Hundreds of sequences with real files take the race detector many times as long; its turn
// is the tests of commands beside writes.

package change_test

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	// partly reports whether calls were taken back alone: another may stand in the way then.
	partly bool
	// editor is the other program, and edits are its answers.
	editor io.Writer
	edits  io.Reader
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
	s.partly = true
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

// edit has somebody else add a word to a file, or make one. wait waits until that is done.
func (s *sequence) edit(local string) (wait func()) {
	s.edited = true
	s.word++
	word := fmt.Sprintf("word%d.", s.word)
	turns := rapid.IntRange(0, 2000).Draw(s.t, "turns")
	if _, err := fmt.Fprintf(s.editor, "%d %s %s\n", turns, filepath.Join(s.folder, local), word); err != nil {
		s.t.Fatal(err)
	}
	return func() {
		var written bool
		if _, err := fmt.Fscanln(s.edits, &written); err != nil {
			s.t.Fatal(err)
		}
		if written {
			s.theirs[local] = append(s.theirs[local], word)
		}
	}
}

// editorVariable has the test program write what it reads the orders for.
const editorVariable = "FAIRLEAD_TEST_EDITOR"

// TestEditor is no test, but the other program that writes in the folder.
func TestEditor(t *testing.T) {
	if os.Getenv(editorVariable) == "" {
		t.Skip("started by TestCHG04_NothingOfOthersIsLost")
	}
	for {
		var turns int
		var path, word string
		if _, err := fmt.Scanln(&turns, &path, &word); err != nil {
			os.Exit(0) // nobody reads what a test says here
		}
		for range turns { // so that it writes at any moment
			_ = os.Getppid()
		}
		fmt.Println(addWord(path, word) == nil)
	}
}

func addWord(path, word string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString(word)
	return err
}

// startEditor starts the other program.
func startEditor(t *testing.T) (orders io.Writer, answers io.Reader) {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program, "-test.run=^TestEditor$")
	cmd.Env = append(os.Environ(), editorVariable+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = in.Close()
		must(t, cmd.Wait())
	})
	return in, out
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
			editor, edits := startEditor(t)
			rapid.Check(t, func(rt *rapid.T) {
				s, closeAll := newSequence(t, rt)
				defer closeAll()
				s.editor, s.edits = editor, edits
				s.play(t, beside)
			})
		})
	}
}

// newSequence returns one for a new folder.
func newSequence(t *testing.T, rt *rapid.T) (s *sequence, closeAll func()) {
	t.Helper()
	base, err := os.MkdirTemp(t.TempDir(), "")
	must(t, err)
	s = &sequence{t: rt, folder: filepath.Join(base, "work"), objects: filepath.Join(base, "objects"), theirs: map[string][]string{}}
	for _, local := range fuzzPaths[:4] {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(s.folder, local)), 0o755))
		must(t, os.WriteFile(filepath.Join(s.folder, local), []byte("first "+local+"\n"), 0o644))
	}
	s.root, err = os.OpenRoot(s.folder)
	must(t, err)
	r, closeRecorder := changetest.Open(s.root, s.folder, s.objects)
	r.SetRun("r1")
	s.r = r
	return s, func() {
		closeRecorder()
		_ = s.root.Close()
		_ = os.RemoveAll(base)
	}
}

// play plays a sequence. Somebody else writes between the calls, or beside them.
func (s *sequence) play(t *testing.T, beside bool) {
	t.Helper()
	before := snapshot(t, s.folder)
	for range rapid.IntRange(1, 12).Draw(s.t, "steps") {
		what := rapid.IntRange(0, 7).Draw(s.t, "what")
		wait := func() {}
		// What a command does to a file after it was looked at, nobody else has seen.
		if beside && what > 1 && rapid.Bool().Draw(s.t, "edits") {
			wait = s.edit(s.path())
		}
		switch what {
		case 0, 1:
			s.command()
		case 2:
			s.delete()
		case 3:
			s.move()
		case 4:
			s.write()
		case 5:
			s.carryOut(s.r.PlanUndo(s.t.Context(), s.scope()))
		case 6:
			s.carryOut(s.r.PlanRedo(s.t.Context(), s.scope()))
		case 7:
			if !beside {
				wait = s.edit(s.path())
			}
		}
		wait()
		s.check()
	}
	if s.edited || s.partly {
		return
	}
	// Where nobody else changed anything, all is as it was when all is taken back.
	for range len(s.calls) + 1 {
		s.carryOut(s.r.PlanUndo(s.t.Context(), change.Scope{}))
	}
	after := snapshot(t, s.folder)
	for name, e := range before {
		if got := after[name]; got.Content != e.Content || got.Mode != e.Mode {
			s.t.Fatalf("%s holds %+v, and held %+v", name, got, e)
		}
	}
	if len(after) != len(before) {
		s.t.Fatalf("there are %d entries, and were %d", len(after), len(before))
	}
}

// moment is what the folder is, but for the times of folders, in which commands also do what
// is no change. Links are counted in the folder only.
func (s *sequence) moment(t *testing.T) map[string]entry {
	t.Helper()
	all := withoutTimes(snapshot(t, s.folder))
	names := map[uint64]uint64{}
	inodeAt := func(name string) uint64 {
		info, err := os.Lstat(filepath.Join(s.folder, name))
		must(t, err)
		return info.Sys().(*syscall.Stat_t).Ino
	}
	for name := range all {
		names[inodeAt(name)]++
	}
	for name, e := range all {
		e.Links = names[inodeAt(name)]
		all[name] = e
	}
	return all
}

// TestCHG04_UndoAndRedoLeadToEveryMoment changes a folder at random, and takes that back and
// makes it again, the last call first: the folder is then as it was at each moment.
func TestCHG04_UndoAndRedoLeadToEveryMoment(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, closeAll := newSequence(t, rt)
		defer closeAll()
		// moments are what the folder was before each call and after the last, and at says which
		// one it is now. The call between two moments is the one of the first.
		moments, calls, at := []map[string]entry{s.moment(t)}, []string{}, 0
		for range rapid.IntRange(1, 14).Draw(rt, "steps") {
			what := rapid.IntRange(0, 8).Draw(rt, "what")
			switch {
			case what == 5 && at > 0:
				at--
				s.carryOut(s.r.PlanUndo(rt.Context(), change.Scope{Calls: calls[at : at+1]}))
			case what == 6 && at < len(calls):
				s.carryOut(s.r.PlanRedo(rt.Context(), change.Scope{Calls: calls[at : at+1]}))
				at++
			case what == 7 && at > 0:
				s.carryOut(s.r.PlanUndo(rt.Context(), change.Scope{}))
				at = 0
			case what == 8 && at < len(calls):
				s.carryOut(s.r.PlanRedo(rt.Context(), change.Scope{Calls: calls[at:]}))
				at = len(calls)
			case what < 5:
				[]func(){s.write, s.write, s.delete, s.move, s.command}[what]()
				if len(s.calls) == 0 || slices.Contains(calls, s.calls[len(s.calls)-1]) {
					continue // there was nothing to do
				}
				moments, calls = append(moments[:at+1], s.moment(t)), append(calls[:at], s.calls[len(s.calls)-1])
				at++
			}
			if diff := cmp.Diff(moments[at], s.moment(t)); diff != "" {
				rt.Fatalf("at moment %d after %v:\n%s", at, calls, diff)
			}
		}
	})
}

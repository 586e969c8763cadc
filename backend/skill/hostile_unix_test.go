//go:build unix

package skill_test

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/skill"

	"github.com/google/go-cmp/cmp"
)

// TestEXT04_PipesAreNotWaitedFor would hang if opening waited.
func TestEXT04_PipesAreNotWaitedFor(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/a/x", "x")
	s.put(".agents/skills/b/SKILL.md", text("b", "x"))
	putFile(t, filepath.Join(s.own, "c", "x"), "x")
	for _, path := range []string{
		filepath.Join(s.dir, ".agents/skills/a/SKILL.md"), filepath.Join(s.dir, ".agents/skills/b/pipe"),
		filepath.Join(s.dir, ".agents/skills/pipe"), filepath.Join(s.dir, ".claude"), filepath.Join(s.own, "c", "SKILL.md"),
	} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{".agents/skills/a: special", ".agents/skills/b: special", filepath.Join(s.own, "c") + ": special"}
	if diff := cmp.Diff(want, leftOut(s.find())); diff != "" {
		t.Error(diff)
	}
}

// TestEXT04_APipeForTheOwnSkills is one more that opening could wait for.
func TestEXT04_APipeForTheOwnSkills(t *testing.T) {
	s := newShelf(t)
	if err := os.Mkdir(filepath.Dir(s.own), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(s.own, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := leftOut(s.find()); len(got) != 1 {
		t.Errorf("left out %v", got)
	}
}

func TestEXT04_ABitOfTheModeMakesItAnotherSkill(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/a/SKILL.md", text("a", "x"))
	s.put(".agents/skills/a/run", "1")
	before := s.only()
	path := filepath.Join(s.dir, ".agents/skills/a/run")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.only(); got.SHA256 != before.SHA256 {
		t.Error("it is another one by a bit that runs nothing")
	}
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := s.only(); got.SHA256 == before.SHA256 || !got.Files[1].Executable {
		t.Errorf("%+v", got)
	}
}

func TestEXT04_NamesOfAllKinds(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/g\n[x]\u202e/a/SKILL.md", text("a", "x"))
	s.put(".agents/skills/g\n[x]\u202e/a/con", "x")
	s.put(".agents/skills/g\n[x]\u202e/a/f\xff", "x")
	s.put(".agents/skills/g\n[x]\u202e/a/..x", "x")
	s.put(".agents/skills/g\n[x]\u202e/a/a:b", "x")
	got := s.only()
	if got.Folder != `.agents/skills/"g\n[x]\u202e"/a` {
		t.Errorf("folder %s", got.Folder)
	}
	var paths []string
	for _, f := range got.Files {
		paths = append(paths, f.Path)
	}
	if diff := cmp.Diff([]string{"..x", "SKILL.md", "a:b", "con", `"f\xff"`}, paths); diff != "" {
		t.Error(diff)
	}
	for _, path := range paths {
		if got, err := s.library.Text(t.Context(), got, path); err != nil || got == "" {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}

// TestEXT04_WhatIsGivenIsWhatWasAgreedTo reads a skill that changes all the time: what is given is
// never the other text.
func TestEXT04_WhatIsGivenIsWhatWasAgreedTo(t *testing.T) {
	s := newShelf(t)
	good := text("a", "good")
	s.put(".agents/skills/a/SKILL.md", good)
	a := s.only()
	path := filepath.Join(s.dir, ".agents/skills/a/SKILL.md")
	outside := filepath.Join(t.TempDir(), "out.md")
	putFile(t, outside, text("a", "evil"))
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			switch next := path + ".next"; i % 3 {
			case 0:
				_ = os.WriteFile(path, []byte(text("a", "evil")), 0o600)
			case 1:
				_ = os.Remove(path)
				_ = os.Symlink(outside, path)
			default:
				_ = os.WriteFile(next, []byte(good), 0o600)
				_ = os.Rename(next, path)
			}
		}
	})
	given := 0
	for range 3000 {
		switch text, err := s.library.Text(t.Context(), a, skill.TextFile); {
		case err == nil && text == good:
			given++
		case err == nil:
			t.Errorf("gave %q", text)
		case code(err) != message.StaleFile && code(err) != message.ExecutionError: // a link just came that leads out
			t.Error(err)
		}
		if _, err := s.library.Find(t.Context()); err != nil {
			t.Error(err)
		}
	}
	close(done)
	group.Wait()
	t.Logf("given %d times", given)
}

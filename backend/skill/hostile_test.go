package skill_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEXT04_WhatCannotBeUsedIsLeftOut(t *testing.T) {
	for _, test := range []struct {
		name   string
		make   func(s *shelf)
		want   string
		others int
	}{
		{"no description", func(s *shelf) { s.put(".agents/skills/a/SKILL.md", "---\nname: a\n---\nx") }, ".agents/skills/a: no_description", 0},
		{"no front matter", func(s *shelf) { s.put(".agents/skills/a/SKILL.md", "# Title\n") }, ".agents/skills/a: no_front_matter", 0},
		{"nothing", func(s *shelf) { s.put(".agents/skills/a/SKILL.md", "") }, ".agents/skills/a: no_front_matter", 0},
		{"front matter that does not end", func(s *shelf) {
			s.put(".agents/skills/a/SKILL.md", "---\nname: a\ndescription: "+strings.Repeat("x\n", 500_000))
		}, ".agents/skills/a: open_front_matter", 0},
		{"no text", func(s *shelf) { s.put(".agents/skills/a/SKILL.md", "---\nname: a\ndescription: \x00\x01\n---\n") }, ".agents/skills/a: not_text", 0},
		{"no name", func(s *shelf) { s.put(".agents/skills/A b/SKILL.md", text("A b", "x")) }, ".agents/skills/A b: name", 0},
		{"a long text", func(s *shelf) { s.put(".agents/skills/a/SKILL.md", text("a", strings.Repeat("x", 1<<20))) }, ".agents/skills/a: long_text", 0},
		{"many bytes", func(s *shelf) {
			s.put(".agents/skills/a/SKILL.md", text("a", "x"))
			s.put(".agents/skills/a/x", strings.Repeat("x", 16<<20))
		}, ".agents/skills/a: many_bytes", 0},
		{"a link for a text", func(s *shelf) {
			s.put("x.md", text("a", "x"))
			s.link("../../../x.md", ".agents/skills/a/SKILL.md")
		}, ".agents/skills/a: link", 0},
		{"a link that leads out", func(s *shelf) {
			outside := s.t.TempDir()
			putFile(s.t, filepath.Join(outside, "SKILL.md"), text("a", "x"))
			s.link(outside, ".agents/skills/a")
		}, ".agents/skills/a: link", 0},
		{"a link to another folder", func(s *shelf) {
			s.put("elsewhere/a/SKILL.md", text("a", "x"))
			s.link("../elsewhere", ".agents/skills")
		}, ".agents/skills: link", 0},
		{"a file for a folder", func(s *shelf) { s.put(".agents/skills", "x") }, ".agents/skills: no_folder", 0},
		{"a secret for a text", func(s *shelf) {
			s.put(".env", text("a", "x"))
			s.put(".agents/skills/a/x", "")
			if err := os.Link(filepath.Join(s.dir, ".env"), filepath.Join(s.dir, ".agents", "skills", "a", "SKILL.md")); err != nil {
				s.t.Skipf("this system does not link files: %v", err)
			}
		}, ".agents/skills/a: secret", 0},
		{"deep folders", func(s *shelf) {
			s.put(".agents/skills/a/SKILL.md", text("a", "x"))
			s.put(".agents/skills/a/"+strings.Repeat("x/", 17)+"x", "")
		}, ".agents/skills/a: deep", 0},
		{"many files", func(s *shelf) {
			s.put(".agents/skills/a/SKILL.md", text("a", "x"))
			for i := range 200 {
				s.put(fmt.Sprintf(".agents/skills/a/%d", i), "")
			}
		}, ".agents/skills/a: many_files", 0},
		{"a flood of files", func(s *shelf) {
			s.put(".agents/skills/a/SKILL.md", text("a", "x"))
			for i := range 2000 {
				s.put(fmt.Sprintf(".agents/skills/a/%d", i), "")
			}
		}, ".agents/skills/a: many_files", 0},
		{"many empty folders", func(s *shelf) {
			s.put(".agents/skills/a/SKILL.md", text("a", "x"))
			for i := range 201 {
				s.put(fmt.Sprintf(".agents/skills/a/%d/x", i), "")
				_ = os.Remove(filepath.Join(s.dir, ".agents/skills/a", fmt.Sprint(i), "x"))
			}
		}, ".agents/skills/a: many_folders", 0},
		{"many skills", func(s *shelf) {
			for i := range 101 {
				s.put(fmt.Sprintf(".agents/skills/a%03d/SKILL.md", i), text("a", "x"))
			}
		}, ".agents/skills/a100: more_skills", 100},
		{"many folders", func(s *shelf) {
			s.put(".agents/skills/0/SKILL.md", text("a", "x"))
			for i := range 2000 {
				s.put(fmt.Sprintf(".agents/skills/a%04d/x", i), "")
			}
		}, ".agents/skills/a1999: more_folders", 1},
		{"much in all", func(s *shelf) {
			for i := range 6 {
				s.put(fmt.Sprintf(".agents/skills/a%d/SKILL.md", i), text("a", "x"))
				s.put(fmt.Sprintf(".agents/skills/a%d/x", i), strings.Repeat("x", 15<<20))
			}
		}, ".agents/skills/a5: more_bytes", 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShelf(t)
			putFile(t, filepath.Join(s.own, "own", "SKILL.md"), text("own", "mine"))
			test.make(s)
			found := s.find()
			if diff := cmp.Diff([]string{test.want}, leftOut(found)); diff != "" {
				t.Error(diff)
			}
			if len(found.Skills) != test.others+1 {
				t.Errorf("found %v", folders(found.Skills))
			}
		})
	}
}

func TestEXT04_ALookEndsWhereTooMuchIsLeftOut(t *testing.T) {
	s := newShelf(t)
	for i := range 300 {
		s.put(fmt.Sprintf(".agents/skills/%d/SKILL.md", i), "")
	}
	list := leftOut(s.find())
	if len(list) != 201 || !strings.HasSuffix(list[200], "more_left_out") {
		t.Errorf("%d left out, at last %s", len(list), list[len(list)-1])
	}
}

// BenchmarkFindNothing is what each run costs in a workspace without skills.
func BenchmarkFindNothing(b *testing.B) {
	s := newShelf(b)
	for b.Loop() {
		if found, err := s.library.Find(b.Context()); err != nil || len(found.Skills) > 0 {
			b.Fatal(found, err)
		}
	}
}

// BenchmarkFind looks for ten skills of five files with 4 KiB each.
func BenchmarkFind(b *testing.B) {
	s := newShelf(b)
	for i := range 10 {
		folder := fmt.Sprintf(".agents/skills/a%d/", i)
		s.put(folder+"SKILL.md", text(fmt.Sprintf("a%d", i), "x")+strings.Repeat("x", 4<<10))
		for file := range 4 {
			s.put(fmt.Sprintf("%sscripts/%d", folder, file), strings.Repeat("x", 4<<10))
		}
	}
	for b.Loop() {
		if found, err := s.library.Find(b.Context()); err != nil || len(found.Skills) != 10 {
			b.Fatal(found, err)
		}
	}
}

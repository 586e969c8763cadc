package skill_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/skill"
	"fairlead/backend/workspace"

	"github.com/google/go-cmp/cmp"
)

// shelf is a workspace and a folder for the user's own skills.
type shelf struct {
	t        testing.TB
	dir, own string
	library  *skill.Library
}

func newShelf(t testing.TB) *shelf {
	t.Helper()
	base := t.TempDir()
	s := &shelf{t: t, dir: filepath.Join(base, "work"), own: filepath.Join(base, "settings", "skills")}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	folder, err := workspace.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	s.library = skill.NewLibrary(folder, s.own)
	return s
}

// put writes a file of the workspace.
func (s *shelf) put(path, content string) {
	s.t.Helper()
	putFile(s.t, filepath.Join(s.dir, filepath.FromSlash(path)), content)
}

func putFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// text is a SKILL.md.
func text(name, description string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n\n# %s\n\nDo this.\n", name, description, name)
}

// link makes a link in the workspace.
func (s *shelf) link(target, path string) {
	s.t.Helper()
	path = filepath.Join(s.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	sandboxtest.Link(s.t, target, path)
}

func (s *shelf) find() skill.Found {
	s.t.Helper()
	found, err := s.library.Find(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

// only returns the one skill that there is.
func (s *shelf) only() skill.Skill {
	s.t.Helper()
	found := s.find()
	if len(found.Skills) != 1 {
		s.t.Fatalf("found %+v", found)
	}
	return found.Skills[0]
}

// leftOut lists what is left out, as PATH: REASON.
func leftOut(found skill.Found) (list []string) {
	for _, l := range found.LeftOut {
		list = append(list, l.Path+": "+string(l.Reason))
	}
	return list
}

func folders(skills []skill.Skill) (list []string) {
	for _, s := range skills {
		list = append(list, s.Folder)
	}
	return list
}

func TestEXT04_FindReadsWhatASkillSays(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/pdf/SKILL.md", "\ufeff---\r\nname: pdf\r\ndescription: Use this: for PDF files\r\nlicense: MIT\r\n"+
		"compatibility: needs python3\r\nallowed-tools: Bash(git:*) Read\r\nmetadata:\r\n  author: ada\r\n---\r\nBody\r\n")
	s.put(".agents/skills/pdf/scripts/run.py", "print(1)\n")
	s.put(".agents/skills/pdf/.env", "KEY=1\n")
	got := s.only()
	files := got.Files
	got.Files = nil
	want := skill.Skill{
		Name: "pdf", Description: "Use this: for PDF files", License: "MIT", Compatibility: "needs python3",
		AllowedTools: "Bash(git:*) Read", Folder: ".agents/skills/pdf", Source: skill.SourceWorkspace, SHA256: got.SHA256,
	}
	if fmt.Sprintf("%+v", got)[:200] != fmt.Sprintf("%+v", want)[:200] || len(got.SHA256) != 64 || len(got.Warnings) > 0 {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if diff := cmp.Diff([]skill.File{
		{Path: ".env", Bytes: 6, Secret: true},
		{Path: "SKILL.md", Bytes: files[1].Bytes},
		{Path: "scripts/run.py", Bytes: 9},
	}, files); diff != "" {
		t.Error(diff)
	}
}

func TestEXT04_WhereSkillsAreFound(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/a/SKILL.md", text("a", "x"))
	s.put(".agents/skills/1/2/3/b/SKILL.md", text("b", "x"))
	s.put(".agents/skills/1/2/3/4/c/SKILL.md", text("c", "x"))
	s.put(".agents/skills/a/inner/SKILL.md", text("inner", "x"))
	s.put(".agents/skills/SKILL.md", text("skills", "x"))
	s.put(".agents/skills/node_modules/d/SKILL.md", text("d", "x"))
	s.put(".gitignore", "e\n")
	s.put(".claude/skills/e/SKILL.md", text("e", "x"))
	putFile(t, filepath.Join(s.own, "f", "SKILL.md"), text("f", "x"))
	found := s.find()
	want := []string{".agents/skills/a", ".agents/skills/1/2/3/b", ".claude/skills/e", filepath.Join(s.own, "f")}
	if diff := cmp.Diff(want, folders(found.Skills)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{".agents/skills/1/2/3/4/c: deep"}, leftOut(found)); diff != "" {
		t.Error(diff)
	}
}

func TestEXT04_OneOfEachNameIsUsed(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/a/SKILL.md", text("a", "agents"))
	s.put(".claude/skills/a/SKILL.md", text("a", "claude"))
	putFile(t, filepath.Join(s.own, "a", "SKILL.md"), text("a", "own"))
	found := s.find()
	for _, test := range []struct {
		agreed []string
		want   string
	}{
		{[]string{"agents", "claude", "own"}, "agents"},
		{[]string{"claude", "own"}, "claude"},
		{[]string{"own"}, "own"},
	} {
		got := found.Choose(func(s skill.Skill) bool { return slices.Contains(test.agreed, s.Description) })
		if len(got) != 1 || got[0].Description != test.want {
			t.Errorf("of %v: %+v", test.agreed, got)
		}
	}
	if got := found.Choose(func(skill.Skill) bool { return false }); len(got) > 0 {
		t.Errorf("of none: %+v", got)
	}
	own := filepath.Join(s.own, "a")
	if diff := cmp.Diff([][]skill.Warning{
		{{Code: skill.WarningShadows, Text: ".claude/skills/a"}, {Code: skill.WarningShadows, Text: own}},
		{{Code: skill.WarningShadowed, Text: ".agents/skills/a"}},
		{{Code: skill.WarningShadowed, Text: ".agents/skills/a"}},
	}, [][]skill.Warning{found.Skills[0].Warnings, found.Skills[1].Warnings, found.Skills[2].Warnings}); diff != "" {
		t.Error(diff)
	}
}

func TestEXT04_WhatIsOddIsAWarning(t *testing.T) {
	long := strings.Repeat("长", 1100)
	for _, test := range []struct {
		name, folder, text, skill string
		want                      []skill.Warning
	}{
		{"another name", "a", text("b", "x"), "a", []skill.Warning{{Code: skill.WarningName, Text: "b"}}},
		{"a bad name", "a", text("../B", "x"), "a", []skill.Warning{{Code: skill.WarningName, Text: "../B"}}},
		{"no name", "a", "---\ndescription: x\n---\n", "a", []skill.Warning{{Code: skill.WarningName}}},
		{"a bad folder", "My Skill", text("my-skill", "x"), "my-skill", []skill.Warning{{Code: skill.WarningName, Text: "my-skill"}}},
		{"long texts", "a", "---\nname: a\ndescription: " + long + "\nlicense: " + long + "\ncompatibility: x\n---\n", "a", []skill.Warning{
			{Code: skill.WarningCut, Text: "description"}, {Code: skill.WarningCut, Text: "license"},
		}},
		{"repeated", "a", "---\nname: a\ndescription: x\ndescription: y\nother: 1\nother: 2\n---\n", "a", []skill.Warning{
			{Code: skill.WarningRepeated, Text: "description"},
		}},
		{"unread", "a", "---\nname: a\ndescription: x\nwhat is this\n---\n", "a", []skill.Warning{{Code: skill.WarningUnread, Count: 1}}},
		{"no UTF-8", "a", text("a", "x\xff"+strings.Repeat("中文", 20)), "a", []skill.Warning{{Code: skill.WarningEncoding}}},
		{"GB18030", "a", text("a", "\xb4\xa6\xc0\xed\xb1\xed\xb8\xf1\xce\xc4\xbc\xfe"), "a", []skill.Warning{{Code: skill.WarningEncoding, Text: "GB18030"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShelf(t)
			s.put(".agents/skills/"+test.folder+"/SKILL.md", test.text)
			got := s.only()
			if diff := cmp.Diff(test.want, got.Warnings); diff != "" || got.Name != test.skill {
				t.Errorf("%s: %s", got.Name, diff)
			}
			if n := len([]rune(got.Description)); n < 1 || n > 1024 {
				t.Errorf("description has %d characters", n)
			}
		})
	}
}

// TestEXT04_LinksToSkillsThatAreFound has the links that programs make so that each finds the same
// skills in a folder of its own.
func TestEXT04_LinksToSkillsThatAreFound(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/a/SKILL.md", text("a", "x"))
	s.link("../../.agents/skills/a", ".claude/skills/a")
	s.link("../../README.md", ".claude/skills/README.md")
	s.put("README.md", "x")
	s.link("nowhere", ".claude/skills/b")
	found := s.find()
	if diff := cmp.Diff([]string{".claude/skills/b: link"}, leftOut(found)); diff != "" || len(found.Skills) != 1 {
		t.Errorf("%v: %s", folders(found.Skills), diff)
	}
	s = newShelf(t)
	s.put(".agents/skills/a/SKILL.md", text("a", "x"))
	s.link("../.agents/skills", ".claude/skills")
	if found := s.find(); len(found.LeftOut) > 0 || len(found.Skills) != 1 {
		t.Errorf("%+v", found)
	}
}

func TestEXT04_AnyChangeMakesItAnotherSkill(t *testing.T) {
	const folder = ".agents/skills/a/"
	for _, test := range []struct {
		name   string
		change func(s *shelf)
	}{
		{"a byte of SKILL.md", func(s *shelf) { s.put(folder+"SKILL.md", text("a", "y")) }},
		{"a byte of a file", func(s *shelf) { s.put(folder+"run", "2") }},
		{"a file more", func(s *shelf) { s.put(folder+"b", "") }},
		{"a hidden file more", func(s *shelf) { s.put(folder+".git/config", "") }},
		{"a file that git ignores", func(s *shelf) { s.put(folder+".gitignore", "*\n") }},
		{"a file with secrets", func(s *shelf) { s.put(folder+".env", "KEY=2") }},
		{"a file less", func(s *shelf) { _ = os.Remove(filepath.Join(s.dir, folder, "run")) }},
		{"another name", func(s *shelf) {
			_ = os.Rename(filepath.Join(s.dir, folder, "run"), filepath.Join(s.dir, folder, "ran"))
		}},
		{"another folder", func(s *shelf) {
			s.put(folder+"x/run", "1")
			_ = os.Remove(filepath.Join(s.dir, folder, "run"))
		}},
		{"another target", func(s *shelf) {
			_ = os.Remove(filepath.Join(s.dir, folder, "link"))
			s.link("SKILL.md", folder+"link")
		}},
		{"a file for a link", func(s *shelf) {
			_ = os.Remove(filepath.Join(s.dir, folder, "link"))
			s.put(folder+"link", "run")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShelf(t)
			s.put(folder+"SKILL.md", text("a", "x"))
			s.put(folder+"run", "1")
			s.link("run", folder+"link")
			before := s.only()
			if again := s.only(); again.SHA256 != before.SHA256 {
				t.Fatal("it is another one although nothing changed")
			}
			test.change(s)
			if after := s.only(); after.SHA256 == before.SHA256 {
				t.Error("it is the same")
			}
			if _, err := s.library.Text(t.Context(), before, "SKILL.md"); code(err) != message.StaleFile {
				t.Errorf("its text is given: %v", err)
			}
		})
	}
}

// code returns the code of a tool error, or the whole text of any other.
func code(err error) message.ToolCode {
	if failure, ok := err.(*message.ToolError); ok {
		return failure.Code
	}
	return message.ToolCode(fmt.Sprint(err))
}

// TestEXT04_TheSameElsewhereIsTheSame has the hash of a skill not depend on where it lies.
func TestEXT04_TheSameElsewhereIsTheSame(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/a/SKILL.md", text("a", "x"))
	s.put(".claude/skills/a/SKILL.md", text("a", "x"))
	if found := s.find(); len(found.Skills) != 2 || found.Skills[0].SHA256 != found.Skills[1].SHA256 {
		t.Errorf("%+v", found)
	}
}

func TestEXT04_TheWholeTextIsShown(t *testing.T) {
	s := newShelf(t)
	want := text("a", "x")
	s.put(".agents/skills/a/SKILL.md", want)
	s.put(".agents/skills/a/id_rsa", "x")
	s.link("SKILL.md", ".agents/skills/a/link")
	a := s.only()
	if got, err := s.library.Text(t.Context(), a, "SKILL.md"); got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for path, want := range map[string]message.ToolCode{
		"id_rsa": message.DeniedFile, "link": message.UnsupportedFile, "none": message.FileNotFound, "../../../x": message.FileNotFound,
	} {
		if _, err := s.library.Text(t.Context(), a, path); code(err) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestEXT04_ALookThatIsCancelled(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/a/SKILL.md", text("a", "x"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := s.library.Find(ctx); err == nil {
		t.Errorf("found %+v", found)
	}
}

// TestEXT04_SkillsOfADraft has a draft give its own skills, not those of the folder below it.
func TestEXT04_SkillsOfADraft(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/a/SKILL.md", text("a", "below"))
	folder, err := workspace.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	copied := t.TempDir()
	putFile(t, filepath.Join(copied, ".agents/skills/a/SKILL.md"), text("a", "in the draft"))
	root, err := os.OpenRoot(copied)
	if err != nil {
		t.Fatal(err)
	}
	draft := folder.OpenDraft(root, func(func(string) bool) []string { return nil })
	defer func() { _ = draft.Close() }()
	s.library = skill.NewLibrary(draft, "")
	if got := s.only(); got.Description != "in the draft" || got.Folder != ".agents/skills/a" {
		t.Errorf("%+v", got)
	}
}

//go:build unix

package autorun_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fairlead/backend/workspace/autorun"
)

// scan opens the scanner of a new folder with a repository.
func scan(t *testing.T) (s *autorun.Scanner, dir string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	put(t, dir, ".git/HEAD", "ref: refs/heads/main\n")
	put(t, dir, ".git/config", "[core]\n\tbare = false\n")
	root, err := os.OpenRoot(dir)
	must(t, err)
	t.Cleanup(func() { _ = root.Close() })
	list := func(_ context.Context, name string, most int) ([]fs.DirEntry, bool, error) {
		folder, err := root.Open(name)
		if err != nil {
			return nil, false, err
		}
		defer func() { _ = folder.Close() }()
		all, err := folder.ReadDir(-1)
		return all[:min(len(all), most)], len(all) > most, err
	}
	return autorun.New(root, dir, list), dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// pinned reports whether a path is kept from commands.
func pinned(t *testing.T, s *autorun.Scanner, name string) bool {
	t.Helper()
	names, _ := s.Look(t.Context()).Pins()
	return slices.Contains(names, name)
}

func TestSEC08_GitIsAskedOnlyAfterAChange(t *testing.T) {
	s, dir := scan(t)
	put(t, dir, "hooks/pre-commit", "")
	var asked atomic.Int32
	s.UseGit(func(_ context.Context, arguments ...string) ([]byte, error) {
		if asked.Add(1); arguments[0] != "--git-dir="+filepath.Join(dir, ".git") {
			t.Errorf("asked %q", arguments)
		}
		return []byte("file:" + dir + "/.git/config\x00core.hookspath\nhooks\x00"), nil
	})
	if !pinned(t, s, "hooks") {
		t.Error("what git says does not count")
	}
	for count := int32(-1); count != asked.Load(); { // until the settings are old enough to be remembered
		count = asked.Load()
		s.Look(t.Context())
	}
	for _, change := range []func(){
		func() { put(t, dir, ".git/config", "[core]\n\tbare = true\n") },
		func() { put(t, os.Getenv("HOME"), ".gitconfig", "[core]\n\tbare = false\n") },
		func() { put(t, os.Getenv("HOME"), ".config/git/config", "[core]\n\tbare = false\n") },
		func() { put(t, dir, ".git/config.worktree", "[core]\n\tbare = false\n") },
	} {
		before := asked.Load()
		if change(); !pinned(t, s, "hooks") || asked.Load() == before {
			t.Errorf("asked %d times, and %d before a change", asked.Load(), before)
		}
	}
}

func TestSEC08_WithoutGitTheSettingsAreReadFromTheirFiles(t *testing.T) {
	for name, ask := range map[string]autorun.AskGit{
		"no git": nil,
		"a git that fails": func(context.Context, ...string) ([]byte, error) {
			return nil, errors.New("exit status 128")
		},
		"a git that does not end": func(ctx context.Context, _ ...string) ([]byte, error) {
			if end, ok := ctx.Deadline(); !ok || time.Until(end) > 2*time.Second {
				t.Errorf("git has until %v", end)
			}
			return nil, context.DeadlineExceeded
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := scan(t)
			s.UseGit(ask)
			put(t, dir, ".git/config", "[include]\n\tpath = ../more # the team's\n")
			put(t, dir, "more", "[core] hooksPath = hooks ; ours\n")
			put(t, dir, "hooks/pre-commit", "")
			for _, want := range []string{"hooks", "more", ".git/"} {
				if !pinned(t, s, want) {
					t.Errorf("%s is not kept", want)
				}
			}
		})
	}
}

// What git would wait for, or could not read, is not asked about, and said.
func TestSEC08_SettingsThatCannotBeReadAreSaid(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, path string){
		"a pipe": func(t *testing.T, path string) { t.Helper(); must(t, syscall.Mkfifo(path, 0o644)) },
		"a large file": func(t *testing.T, path string) {
			t.Helper()
			must(t, os.WriteFile(path, nil, 0o644))
			must(t, os.Truncate(path, 1<<30))
		},
		"a folder":      func(t *testing.T, path string) { t.Helper(); must(t, os.Mkdir(path, 0o755)) },
		"itself, a lot": func(t *testing.T, path string) { t.Helper(); deep(t, path) },
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := scan(t)
			before := s.Look(t.Context())
			s.UseGit(func(context.Context, ...string) ([]byte, error) {
				t.Error("git is asked")
				return nil, nil
			})
			put(t, dir, ".git/config", "[include]\n\tpath = ../more\n")
			make(t, filepath.Join(dir, "more"))
			notices := s.Look(t.Context()).Since(before)
			if !slices.ContainsFunc(notices, func(n autorun.Notice) bool {
				return n.Code == autorun.CodeIncomplete && n.Gap == autorun.GapSettings
			}) {
				t.Errorf("noticed %v", notices)
			}
		})
	}
}

// deep makes settings that include others for longer than git follows.
func deep(t *testing.T, path string) {
	t.Helper()
	for range 15 {
		must(t, os.WriteFile(path, []byte("[include]\n\tpath = "+path+"x\n"), 0o644))
		path += "x"
	}
}

func TestSEC08_ALookThatIsCutShortSaysSo(t *testing.T) {
	s, dir := scan(t)
	before := s.Look(t.Context())
	if got := before.Since(before); got != nil {
		t.Errorf("noticed %v", got)
	}
	put(t, dir, ".git/hooks/pre-commit", "")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	want := autorun.Notice{Code: autorun.CodeIncomplete, Path: ".", Gap: autorun.GapTime}
	if got := s.Look(ended).Since(before); !slices.Contains(got, want) {
		t.Errorf("noticed %v", got)
	}
	// Many files of one kind do not hide those of another.
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
		put(t, dir, name+"/.vscode/tasks.json", "")
	}
	got := s.Look(t.Context()).Since(before)
	for _, want := range []autorun.Notice{
		{Code: autorun.CodeNew, Kind: autorun.Git, Path: ".git/hooks/pre-commit"},
		{Code: autorun.CodeNew, Kind: autorun.Editor, Path: "a/.vscode"},
		{Code: autorun.CodeMore, Kind: autorun.Editor, Count: 3},
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%v is not in %v", want, got)
		}
	}
}

func TestSEC08_WhatAQuestionMentions(t *testing.T) {
	s, dir := scan(t)
	put(t, dir, ".git/config", "[core]\n\thooksPath = team\n\teditor = tools/ed --wait\n[filter \"x\"]\n\tclean = sh missing/clean.sh\n[include]\n\tpath = ../more\n")
	put(t, dir, "tools/ed", "")
	put(t, dir, "shared/tasks.json", "")
	must(t, os.Symlink("shared", filepath.Join(dir, ".vscode")))
	for name, want := range map[string]autorun.Kind{
		"team/pre-commit": autorun.Git, "tools/ed": autorun.Git, "missing/clean.sh": autorun.Git, "more": autorun.Git,
		"shared/tasks.json": autorun.Editor, ".vscode/tasks.json": autorun.Editor, "sub/CLAUDE.md": autorun.Assistant,
		"tools/other": "", "main.go": "", "README.md": "",
	} {
		if got, ok := s.RunsBy(t.Context(), name); got != want || ok != (want != "") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

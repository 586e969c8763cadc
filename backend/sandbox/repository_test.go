package sandbox

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSEC02_WhatOfARepositoryIsPinned(t *testing.T) {
	workspace := t.TempDir()
	whole := map[string]bool{}
	found, err := findPins(workspace, []string{".git/", "lib/.git/", "hooks", "settings", "work/.git"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		whole[strings.TrimPrefix(p.path, workspace+"/")] = p.whole
	}
	if diff := cmp.Diff(map[string]bool{
		".git": false, "lib/.git": false, "hooks": true, "settings": true, "work/.git": true,
	}, whole); diff != "" {
		t.Error(diff)
	}
	for _, outside := range []string{"../x", "/x", "a/../../x", ""} {
		if _, err := findPins(workspace, []string{outside}); err == nil {
			t.Errorf("%q is in the workspace", outside)
		}
	}
}

// matches reports whether a filter of a profile matches a path.
func matches(t *testing.T, filter, path string) bool {
	t.Helper()
	kind, rest, _ := strings.Cut(strings.TrimPrefix(filter, "("), " ")
	text := evaluate(t, strings.TrimSuffix(rest, ")"))
	switch kind {
	case "literal":
		return path == text
	case "subpath":
		return path == text || strings.HasPrefix(path, text+"/")
	case "regex":
		return regexp.MustCompile(text).MatchString(path)
	}
	t.Fatalf("%s is no filter", filter)
	return false
}

func TestSEC02_WhatAPinGuards(t *testing.T) {
	git := pin{path: "/w/Lib/.git"}
	whole := pin{path: "/w/.husky", whole: true}
	for _, test := range []struct {
		pin     pin
		path    string
		guarded bool
	}{
		{git, "/w/Lib/.git/hooks", true},
		{git, "/w/Lib/.git/hooks/pre-commit", true},
		{git, "/w/lib/.GIT/Hooks/x", true},
		{git, "/w/Lib/.git/config", true},
		{git, "/w/Lib/.git/CONFIG", true},
		{git, "/w/Lib/.git/config.worktree", true},
		{git, "/w/Lib/.git/commondir", true},
		{git, "/w/Lib/.git/hoo\u212as", true}, // the Kelvin sign
		{git, "/w/Lib/.git/hook\u017f/x", true},
		{git, "/w/Lib/.git/con\ufb01g", true}, // a ligature of fi
		{git, "/w/Lib/.git", false},
		{git, "/w/Lib/.git/index", false},
		{git, "/w/Lib/.git/config.lock", false},
		{git, "/w/Lib/.git/objects/hooks", false},
		{git, "/w/Lib/.git/refs/heads/\u00e9", false},
		{git, "/w/Lib/hooks", false},
		{git, "/w/.git/hooks", false},
		{git, "/w/Lib/xgit/hooks", false},
		{whole, "/w/.husky", true},
		{whole, "/w/.HUSKY/pre-commit", true},
		{whole, "/w/.huskyx", false},
		{whole, "/w/husky", false},
	} {
		var by []string
		for _, filter := range test.pin.guardedFilters() {
			if matches(t, filter, test.path) {
				by = append(by, filter)
			}
		}
		if (len(by) > 0) != test.guarded {
			t.Errorf("%s is guarded by %q", test.path, by)
		}
	}
	if diff := cmp.Diff([]string{"/w/a/b/.git", "/w/a/b", "/w/a"}, pin{path: "/w/a/b/.git"}.fixedPaths("/w")); diff != "" {
		t.Error(diff)
	}
}

package shell_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change/changetest"
	"fairlead/backend/message"
	"fairlead/backend/tool/shell"
)

// TestPRE02_WhatGitNotesForItselfIsNoChange looks at a repository in which each look of git
// renews what it notes in its index of the files.
func TestPRE02_WhatGitNotesForItselfIsNoChange(t *testing.T) {
	if reason := needs("git")(); reason != "" {
		t.Skip(reason)
	}
	b, changes, _ := openCopied(t)
	showFirst := true
	b.ShowFirst = func() bool { return showFirst }
	for _, subject := range shell.New(b.Options) {
		b.tools[subject.Definition().Name] = subject
	}
	folder := b.Folder.Path()
	const identity = "git config user.name u && git config user.email u@localhost && "
	outcome := b.try(t, "git init -q . && "+identity+"git add -A && git commit -qm first")
	outcome.Changes.Apply(t.Context(), message.Chosen{})
	age := func() { // git no longer knows the files by their times
		t.Helper()
		at := time.Date(2021, 1, 2, 3, 4, 5, 0, time.UTC)
		must(t, os.Chtimes(filepath.Join(folder, "a.txt"), at, at))
		must(t, os.Chtimes(filepath.Join(folder, ".git", "index"), at, at))
	}
	for _, line := range []string{"git status", "git diff", "git diff HEAD --stat", "git describe --always --dirty", "git update-index -q --refresh", "touch .git/index"} {
		age()
		before := changetest.Snapshot(t, folder)
		outcome := b.try(t, line)
		if outcome.Changes != nil || outcome.Result.Data.Changes != message.ChangesNone {
			t.Errorf("%s: %+v", line, outcome.Changes)
		}
		if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
	for _, line := range []string{
		"git update-index --chmod=+x a.txt", "git update-index --assume-unchanged a.txt", "git rm -q --cached a.txt", "git status && echo x >x",
		"echo x >.git/index", "chmod 600 .git/index",
	} {
		age()
		outcome := b.try(t, line)
		if outcome.Changes == nil {
			t.Errorf("%s is said to change nothing", line)
			continue
		}
		outcome.Changes.Drop(t.Context())
	}
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	// What was approved before is done to the byte.
	showFirst = false
	age()
	if outcome := b.try(t, "git status"); outcome.Changes == nil || outcome.Changes.ApplyRest == nil {
		t.Errorf("after a yes: %+v", outcome.Changes)
	} else {
		outcome.Changes.ApplyRest(t.Context())
	}
}

func TestPRE04_WhereOnlyATimeChangedNothingIsHeld(t *testing.T) {
	if reason := needs("git")(); reason != "" {
		t.Skip(reason)
	}
	b, _, _ := openCopied(t)
	outcome := b.try(t, "git init -q . && git -c user.name=u -c user.email=u@localhost commit -q --allow-empty -m first && git branch side && echo :>.envrc")
	outcome.Changes.Apply(t.Context(), message.Chosen{})
	for line, held := range map[string]bool{
		"touch .envrc":          false,
		"git branch -q -d side": false, // git writes its settings anew, as they were
		"echo : >>.envrc":       true,
		"chmod +x .envrc":       true,
		"rm .envrc":             true,
	} {
		outcome := b.try(t, line)
		if outcome.Changes == nil || len(outcome.Changes.Held.Changes) > 0 != held {
			t.Errorf("%s: held is %v", line, !held)
			continue
		}
		outcome.Changes.Drop(t.Context())
	}
}

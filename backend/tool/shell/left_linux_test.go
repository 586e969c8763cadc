package shell_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// TestPRE06_NothingIsLeftOfCopies runs commands that end in all ways and decides about what they
// changed in all ways. No process is left, no mount, and no copy but one that was set aside.
func TestPRE06_NothingIsLeftOfCopies(t *testing.T) {
	mounted := overlays(t)
	t.TempDir() // which goes after what follows
	var copies, aside string
	t.Cleanup(func() { // when all was closed
		entries, err := os.ReadDir(copies)
		must(t, err)
		if len(entries) != 1 || entries[0].Name() != aside {
			t.Errorf("left of copies: %v, want %s", entries, aside)
		}
		if now := overlays(t); now != mounted {
			t.Errorf("overlays that are mounted: %d, before %d", now, mounted)
		}
		if left := children(t); left != "" {
			t.Errorf("processes that are left: %s", left)
		}
	})
	b, changes, _ := openCopied(t)
	layer, err := changes.NewLayer("none")
	must(t, err)
	copies = filepath.Dir(layer.Dir)
	must(t, changes.RemoveLayer(layer))
	for _, line := range []string{
		"true", "exit 3", "kill -9 $$", "sleep 100 &", "echo more >>a.txt", "rm -r sub", "mkfifo sub",
	} {
		for _, decide := range []func(*tool.Changes){
			func(c *tool.Changes) { c.Drop(t.Context()) },
			func(c *tool.Changes) { c.Apply(t.Context(), message.Chosen{}) },
		} {
			if outcome := b.try(t, line); outcome.Changes != nil {
				decide(outcome.Changes)
			}
		}
	}
	b.try(t, "mkdir -p new/in/it && echo x >new/in/it/x && chmod 0 new/in new").Changes.Drop(t.Context())
	b.tryUntil(t, "echo late >late; echo begun; sleep 100").Changes.Drop(t.Context())
	b.try(t, "echo aside >aside").Changes.SetAside(t.Context())
	kept := asideOf(t, changes)
	if len(kept) != 1 {
		t.Fatalf("set aside: %v", kept)
	}
	aside = kept[0]
}

// TestPRE03_WhatCannotBeReadKeepsNothingElseFromBeingDecided has a command open a folder that the
// user may not read.
func TestPRE03_WhatCannotBeReadKeepsNothingElseFromBeingDecided(t *testing.T) {
	b, changes, _ := openCopied(t)
	closed := filepath.Join(b.Folder.Path(), "closed")
	must(t, os.Mkdir(closed, 0))
	t.Cleanup(func() { must(t, os.Chmod(closed, 0o700)) })
	outcome := b.try(t, "chmod 700 closed && echo x >closed/x")
	if text := outcome.Result.Content.Text(); outcome.Changes != nil || !strings.Contains(text, "which is set aside") {
		t.Errorf("printed %q, changes %+v", text, outcome.Changes)
	}
	b.try(t, "echo aside >aside").Changes.SetAside(t.Context())
	if all := asideOf(t, changes); len(all) != 1 {
		t.Errorf("set aside: %v", all)
	}
}

// tryUntil runs a command, and cancels it once it has printed something.
func (b *bench) tryUntil(t *testing.T, line string) tool.Outcome {
	t.Helper()
	plan, err := b.tools["shell"].Prepare(t.Context(), input(command(t, line)))
	must(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	return plan.Run(ctx, func(string) { cancel(errors.New("it is enough")) })
}

// overlays counts the overlays that this process sees mounted.
func overlays(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/mountinfo")
	must(t, err)
	return strings.Count(string(text), " - overlay ")
}

// children are the processes that this one has started and that are there still, ended or not.
func children(t *testing.T) string {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	must(t, err)
	var all []string
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if !errors.Is(err, os.ErrNotExist) { // a thread that has ended
			must(t, err)
		}
		all = append(all, strings.Fields(string(text))...)
	}
	return strings.Join(all, " ")
}

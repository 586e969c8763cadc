package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
)

const (
	// few and many are how many files a command changes, and makes, in its copy.
	few, many = 10, 20_000
	// fewTimes and manyTimes are how often that is applied.
	fewTimes, manyTimes = 21, 3
)

// copies run commands in copies of a folder, and without. Each kind has a place of its own, as
// in a conversation, where what one command needs is made ready while the one before runs.
type copies struct {
	*changed
	space, without *sandbox.Space
}

// copyRows measure what it costs that commands work on a copy of the folder. The floor is the
// same confined command without a copy. There are none where commands are not fully confined.
func copyRows(ctx context.Context, m *machine) (rows []figure, err error) {
	system := sandbox.Inspect(ctx, m.fairlead.path, nil)
	if system.Level != message.LevelFull {
		return nil, nil
	}
	c, err := openChanged(ctx, filepath.Join(m.home, "copied"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.closeAll()) }()
	var spaces [2]*sandbox.Space
	for i, private := range []string{"private of copies", "private without copies"} {
		space, err := system.Open(sandbox.Place{Workspace: c.folder.Path(), Private: filepath.Join(m.home, private), Home: m.home})
		if err != nil {
			return nil, fmt.Errorf("open a place for commands: %w", err)
		}
		defer func() { err = errors.Join(err, space.Close()) }()
		spaces[i] = space
	}
	return copies{c, spaces[0], spaces[1]}.rows(ctx, m.unit)
}

func (c copies) rows(ctx context.Context, unit time.Duration) ([]figure, error) {
	plain := func() error { return c.run(ctx, process.Command{Line: "true", Space: c.without}) }
	copied := func() error { return c.runCopied(ctx, "true", nil) }
	one, err := byTurns(trues, plain, copied)
	if err != nil {
		return nil, err
	}
	all, err := byTurns(15, atOnce(plain), atOnce(copied))
	if err != nil {
		return nil, err
	}
	for i := range few {
		if err := os.WriteFile(filepath.Join(c.folder.Path(), fmt.Sprint(i)), []byte("a line\n"), 0o600); err != nil {
			return nil, err
		}
	}
	var appended []time.Duration
	for range fewTimes {
		if err := c.runCopied(ctx, fmt.Sprintf("i=0; while [ $i -lt %d ]; do echo more >>$i; i=$((i+1)); done", few), &appended); err != nil {
			return nil, err
		}
	}
	made, copiedBy, err := c.applyMany(ctx)
	few := medianValue(appended)
	return []figure{
		durationFigure("true in a copy", "floor + E", one[0], one[1], one[0]+unit),
		durationFigure("20 commands at once in copies", "floor + 15 E", all[0], all[1], all[0]+15*unit),
		durationFigure("10 changed files, applied", "3 E", 0, few, 3*unit),
		durationFigure("20,000 new files, applied", "0.3 × cp -a", copiedBy, made, copiedBy*3/10),
	}, err
}

// applyMany applies many new files by turns with their copy by cp -a, and returns both medians.
func (c copies) applyMany(ctx context.Context) (applied, copied time.Duration, err error) {
	line := fmt.Sprintf("mkdir new && cd new && i=0; while [ $i -lt %d ]; do echo a line >$i; i=$((i+1)); done", many)
	dir := filepath.Join(c.folder.Path(), "new")
	twin := filepath.Join(c.folder.Path(), "..", "twin")
	var took [2][]time.Duration
	for range manyTimes {
		if err := c.runCopied(ctx, line, &took[0]); err != nil {
			return 0, 0, err
		}
		began := time.Now()
		if err := exec.CommandContext(ctx, "cp", "-a", dir, twin).Run(); err != nil {
			return 0, 0, fmt.Errorf("copy the new files: %w", err)
		}
		took[1] = append(took[1], time.Since(began))
		if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(twin)); err != nil {
			return 0, 0, err
		}
	}
	return medianValue(took[0]), medianValue(took[1]), nil
}

// runCopied runs a command in a copy and applies what it changed; it adds how long that took
// to applied, unless that is nil.
func (c copies) runCopied(ctx context.Context, line string, applied *[]time.Duration) error {
	layer, err := c.recorder.NewLayer("call")
	if err != nil {
		return err
	}
	if err := c.run(ctx, process.Command{Line: line, Space: c.space, Overlay: layer.Dir, NextOverlay: c.recorder.NextLayer}); err != nil {
		return err
	}
	began := time.Now()
	pending, err := c.recorder.ReadLayer(ctx, layer)
	if err != nil {
		return err
	}
	if _, err := c.recorder.ApplyLayer(ctx, "call", pending, func(int) bool { return true }); err != nil {
		return err
	}
	if applied != nil {
		*applied = append(*applied, time.Since(began))
	}
	return c.recorder.RemoveLayer(layer)
}

func (c copies) run(ctx context.Context, command process.Command) error {
	command.Dir = c.folder.Path()
	exit, err := process.Run(ctx, command)
	if err == nil && exit.Code != 0 {
		err = fmt.Errorf("%s ended with code %d", command.Line, exit.Code)
	}
	return err
}

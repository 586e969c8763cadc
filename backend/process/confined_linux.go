package process

import (
	"errors"
	"fmt"
	"os"

	"fairlead/backend/sandbox"

	"golang.org/x/sys/unix"
)

// confined is a command with its guard, which ends when all its processes have.
type confined struct {
	guard *sandbox.Process
	// refused marks the error of one that was not run.
	refused error
}

// startConfined starts a command in its space.
func startConfined(c Command, output *os.File) (tree, error) {
	guard, err := c.Space.Start(sandbox.Command{
		Line: c.Line, Dir: c.Dir, Env: c.Space.Environment(c.Env), Network: c.Network, Repositories: c.Repositories, Overlay: c.Overlay, NextOverlay: c.NextOverlay, Cover: c.Cover, Run: c.Run,
	}, output)
	if err != nil {
		return nil, markRefused(ErrNotConfined, err)
	}
	return &confined{guard, ErrNotConfined}, nil
}

func (t *confined) awaitShell() { <-t.guard.Done() }

func (t *confined) terminateTree() { t.guard.Terminate() }

func (t *confined) killTree() { t.guard.Kill() }

func (t *confined) reapShell() (code int, signal string, err error) {
	code, number, err := t.guard.Result()
	if number != 0 {
		signal = unix.SignalName(number)
	}
	return code, signal, markRefused(t.refused, err)
}

// openedCovers implements coverer.
func (t *confined) openedCovers() []string { return t.guard.Opened() }

// markRefused marks an error of the sandbox for those who do not know it.
func markRefused(mark, err error) error {
	if failed, ok := errors.AsType[*sandbox.SetUpError](err); ok {
		return fmt.Errorf("%w: %w", mark, failed.Err)
	}
	return err
}

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
}

// startConfined starts a command in its space.
func startConfined(c Command, output *os.File) (tree, error) {
	guard, err := c.Space.Start(sandbox.Command{
		Line: c.Line, Dir: c.Dir, Env: c.Space.Environment(c.Env), Network: c.Network, Repositories: c.Repositories, Overlay: c.Overlay, NextOverlay: c.NextOverlay, Cover: c.Cover, Run: c.Run,
	}, output)
	if err != nil {
		return nil, notConfined(err)
	}
	return &confined{guard}, nil
}

func (t *confined) awaitShell() { <-t.guard.Done() }

func (t *confined) terminateTree() { t.guard.Terminate() }

func (t *confined) killTree() { t.guard.Kill() }

func (t *confined) reapShell() (code int, signal string, err error) {
	code, number, err := t.guard.Result()
	if number != 0 {
		signal = unix.SignalName(number)
	}
	return code, signal, notConfined(err)
}

// openedCovers implements coverer.
func (t *confined) openedCovers() []string { return t.guard.Opened() }

// notConfined marks an error of the sandbox for those who do not know it.
func notConfined(err error) error {
	if failed, ok := errors.AsType[*sandbox.SetUpError](err); ok {
		return fmt.Errorf("%w: %w", ErrNotConfined, failed.Err)
	}
	return err
}

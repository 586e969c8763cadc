package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"fairlead/backend/leftover"
	"fairlead/backend/message"

	"golang.org/x/sys/unix"
)

// Inspect finds out how far commands can be confined here, by trying: what must not
// work is done without confinement first, where it has to work, and then with it. The
// program that starts commands on Linux has no part in it.
func Inspect(ctx context.Context, helper string, record *leftover.Record) *System {
	return inspectWithout(ctx, helper, Without{}, record)
}

// InspectWithout does the same on a system that lacks something, for tests of what
// the levels are worth. The only means here is Seatbelt, and Without.Namespaces
// stands for it.
func InspectWithout(ctx context.Context, helper string, without Without) *System {
	return inspectWithout(ctx, helper, without, nil)
}

func inspectWithout(ctx context.Context, _ string, without Without, record *leftover.Record) *System {
	none := &System{Level: message.LevelNone}
	if without.Namespaces {
		none.Why = "this system has no Seatbelt"
		return none
	}
	unconfined, err := none.tryAttempts(ctx, record)
	if err != nil {
		none.Why = fmt.Sprintf("what a command could do cannot be tried: %v", err)
		return none
	}
	if name := unprovenAttempt(unconfined); name != "" {
		none.Why = "what keeps a command in cannot be tried: without that it could not " + name + " either"
		return none
	}
	s := &System{own: own{seatbelt: true}}
	confined, err := s.tryAttempts(ctx, record)
	if err != nil {
		none.Why = err.Error()
		return none
	}
	s.Level, s.Gaps, s.Why = limitedLevel(confined, os.Getuid() == 0)
	return s
}

// tryAttempts makes all attempts with the means of the system.
func (s *System) tryAttempts(ctx context.Context, record *leftover.Record) (worked map[string]bool, err error) {
	return inScene(record, func(scene *scene) (map[string]bool, error) { return s.tryIn(ctx, scene) })
}

func (s *System) tryIn(ctx context.Context, scene *scene) (worked map[string]bool, err error) {
	space, err := s.Open(Place{Workspace: scene.workspace, Private: filepath.Join(scene.dir, "private")})
	if err != nil {
		return nil, err
	}
	defer space.Close()
	arguments, err := space.Arguments(tryAll(), false, []string{".git"})
	if err != nil {
		return nil, err
	}
	var said, complained bytes.Buffer
	command := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	command.Dir, command.Env = scene.workspace, space.Environment(scene.environmentVariables())
	command.Stdout, command.Stderr, command.WaitDelay = &said, &complained, time.Second
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return unix.Kill(-command.Process.Pid, unix.SIGKILL) }
	if err := command.Run(); err != nil {
		complaint, _, _ := strings.Cut(complained.String(), "\n")
		return nil, fmt.Errorf("run a confined command: %w: %s", err, complaint)
	}
	worked, usable := readAttempts(said.String())
	if !usable {
		return nil, errors.New("a command could not work in the workspace")
	}
	return worked, nil
}

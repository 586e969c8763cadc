package process

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// inEachEnvironment runs a test in each environment.
func inEachEnvironment(t *testing.T, test func(t *testing.T, r environment)) {
	for _, r := range environments() {
		t.Run(r.name, func(t *testing.T) { test(t, r) })
	}
}

func TestCAN01_CancelEndsTheWholeTree(t *testing.T) {
	tests := []struct{ name, line string }{
		{"children", `sleep 1000 & echo a; sh -c 'echo b; exec sleep 1000' & wait`},
		{"deaf children", `trap '' TERM; sleep 1000 & echo a; sh -c 'echo b; exec sleep 1000' & wait`},
		{"double fork", `(sleep 1000 & echo a); (sleep 1000 & echo b); sleep 1000`},
		{"silent children", `sleep 1000 >/dev/null 2>&1 & echo a; sleep 1000 >/dev/null 2>&1 & echo b; sleep 1000`},
		{"stopped", `sleep 1000 & echo a; kill -STOP $!; sh -c 'echo b; kill -STOP $$'`},
	}
	inEachEnvironment(t, func(t *testing.T, r environment) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				space, workspace := r.open(t)
				pulse := newPulse(t, workspace)
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				cause := errors.New("stop")
				var out strings.Builder
				var at time.Time
				exit, err := Run(ctx, Command{Line: pulse.held(test.line), Dir: workspace, Space: space, Output: func(text string) {
					out.WriteString(text)
					if at.IsZero() && strings.Count(out.String(), "\n") == 2 {
						at = time.Now()
						cancel(cause)
					}
				}})
				if err != cause || exit.Code != -1 {
					t.Errorf("exit %+v, error %v, want the cause", exit, err)
				}
				if took := time.Since(at); took > time.Second {
					t.Errorf("took %v to end", took)
				}
				if !pulse.gone(2 * time.Second) {
					t.Error("a process lives on")
				}
			})
		}
	})
}

func TestRunLeavesNothingInTheBackground(t *testing.T) {
	tests := []struct{ name, line string }{
		{"holds the pipe", `sleep 1000 & echo yes`},
		{"holds nothing", `sleep 1000 >/dev/null 2>&1 & echo yes`},
		{"deaf", `trap '' TERM HUP; sleep 1000 & echo yes`},
	}
	inEachEnvironment(t, func(t *testing.T, r environment) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				space, workspace := r.open(t)
				pulse := newPulse(t, workspace)
				began := time.Now()
				exit, err := Run(t.Context(), Command{Line: pulse.held(test.line), Dir: workspace, Space: space})
				if err != nil || exit.Code != 0 || exit.Text.Head != "yes\n" {
					t.Errorf("exit %+v, %v", exit, err)
				}
				if took := time.Since(began); took > 10*drain {
					t.Errorf("took %v", took)
				}
				if !pulse.gone(2 * time.Second) {
					t.Error("a process lives on")
				}
			})
		}
	})
}

func TestRunHasNoTerminal(t *testing.T) {
	// In a session of its own a process has no terminal to read from.
	line := `read -r pid name state parent group session terminal rest </proc/$$/stat
[ $group = $$ ] && [ $session = $$ ] && [ $terminal = 0 ]`
	inEachEnvironment(t, func(t *testing.T, r environment) {
		space, workspace := r.open(t)
		exit, err := Run(t.Context(), Command{Line: line, Dir: workspace, Space: space})
		if err != nil || exit.Code != 0 {
			t.Errorf("exit %+v, %v", exit, err)
		}
	})
}

func TestRunDoesNotWaitForWhoLeftTheTree(t *testing.T) {
	// The sleeper has a session of its own and keeps the pipe open.
	line := `{ child=$(setsid sh -c 'sleep 1000 >&3 2>&3 3>&- & echo $!'); echo $child; } 3>&1`
	began := time.Now()
	exit, err := Run(t.Context(), Command{Line: line, Dir: t.TempDir()})
	if took := time.Since(began); took > 10*drain {
		t.Errorf("took %v", took)
	}
	if err != nil || exit.Code != 0 {
		t.Errorf("exit %+v, %v", exit, err)
	}
	var child int
	if _, err := fmt.Sscan(exit.Text.Head, &child); err != nil {
		t.Fatalf("no output: %v", err)
	}
	if err := unix.Kill(child, unix.SIGKILL); err != nil {
		t.Errorf("the sleeper was not there: %v", err)
	}
}

func TestCAN01_CancelDoesNotWaitForWhoLeftTheTree(t *testing.T) {
	line := `{ child=$(setsid sh -c 'sleep 1000 >&3 2>&3 3>&- & echo $!'); echo $child; } 3>&1; sleep 1000`
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var child int
	var at time.Time
	_, err := Run(ctx, Command{Line: line, Dir: t.TempDir(), Output: func(text string) {
		if _, err := fmt.Sscan(text, &child); err != nil {
			t.Errorf("read number of %q: %v", text, err)
		}
		at = time.Now()
		cancel()
	}})
	if took := time.Since(at); took > drain || err != context.Canceled {
		t.Errorf("took %v, error %v", took, err)
	}
	if err := unix.Kill(child, unix.SIGKILL); err != nil {
		t.Errorf("the sleeper was not there: %v", err)
	}
}

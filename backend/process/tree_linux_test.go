package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestCAN01_CancelEndsTheWholeTree(t *testing.T) {
	tests := []struct{ name, line string }{
		{"children", `sleep 1000 & echo $!; sh -c 'echo $$; exec sleep 1000' & wait`},
		{"deaf children", `trap '' TERM; sleep 1000 & echo $!; sh -c 'echo $$; exec sleep 1000' & wait`},
		{"double fork", `(sleep 1000 & echo $!); (sleep 1000 & echo $!); sleep 1000`},
		{"silent children", `sleep 1000 >/dev/null 2>&1 & echo $!; sleep 1000 >/dev/null 2>&1 & echo $!; sleep 1000`},
		{"stopped", `sleep 1000 & echo $!; kill -STOP $!; sh -c 'echo $$; kill -STOP $$'`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			cause := errors.New("stop")
			var out strings.Builder
			var children []int
			var at time.Time
			_, err := Run(ctx, Command{Line: test.line, Dir: t.TempDir(), Output: func(text string) {
				out.WriteString(text)
				if strings.Count(out.String(), "\n") == 2 {
					children = watchAll(t, out.String())
					at = time.Now()
					cancel(cause)
				}
			}})
			if err != cause {
				t.Errorf("error %v, want the cause", err)
			}
			if took := time.Since(at); took > time.Second {
				t.Errorf("took %v to end", took)
			}
			wantGone(t, children, 2)
		})
	}
}

func TestRunLeavesNothingInTheBackground(t *testing.T) {
	tests := []struct{ name, line string }{
		{"holds the pipe", `sleep 1000 & echo $!`},
		{"holds nothing", `sleep 1000 >/dev/null 2>&1 & echo $!`},
		{"deaf", `trap '' TERM HUP; sleep 1000 & echo $!`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// The shell goes on when the test watches its child.
			line, fifo := held(t, test.line)
			var children []int
			exit, err := Run(t.Context(), Command{Line: line, Dir: t.TempDir(), Output: func(text string) {
				children = watchAll(t, text)
				release(t, fifo)
			}})
			if err != nil || exit.Code != 0 {
				t.Errorf("exit %+v, %v", exit, err)
			}
			wantGone(t, children, 1)
		})
	}
}

func TestRunHasNoTerminal(t *testing.T) {
	// In a session of its own a process has no terminal to read from.
	line := `read -r pid name state parent group session terminal rest </proc/$$/stat
[ $group = $$ ] && [ $session = $$ ] && [ $terminal = 0 ]`
	exit, err := Run(t.Context(), Command{Line: line, Dir: t.TempDir()})
	if err != nil || exit.Code != 0 {
		t.Errorf("exit %+v, %v", exit, err)
	}
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

// held makes a shell wait, after its line, until release.
func held(t *testing.T, line string) (string, string) {
	fifo := t.TempDir() + "/go"
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	return line + "; read _ <" + fifo, fifo
}

// release lets a held shell go on.
func release(t *testing.T, fifo string) {
	if err := os.WriteFile(fifo, []byte("go\n"), 0); err != nil {
		t.Error(err)
	}
}

// watchAll returns descriptors that tell of the end of the processes whose
// numbers the text holds. A number alone could belong to another by then.
func watchAll(t *testing.T, text string) []int {
	var all []int
	for _, field := range strings.Fields(text) {
		var pid int
		if _, err := fmt.Sscan(field, &pid); err != nil {
			t.Errorf("read process number: %v", err)
			continue
		}
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			t.Errorf("watch process %d: %v", pid, err)
			continue
		}
		t.Cleanup(func() { unix.Close(fd) })
		all = append(all, fd)
	}
	return all
}

// wantGone fails the test when not exactly so many processes were watched, or
// one of them lives.
func wantGone(t *testing.T, all []int, count int) {
	t.Helper()
	if len(all) != count {
		t.Errorf("%d processes were watched, want %d", len(all), count)
	}
	for _, fd := range all {
		poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		if n, err := unix.Poll(poll, 2000); err != nil || n != 1 {
			t.Errorf("a process lives on: %d, %v", n, err)
			_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
		}
	}
}

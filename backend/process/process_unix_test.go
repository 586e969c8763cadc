//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRun(t *testing.T) {
	tests := []struct {
		name string
		line string
		want Exit
	}{
		{"nothing", "true", Exit{}},
		{"exit code", "echo no; exit 3", Exit{Code: 3, Text: Text{Head: "no\n", Bytes: 3}}},
		{"signal", "kill -9 $$", Exit{Code: -1, Signal: "SIGKILL"}},
		{"not found", "no-such-program-here 2>/dev/null", Exit{Code: 127}},
		{"order", "echo a; echo b >&2; echo c; echo d >&2", Exit{Text: Text{Head: "a\nb\nc\nd\n", Bytes: 8}}},
		{"no input", "cat; read line || echo none", Exit{Text: Text{Head: "none\n", Bytes: 5}}},
		{"invalid", `printf '\377a\344\270'`, Exit{Text: Text{Head: "\ufffda\ufffd", Bytes: 4}}},
		{"colours", `printf '\033[1;31mred\033[0m\n'`, Exit{Text: Text{Head: "red\n", Bytes: 15}}},
		{"quotes", `printf '%s|' "a  b" 'c"d' e\ f`, Exit{Text: Text{Head: `a  b|c"d|e f|`, Bytes: 13}}},
		{"lines", "x=1\necho $x", Exit{Text: Text{Head: "1\n", Bytes: 2}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			exit, err := Run(t.Context(), Command{Line: test.line, Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, exit); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRunStartsInFolder(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	exit, err := Run(t.Context(), Command{Line: "pwd -P", Dir: dir})
	if err != nil || exit.Text.Head != dir+"\n" {
		t.Errorf("pwd: %q, %v, want %q", exit.Text.Head, err, dir)
	}
}

func TestRunRefusesMissingFolder(t *testing.T) {
	_, err := Run(t.Context(), Command{Line: "true", Dir: filepath.Join(t.TempDir(), "gone")})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want one that says it does not exist", err)
	}
}

func TestRunDoesNotStartWhenContextHasEnded(t *testing.T) {
	cause := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	mark := filepath.Join(t.TempDir(), "mark")
	if _, err := Run(ctx, Command{Line: "touch " + mark, Dir: t.TempDir()}); err != cause {
		t.Errorf("error %v, want the cause", err)
	}
	if _, err := os.Stat(mark); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the command ran: %v", err)
	}
}

func TestSEC01_CommandSeesAllowedVariablesOnly(t *testing.T) {
	t.Setenv("FAIRLEAD_CANARY_API_KEY", "canary-value")
	t.Setenv("SSH_AUTH_SOCK", "/canary-value")
	t.Setenv("LC_TIME", "C")
	exit, err := Run(t.Context(), Command{Line: "env", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	// The shell itself adds the last three.
	known := append([]string{"TERM", "LC_TIME", "PWD", "SHLVL", "_"}, allowed...)
	for line := range strings.Lines(exit.Text.Head) {
		name, _, _ := strings.Cut(line, "=")
		if !slices.Contains(known, name) && !strings.HasPrefix(name, "LC_") {
			t.Errorf("the command sees %q", line)
		}
	}
	for _, want := range []string{"TERM=dumb\n", "LC_TIME=C\n", "PATH=" + os.Getenv("PATH") + "\n"} {
		if !strings.Contains(exit.Text.Head, want) {
			t.Errorf("the command does not see %q", want)
		}
	}
}

func TestRunGivesWholeEnvironment(t *testing.T) {
	exit, err := Run(t.Context(), Command{Line: `echo "$A:$HOME"`, Dir: t.TempDir(), Env: []string{"A=1"}})
	if err != nil || exit.Text.Head != "1:\n" {
		t.Errorf("got %q, %v", exit.Text.Head, err)
	}
}

func TestCAN01_CancelledCommandMayCleanUp(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("stop")
	line := `(trap 'echo cleaned; exit' TERM; echo ready; sleep 1000 & wait) & wait`
	exit, err := Run(ctx, Command{Line: line, Dir: t.TempDir(), Output: func(text string) {
		if strings.Contains(text, "ready") {
			cancel(cause)
		}
	}})
	want := Exit{Code: -1, Text: Text{Head: "ready\ncleaned\n", Bytes: 14}}
	if diff := cmp.Diff(want, exit); diff != "" || err != cause {
		t.Errorf("error %v, exit %s", err, diff)
	}
}

// counter is a file that only counts.
type counter struct{ n *int64 }

func (c counter) Write(p []byte) (int, error) { *c.n += int64(len(p)); return len(p), nil }
func (c counter) Close() error                { return nil }

func TestLiveOutputIsTheWholeTextOfASlowCommand(t *testing.T) {
	var live strings.Builder
	exit, err := Run(t.Context(), Command{
		Line: "seq 500; printf '\\344\\270'; printf '\\255'", Dir: t.TempDir(),
		Output: func(text string) { live.WriteString(text) },
	})
	if err != nil || live.String() != exit.Text.Head || !strings.HasSuffix(live.String(), "500\n中") {
		t.Errorf("live %q\nin the end %q, %v", live.String(), exit.Text.Head, err)
	}
}

func BenchmarkRun(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		if _, err := Run(b.Context(), Command{Line: "true", Dir: dir}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlain is what Run is compared with.
func BenchmarkPlain(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		shell := exec.Command("/bin/sh", "-c", "true")
		shell.Dir = dir
		if _, err := shell.CombinedOutput(); err != nil {
			b.Fatal(err)
		}
	}
}

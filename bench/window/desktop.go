package window

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// desktop is a display of its own with all that belongs to one: window manager,
// buses, keyring. e2e/desktop.sh makes it and takes it away.
type desktop struct {
	// environment is that of a program on it, as NAME=VALUE.
	environment []string
	holder      *exec.Cmd
	stdin       io.WriteCloser
	trouble     *bytes.Buffer
}

// openDesktop starts one; root is the checkout.
func openDesktop(ctx context.Context, root string) (*desktop, error) {
	// What holds it open tells its environment, then waits for its input to end.
	holder := exec.CommandContext(ctx, filepath.Join(root, "e2e/desktop.sh"), "sh", "-c", `env -0; printf '\0'; exec cat`)
	// The script takes away what it started only when it is told to stop.
	holder.Cancel = func() error { return holder.Process.Signal(syscall.SIGTERM) }
	d := &desktop{holder: holder, trouble: &bytes.Buffer{}}
	holder.Stderr = d.trouble
	stdout, outErr := holder.StdoutPipe()
	stdin, inErr := holder.StdinPipe()
	if err := errors.Join(outErr, inErr); err != nil {
		return nil, fmt.Errorf("start a desktop: %w", err)
	}
	d.stdin = stdin
	if err := holder.Start(); err != nil {
		return nil, fmt.Errorf("start a desktop: %w", err)
	}
	var err error
	if d.environment, err = readEnvironment(stdout); err != nil {
		return nil, fmt.Errorf("start a desktop: %w", errors.Join(err, d.close()))
	}
	return d, nil
}

// readEnvironment reads variables, each ended by a zero byte, up to an empty one.
func readEnvironment(in io.Reader) ([]string, error) {
	buffered := bufio.NewReader(in)
	var variables []string
	for {
		variable, err := buffered.ReadString(0)
		if err != nil {
			return nil, fmt.Errorf("read its environment: %w", err)
		}
		if variable = strings.TrimSuffix(variable, "\x00"); variable == "" {
			return variables, nil
		}
		variables = append(variables, variable)
	}
}

// environmentWith is the environment with more variables, without keys and settings of the
// user who measures.
func (d *desktop) environmentWith(variables ...string) []string {
	kept := slices.DeleteFunc(slices.Clone(d.environment), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "FAIRLEAD_") || strings.HasSuffix(name, "_API_KEY") ||
			strings.HasSuffix(strings.ToUpper(name), "_PROXY")
	})
	return append(kept, variables...)
}

// lookup is the value of a variable, "" where there is none.
func (d *desktop) lookup(name string) string {
	for _, variable := range d.environment {
		if value, found := strings.CutPrefix(variable, name+"="); found {
			return value
		}
	}
	return ""
}

// close takes the desktop away with all that is on it.
func (d *desktop) close() error {
	err := d.stdin.Close()
	if ended := d.holder.Wait(); ended != nil {
		err = errors.Join(err, fmt.Errorf("end the desktop: %w: %s", ended, bytes.TrimSpace(d.trouble.Bytes())))
	}
	return err
}

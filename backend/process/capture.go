package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

const (
	// maxCaptured bounds what is taken of a program's output, in bytes.
	maxCaptured = 4 << 20
	// captureDelay is how long the output of a program that was killed is waited for.
	captureDelay = 100 * time.Millisecond
)

// Capture runs a program for Fairlead itself, not for a model: without confinement, in
// the root folder, with env as its whole environment (KEY=value) and no input. program
// is an absolute path. It returns what the program printed, and kills it when ctx ends.
func Capture(ctx context.Context, program string, env []string, arguments ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = env, "/", captureDelay
	var output captured
	cmd.Stdout = &output
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("run %s: %w", program, err)
	}
	return output.text.Bytes(), nil
}

// captured is the output of a program, up to a bound.
type captured struct{ text bytes.Buffer }

// Write implements io.Writer. It fails for more than is taken, which ends the program.
func (c *captured) Write(p []byte) (int, error) {
	if c.text.Len()+len(p) > maxCaptured {
		return 0, errors.New("the program printed too much")
	}
	return c.text.Write(p)
}

package window

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jezek/xgb/xproto"
)

// python is the one that knows the system's bindings to assistive technology.
const python = "/usr/bin/python3"

// hand works in windows as assistive technology does, through
// e2e/native/atspi.py, which says what a request is.
type hand struct {
	driver  *exec.Cmd
	stdin   io.WriteCloser
	answers *bufio.Reader
	trouble *bytes.Buffer
}

// wish is what the hand is to do.
type wish struct {
	Do string `json:"do"`
	// Seconds is how long it is tried.
	Seconds int `json:"seconds"`
	// PID is the process of the window.
	PID  int    `json:"pid"`
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
	// Has is a part of the name or text.
	Has string `json:"has,omitempty"`
	// States must all be set.
	States []string `json:"states,omitempty"`
}

func newHand(ctx context.Context, d *desktop, root string) (*hand, error) {
	h := &hand{driver: exec.CommandContext(ctx, python, filepath.Join(root, "e2e/native/atspi.py")), trouble: &bytes.Buffer{}}
	h.driver.Env = d.environment
	h.driver.Stderr = h.trouble
	stdin, inErr := h.driver.StdinPipe()
	stdout, outErr := h.driver.StdoutPipe()
	if err := errors.Join(inErr, outErr, h.driver.Start()); err != nil {
		return nil, fmt.Errorf("start the driver: %w", err)
	}
	h.stdin, h.answers = stdin, bufio.NewReader(stdout)
	return h, nil
}

// doWish asks for one thing and waits until it is done.
func (h *hand) doWish(wanted wish) error {
	text, err := json.Marshal(wanted)
	if err != nil {
		return fmt.Errorf("ask the driver: %w", err)
	}
	if _, err := h.stdin.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("ask the driver: %w: %s", err, bytes.TrimSpace(h.trouble.Bytes()))
	}
	line, err := h.answers.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("ask the driver: %w: %s", err, bytes.TrimSpace(h.trouble.Bytes()))
	}
	var answered struct {
		Error string `json:"error"`
	}
	if err := json.Unmarshal(line, &answered); err != nil {
		return fmt.Errorf("read the driver's answer: %w", err)
	}
	if answered.Error != "" {
		return fmt.Errorf("%s %s %q: %s", wanted.Do, wanted.Role, wanted.Name+wanted.Has, answered.Error)
	}
	return nil
}

func (h *hand) close() error {
	if err := errors.Join(h.stdin.Close(), h.driver.Wait()); err != nil {
		return fmt.Errorf("end the driver: %w: %s", err, bytes.TrimSpace(h.trouble.Bytes()))
	}
	return nil
}

// typeLine types a line into the window that has the keyboard.
func typeLine(ctx context.Context, d *desktop, window xproto.Window, line string) error {
	keys := exec.CommandContext(ctx, "xdotool",
		"windowfocus", "--sync", fmt.Sprint(window), "type", "--delay", "5", "--args", "1", line, "key", "Return")
	keys.Env = d.environment
	if output, err := keys.CombinedOutput(); err != nil {
		return fmt.Errorf("type into the window: %w: %s", err, strings.TrimSpace(string(output)))
	}
	return nil
}

//go:build e2e && linux

package native

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// query is what to look for on the screen. Every field that is set must fit.
type query struct {
	// PID keeps to the windows of one process.
	PID  int    `json:"pid,omitempty"`
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
	// Text is the whole text, Has a part of the text or the name.
	Text string `json:"text,omitempty"`
	Has  string `json:"has,omitempty"`
	// Within is something around it.
	Within *query `json:"within,omitempty"`
	// States must all be set, such as showing, sensitive, focused, checked.
	States []string `json:"states,omitempty"`
}

func (q query) String() string {
	text, _ := json.Marshal(q) // plain values always encode
	return string(text)
}

// thing is something on the screen.
type thing struct {
	Role   string   `json:"role"`
	Name   string   `json:"name"`
	Text   string   `json:"text"`
	States []string `json:"states"`
	// Box is where it is on the screen: left, top, width and height in pixels.
	Box []int `json:"box"`
	// PID is the process it belongs to. That of the page is the web engine's.
	PID int `json:"pid"`
}

// driver finds and presses what is on the screen. See atspi.py.
type driver struct {
	cmd *exec.Cmd

	mu    sync.Mutex
	stdin io.WriteCloser
	lines *bufio.Reader
}

// errUnseen says that what was looked for is not on the screen.
var errUnseen = errors.New("it is not on the screen")

func startDriver() (*driver, error) {
	// The system's own Python has the bindings of its library.
	d := &driver{cmd: exec.Command("/usr/bin/python3", "atspi.py")}
	d.cmd.Stderr = os.Stderr
	var err error
	if d.stdin, err = d.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("start driver: %w", err)
	}
	stdout, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start driver: %w", err)
	}
	d.lines = bufio.NewReader(stdout)
	if err := d.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start driver: %w", err)
	}
	return d, nil
}

func (d *driver) close() error {
	_ = d.stdin.Close() // it ends with its input
	return d.cmd.Wait()
}

// do asks the driver for a verb, for at most so many seconds, and decodes the
// answer into value, unless that is nil.
func (d *driver) do(verb string, q query, seconds float64, value any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	request, err := json.Marshal(struct {
		query
		Do      string  `json:"do"`
		Seconds float64 `json:"seconds"`
	}{q, verb, seconds})
	if err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	if _, err := d.stdin.Write(append(request, '\n')); err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	line, err := d.lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s: the driver ended: %w", verb, err)
	}
	var answer struct {
		OK    json.RawMessage `json:"ok"`
		Error string          `json:"error"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	if answer.Error != "" {
		return errUnseen
	}
	if value == nil {
		return nil
	}
	return json.Unmarshal(answer.OK, value)
}

package document

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"

	"fairlead/backend/tool/document/exchange"
)

// child is a process that reads documents.
type child struct {
	cmd  *exec.Cmd
	conn *exchange.Conn
	// closers are this side's ends of its pipes.
	closers []io.Closer
	// gone is closed when it has ended.
	gone chan struct{}
	once sync.Once
	// lost is set where it ended by itself while it read.
	lost atomic.Bool
}

// startChild starts the program that reads documents, with nothing of this process but two pipes.
func startChild(arguments ...string) (*child, error) {
	cmd, err := readerCommand(arguments)
	if err != nil {
		return nil, fmt.Errorf("start %w: %w", errReader, err)
	}
	cmd.Env, cmd.Dir = []string{}, rootFolder()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %w: %w", errReader, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %w: %w", errReader, err), in.Close())
	}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start %w: %w", errReader, err), in.Close(), out.Close())
	}
	return &child{cmd: cmd, conn: exchange.NewConn(out, in), closers: []io.Closer{in, out}, gone: make(chan struct{})}, nil
}

// await waits until the process says that it is ready, or that it has compiled something and ends.
func (c *child) await(ctx context.Context) (compiled bool, err error) {
	var hello exchange.Hello
	done := make(chan error, 1)
	go func() {
		kind, content, err := c.conn.Read()
		switch {
		case err != nil:
			err = c.fault(err)
		case kind != exchange.HelloFrame:
			err = fmt.Errorf("%w sent %q", errReader, kind)
		default:
			err = exchange.Parse(content, &hello)
		}
		if err == nil && hello.Failed != "" {
			err = fmt.Errorf("%w cannot start: %s", errReader, hello.Failed)
		}
		if err == nil && hello.Unsealed != "" && mustBeSealed {
			err = fmt.Errorf("%w cannot be shut off from everything else here: %s", errReader, hello.Unsealed)
		}
		done <- err
	}()
	select {
	case err := <-done:
		return hello.Compiled, err
	case <-ctx.Done():
		c.kill() // which ends the goroutine
		return false, fmt.Errorf("wait for %w to start: %w", errReader, cmp.Or(context.Cause(ctx), <-done))
	}
}

// fault says what a broken connection means: the document has ended the process, by what it needs or
// because the reader has a fault.
func (c *child) fault(err error) error {
	c.kill()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || isBroken(err) {
		c.lost.Store(true)
		return &exchange.Failure{Reason: exchange.TooLarge, Detail: fmt.Sprintf("its reader has ended (%s), as one does that needs more than 300 MiB", c.cmd.ProcessState)}
	}
	return fmt.Errorf("%w: %w", errReader, err)
}

// kill ends the process, and waits for that.
func (c *child) kill() {
	c.once.Do(func() {
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait()
		for _, closer := range c.closers {
			_ = closer.Close()
		}
		close(c.gone)
	})
	<-c.gone
}

// isGone reports whether the process was ended.
func (c *child) isGone() bool {
	select {
	case <-c.gone:
		return true
	default:
		return false
	}
}

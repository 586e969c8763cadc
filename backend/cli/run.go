package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/session"
)

const (
	// quitTime is how long a cancelled run may take to end: within a second
	// (SPEC CAN-01), leaving the process time for what comes after.
	quitTime = 750 * time.Millisecond
	// drainTime is how long a cancelled run's last lines may wait for a reader.
	drainTime = 200 * time.Millisecond
	// maxPrompt bounds a prompt from standard input, in bytes.
	maxPrompt = 1 << 20
)

// errUnread is output that was given up because the run was cancelled.
var errUnread = errors.New("standard output was not read to the end")

// endedError says that a run ended, with the code to leave with. What there was
// to say about it has been said.
type endedError struct{ code int }

func (e *endedError) Error() string { return fmt.Sprintf("the run ended with code %d", e.code) }

// Run works on a task.
func (c *runCommand) Run(with *surroundings) error {
	if with.fileErr != nil {
		fmt.Fprintln(with.streams.Err, message.Visible("warning: "+with.fileErr.Error()+"; the defaults are used, the file is left as it is"))
	}
	if err := c.check(); err != nil {
		return err
	}
	prompt, err := c.prompt(with.streams.In)
	if err != nil {
		return err
	}
	task, err := c.task()
	if err != nil {
		return err
	}
	b, err := openBackend(with, c.LogLevel)
	if err != nil {
		return err
	}
	w := &work{command: c, backend: b, streams: with.streams, task: task, stopped: make(chan struct{})}
	err = w.do(prompt)
	ctx, stop := context.WithTimeout(context.Background(), quitTime)
	defer stop()
	return errors.Join(err, b.Close(ctx))
}

// openBackend opens the backend, which from then on keeps known keys out of what is
// written.
func openBackend(with *surroundings, logLevel string) (*backend.Backend, error) {
	b, err := backend.Open(backend.Options{Folders: with.folders, LogLevel: logLevel})
	if err != nil {
		return nil, err
	}
	with.streams.Out = b.Redactor.Writer(with.streams.Out)
	with.streams.Err = b.Redactor.Writer(with.streams.Err)
	stderr := with.streams.Err
	b.Tell = func(text string) { fmt.Fprintln(stderr, message.Visible("warning: "+oneLine(text))) }
	return b, nil
}

// prompt is the task in words: the argument, or standard input for "-".
func (c *runCommand) prompt(in io.Reader) (string, error) {
	prompt := c.Prompt
	if prompt == "-" {
		if c.Input != "" {
			return "", &usageError{problem: "standard input cannot be both the prompt (-) and --input jsonl", hint: "give the prompt as an argument"}
		}
		text, err := io.ReadAll(io.LimitReader(in, maxPrompt+1))
		if err != nil {
			return "", fmt.Errorf("read prompt: %w", err)
		}
		if len(text) > maxPrompt {
			return "", &usageError{problem: "the prompt on standard input is longer than 1 MiB", hint: "put it into a file of the workspace and name the file"}
		}
		prompt = string(text)
	}
	prompt = strings.ToValidUTF8(prompt, "\uFFFD")
	if strings.TrimSpace(prompt) == "" && !strings.EqualFold(c.Provider, catalog.Demo) {
		return "", &usageError{problem: "there is no task", hint: `say what to do, for example: fairlead run --workspace . "summarise README.md"`}
	}
	return prompt, nil
}

// work is one run of the command line.
type work struct {
	command *runCommand
	backend *backend.Backend
	streams Streams
	task    backend.Task
	tour    *backend.Tour // nil for a real model

	runID atomic.Value // string: the run's id once it has one
	// stopped is closed when the person cancels.
	stopped chan struct{}
	once    sync.Once
}

// do runs the prompt and reports how it ended.
func (w *work) do(prompt string) (err error) {
	if w.task.Endpoint.Provider.Name == catalog.Demo {
		if w.tour, err = w.backend.PrepareTour(w.task.Folder); err != nil {
			return err
		}
		w.task.Folder = w.tour.Folder
	}
	shown := w.chooseAsker()
	conversation, err := w.backend.Begin(context.Background(), w.task)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conversation.Close()) }()
	if w.tour != nil {
		prompt = w.tour.Prompt
	}
	if w.unanswered() {
		fmt.Fprintln(w.streams.Err, "note: there is no terminal to ask in, so whatever would ask is refused; "+
			"use --approve writes or all, or answer with --input jsonl")
	}
	// Before the run, so that an interrupt never ends the program beside it.
	signals := notice()
	run, err := conversation.Run(prompt)
	if err != nil {
		return err
	}
	w.runID.Store(run.ID)
	go w.obeySignals(signals)
	if w.command.Input == "jsonl" {
		go obey(w.streams.In, w.streams.Err, run.ID, w.backend.Desk, w.cancel)
	}
	code := w.show(run, shown)
	if w.tour != nil {
		fmt.Fprintf(w.streams.Err, "The sample workspace is %s; delete it when you have looked at it.\n", w.tour.Folder)
	}
	if w.command.Stats {
		up, down := conversation.Traffic()
		if err := writeStats(w.streams.Err, run, up, down); err != nil {
			return err
		}
	}
	if code != exitOK {
		return &endedError{code}
	}
	return nil
}

// chooseAsker finds who can answer questions: lines on standard input, the
// terminal, the tour itself, or nobody, which refuses everything that would ask.
func (w *work) chooseAsker() (asking func(callID string)) {
	asking = func(string) {}
	switch {
	case w.command.Input == "jsonl":
	case w.streams.Terminal && w.command.Prompt != "-":
		person := newTerminal(w.streams, w.backend.Desk, w.id)
		w.task.Asker, asking = person, person.shown.mark
	case w.tour != nil:
		guide := &guide{out: w.streams.Err, shown: &milestones{}}
		w.task.Asker, asking = guide, guide.shown.mark
	default:
		w.backend.Desk.Close("nobody can be asked in this run")
	}
	return asking
}

// unanswered says that the mode asks and nobody can answer.
func (w *work) unanswered() bool {
	return w.task.Asker == nil && w.command.Input == "" && (w.task.Approve == approve.Ask || w.task.Approve == approve.Writes)
}

func (w *work) id() string {
	id, _ := w.runID.Load().(string)
	return id
}

func (w *work) cancel() error {
	w.once.Do(func() { close(w.stopped) })
	_, err := w.backend.Sessions.Cancel(w.id())
	return err
}

// notice begins to take the signals that end the run, for the rest of the
// process's life.
func notice() <-chan os.Signal {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	// A reader that goes away is noticed by the write that fails, so that the
	// run can be ended in order. The signal would end the process at once, and
	// commands would inherit one that is ignored.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return signals
}

// obeySignals cancels the run at the first interrupt and quits at the second, or
// when the end takes too long: a line to a standard error that nobody reads would
// take for ever.
func (w *work) obeySignals(signals <-chan os.Signal) {
	<-signals
	_ = w.cancel() // the run may have ended in this moment
	select {
	case <-signals:
	case <-time.After(quitTime):
	}
	process.KillAll()
	os.Exit(exitCancelled)
}

// show writes the run's events until its end and returns the exit code. A
// cancelled run does not wait for a reader that does not read, and a reader that
// has gone cancels the run.
func (w *work) show(run *session.Run, asking func(string)) int {
	out := w.writer(asking)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	written := make(chan error, 1)
	go func() {
		err := follow(ctx, run.Events, out)
		if err != nil {
			_ = w.cancel() // the run may have ended in this moment
		}
		written <- err
	}()
	result := run.Wait()
	var unwritten error
	select {
	case unwritten = <-written:
	case <-w.stopped:
		select {
		case unwritten = <-written:
		case <-time.After(drainTime):
			unwritten = errUnread
		}
	}
	code := exitCode(result.Reason)
	switch {
	case unwritten == nil:
		return code
	case errors.Is(unwritten, errUnread):
		code = exitCancelled
	case code == exitOK:
		code = exitError
	}
	fmt.Fprintln(w.streams.Err, message.Visible("error: "+oneLine(unwritten.Error())))
	return code
}

func (w *work) writer(asking func(callID string)) writer {
	if w.command.Output == "jsonl" {
		return jsonl{w.streams.Out, asking}
	}
	label := ""
	if w.tour != nil {
		label = w.tour.Label
	}
	return newText(w.streams.Out, w.streams.Err, w.streams.LiveOut, label, asking)
}

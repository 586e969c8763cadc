package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
)

const (
	// quitTime is how long a cancelled run may take to end: within a second
	// (SPEC CAN-01). The other half is for what comes after on a busy machine:
	// ending what is left, and leaving.
	quitTime = 500 * time.Millisecond
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
	file, err := with.options.overrideSettings(with.file)
	if err != nil {
		return err
	}
	with.file = file
	prompt, err := c.readPrompt(with.streams.In, file.Value("provider"))
	if err != nil {
		return err
	}
	task, err := c.newTask(file)
	if err != nil {
		return err
	}
	b, err := openBackend(with, file.Value("log_level"), false)
	if err != nil {
		return err
	}
	if c.Draft != "" {
		note, err := chosenDraft{c.Draft}.find(context.Background(), b, false)
		if err != nil {
			return errors.Join(err, b.Close(context.Background()))
		}
		task.Session, task.Approve = note.SessionID, approve.Draft
	}
	w := &work{command: c, backend: b, streams: with.streams, interrupts: with.interrupts, task: task}
	err = w.runPrompt(prompt)
	ctx, stop := context.WithTimeout(context.Background(), quitTime)
	defer stop()
	return errors.Join(err, b.Close(ctx))
}

// openBackend opens the backend, which from then on keeps known keys out of what is
// written. reading says that what is saved is only read.
func openBackend(with *surroundings, logLevel string, reading bool) (*backend.Backend, error) {
	calls, err := with.file.Calls()
	if err != nil {
		return nil, err
	}
	b, err := backend.Open(backend.Options{
		Folders: with.folders, LogLevel: logLevel, Calls: calls, Reading: reading,
		ReadableFolders: with.file.ReadableFolders(), CommandMemory: with.file.CommandMemory(),
		UndoSpace: with.file.UndoSpace(),
	})
	if err != nil {
		return nil, err
	}
	with.streams.Out = b.Redactor.Writer(with.streams.Out)
	with.streams.Err = b.Redactor.Writer(with.streams.Err)
	stderr := with.streams.Err
	b.Tell = func(text string) { fmt.Fprintln(stderr, message.Visible("warning: "+oneLine(text))) }
	return b, nil
}

// readPrompt is the task in words: the argument, or standard input for "-". The guided tour
// has its own.
func (c *runCommand) readPrompt(in io.Reader, provider string) (string, error) {
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
	if strings.TrimSpace(prompt) == "" && !strings.EqualFold(provider, catalog.Demo) {
		return "", &usageError{problem: "there is no task", hint: `say what to do, for example: fairlead run --workspace . "summarise README.md"`}
	}
	return prompt, nil
}

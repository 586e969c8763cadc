// Package shell has the tool that runs command lines in the workspace folder.
// A person sees the whole command line before it runs.
package shell

import (
	"context"
	_ "embed" // the description
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

// NotConfined is what a person is told before a command runs.
const NotConfined = "Not confined: this command runs with all your rights and can read your files and keys."

const (
	defaultLimit = 120 * time.Second
	maxLimit     = 600 * time.Second
)

//go:embed shell.md
var description string

// New returns the tool shell. Commands start in the folder; outputs keeps what
// is too long for the model.
func New(folder *workspace.Folder, outputs *workspace.Outputs) tool.Tool {
	return &shell{folder: folder, outputs: outputs}
}

type shell struct {
	folder  *workspace.Folder
	outputs *workspace.Outputs
}

type arguments struct {
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitempty" jsonschema:"seconds, 1 to 600; default 120"`
}

// data is the result for programs.
type data struct {
	// ExitCode is -1 when a signal ended the shell.
	ExitCode int `json:"exitCode"`
	// Signal names that signal.
	Signal string `json:"signal,omitempty"`
}

// Definition implements tool.Tool.
func (s *shell) Definition() tool.Definition {
	return tool.Definition{
		Name:        "shell",
		Description: strings.TrimSpace(description),
		Parameters:  tool.Schema[arguments](),
		Confirm:     true,
		Effect:      message.EffectCommand,
		Group:       "shell",
	}
}

// Limit implements tool.Limiter. Arguments that Run refuses have the default.
func (s *shell) Limit(in tool.Input) time.Duration {
	args, failure := read(in)
	if failure != nil || args.Timeout == 0 {
		return defaultLimit
	}
	return time.Duration(args.Timeout) * time.Second
}

// Preview implements tool.Previewer.
func (s *shell) Preview(_ context.Context, in tool.Input) (message.Preview, error) {
	args, failure := read(in)
	if failure != nil {
		return message.Preview{}, failure
	}
	return message.Preview{
		Effect:      message.EffectCommand,
		Command:     args.Command,
		Folder:      s.folder.Path(),
		Confinement: NotConfined,
	}, nil
}

// Run implements tool.Tool.
func (s *shell) Run(ctx context.Context, in tool.Input) message.Result {
	args, failure := read(in)
	if failure != nil {
		return message.Result{Error: failure}
	}
	exit, err := process.Run(ctx, process.Command{
		Line:   args.Command,
		Dir:    s.folder.Path(),
		Spill:  func() (io.WriteCloser, error) { return s.outputs.Create(in.CallID) },
		Output: in.Progress,
	})
	result := message.Result{
		Content:   content(exit.Text, in.CallID),
		Truncated: exit.Text.Omitted > 0,
	}
	switch {
	case err != nil:
		result.Error = stopped(ctx, err)
		return result
	case exit.Signal != "":
		result.Error = &message.ToolError{Code: message.CommandFailed, Message: "ended by " + exit.Signal}
	case exit.Code != 0:
		result.Error = &message.ToolError{Code: message.CommandFailed, Message: fmt.Sprintf("exit code %d", exit.Code)}
	}
	result.Data = data{ExitCode: exit.Code, Signal: exit.Signal}
	return result
}

// stopped says why a command has no exit code.
func stopped(ctx context.Context, err error) *message.ToolError {
	code, text := message.ExecutionError, err.Error()
	switch {
	case errors.Is(err, tool.ErrTimeout):
		code = message.ToolTimeout
	case ctx.Err() != nil:
		code = message.Cancelled
	case errors.Is(err, fs.ErrNotExist):
		text += " (is the folder still there?)"
	case errors.Is(err, syscall.E2BIG):
		text += " (write the command to a file and run that)"
	}
	return &message.ToolError{Code: code, Message: text}
}

// read reads and checks the arguments.
func read(in tool.Input) (arguments, *message.ToolError) {
	args, err := tool.Decode[arguments](in.Arguments)
	text := ""
	switch {
	case err != nil:
		text = err.Error()
	case strings.TrimSpace(args.Command) == "":
		text = "command is empty"
	case strings.ContainsRune(args.Command, 0):
		text = "command holds a NUL character, which no command line can"
	case args.Timeout < 0 || args.Timeout > int(maxLimit/time.Second):
		text = fmt.Sprintf("timeout is %d: it is 1 to %.0f seconds", args.Timeout, maxLimit.Seconds())
	default:
		return args, nil
	}
	return arguments{}, &message.ToolError{Code: message.InvalidArguments, Message: text}
}

// content is the text for the model, with a notice where some is left out.
func content(text process.Text, callID string) string {
	if text.Omitted == 0 {
		return text.Head
	}
	path := fmt.Sprintf("read_file path %q", workspace.OutputPrefix+callID)
	notice := fmt.Sprintf("%d characters left out", text.Omitted)
	switch {
	case text.SpillErr == nil:
		notice += ": read the whole output with " + path
	case text.Spilled == 0:
		notice += fmt.Sprintf(" and not kept: %v", text.SpillErr)
	default:
		notice += fmt.Sprintf(": read the first %d MiB with %s; the rest is not kept: %v", text.Spilled>>20, path, text.SpillErr)
	}
	return text.Head + "\n[… " + notice + " …]\n" + text.Tail
}

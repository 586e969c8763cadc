// Package process runs command lines of the system's shell: with the whole
// process tree under control, a small fixed environment, no input, and an
// output that stays bounded however much a program writes.
//
// A command that is given a place of the sandbox is confined to it, and does not run
// where that fails. Without one it can do what the user who runs Fairlead can.
//
// Run runs one command to its end. Jobs are the commands of a session: some are in
// the background, and all of them can be looked at while they run.
package process

import (
	"context"
	"errors"
	"io"

	"fairlead/backend/message"
	"fairlead/backend/sandbox"
)

// ErrNotConfined says that a command could not be confined to its space. It was not run.
var ErrNotConfined = errors.New("the command could not be confined and was not run")

// ErrUnknown says that a command was started and nobody knows what became of it.
var ErrUnknown = sandbox.ErrUnknown

// Command is one command line to run.
type Command struct {
	// Line is what the shell is given: sh -c on Unix, cmd.exe /d /s /c on Windows.
	Line string
	// Dir is the folder the command starts in.
	Dir string
	// Env is the whole environment as KEY=value; nil means Environment(). A space adds
	// where its private folders are.
	Env []string
	// Space confines the command; nil runs it with all the user's rights.
	Space *sandbox.Space
	// Level is what the system promises of the command's confinement, for those who
	// look at it.
	Level message.Level
	// Network says that the user allowed the network for it.
	Network bool
	// Repositories are what is kept from it in the workspace, relative to it. A name
	// that ends in a slash is that of a repository's folder, of which only hooks,
	// settings and the like are kept.
	Repositories []string
	// Overlay is a folder that takes what the command changes, which then works on a copy of
	// the workspace, as sandbox.Command has it; empty for none.
	Overlay string
	// NextOverlay returns one for the command that follows, as sandbox.Command has it; nil for
	// none.
	NextOverlay func() string
	// Cover are files and folders of which it sees nothing, as sandbox.Command has them.
	Cover []string
	// Run names what the command belongs to, as sandbox.Command has it.
	Run string
	// Spill opens the place that takes the whole text of an output too long for
	// Exit. It is called at most once, and only for such an output; nil means
	// that what does not fit is lost.
	Spill func() (io.WriteCloser, error)
	// Ended is called once when nothing is left of a command that was started, before
	// anybody is told of its end; may be nil. Its context has ended for a command that
	// was cut short, and ends when nobody wants to wait for Ended any longer.
	Ended func(ctx context.Context)
	// Output takes the text as it comes, one call at a time and at most 20 a
	// second; of a program that writes faster than 16 KiB a call, the newest
	// text. It should return quickly, a cancel waits for it. May be nil.
	Output func(text string)
}

// Exit is what became of a command.
type Exit struct {
	// Code is the exit code, -1 when a signal ended the shell or the command was
	// cut short.
	Code int
	// Signal names the signal that ended the shell, such as SIGKILL.
	Signal string
	// Limit says at which limit it was ended, and what that is; empty for one that was not.
	Limit string
	// Exceeded is that limit for programs; nil for none.
	Exceeded *message.Exceeded
	// Opened are those of Command.Cover that it has read, which it saw empty.
	Opened []string
	// Text is what the command wrote.
	Text Text
	// Moved is the id of a command that was moved to the background, where it goes
	// on; empty for one that has ended.
	Moved string
}

// Run runs a command to its end and returns what it wrote, standard output and
// standard error in the order written, and how it ended. A command that fails is
// no error. When ctx ends first, the tree is asked to end, killed 30 ms later,
// and Run returns the output so far with the cause of ctx.
//
// Nothing of the tree outlives Run: what the shell left in the background is
// killed when the shell ends. Without a space, a process that made a session of its
// own is out of reach, but it delays Run by half a second at most.
func Run(ctx context.Context, c Command) (Exit, error) {
	if ctx.Err() != nil {
		return Exit{Code: -1}, context.Cause(ctx)
	}
	e, err := startExecution(start, c, false)
	if err != nil {
		return Exit{Code: -1}, err
	}
	go e.superviseCommand(func() {})
	e.passOutput(ctx, nil, e.cancel)
	return e.exitResult()
}

package sandbox

import (
	"errors"
	"fmt"
	"time"

	"fairlead/backend/message"
)

// Command is a command line to confine.
type Command struct {
	// Line is what sh -c is given.
	Line string
	// Dir is the folder it starts in.
	Dir string
	// Env is its whole environment as KEY=value.
	Env []string
	// Network says that the user allowed the network for it.
	Network bool
	// Repositories are what is kept from it in the workspace, relative to it. A name
	// that ends in a slash is that of a repository's folder, of which only hooks,
	// settings and the like are kept.
	Repositories []string
	// Overlay is a folder that overlay.New has made, empty for none: the command works on a
	// copy of the workspace then, and what it changes lies in that folder. Only level Full
	// has overlays.
	Overlay string
	// NextOverlay returns such a folder for the command that follows, empty for none. It is
	// called once this one was started, and nobody waits for it.
	NextOverlay func() string
	// Cover are files and folders in the workspace of which it sees nothing, relative to it:
	// files are empty, and neither can be changed. Only level Full covers anything.
	Cover []string
	// Run names what the command belongs to. The commands of one in copies may use
	// so much together, and each of them too (SPEC PRE-10).
	Run string
}

// LimitError says that a command was ended, with all that it had started, because it used
// more than a command may.
type LimitError struct {
	// Memory is what it used, and MostMemory what it may, in bytes.
	Memory, MostMemory uint64
	// Processes and MostProcesses are the same in processes and threads.
	Processes, MostProcesses uint64
	// Processor and MostProcessor are times of processors, and Written and MostWritten bytes
	// that it wrote to the copy of the folder. The bound is 0 where there is none.
	Processor, MostProcessor time.Duration
	Written, MostWritten     uint64
}

// Exceeded is the limit for programs.
func (e *LimitError) Exceeded() message.Exceeded {
	if e.Memory > e.MostMemory {
		return message.Exceeded{Resource: message.Memory, Used: e.Memory, Most: e.MostMemory}
	}
	if e.Written > e.MostWritten {
		return message.Exceeded{Resource: message.Written, Used: e.Written, Most: e.MostWritten}
	}
	if e.isTimeOver() {
		return message.Exceeded{Resource: message.Processor, Used: uint64(e.Processor.Seconds()), Most: uint64(e.MostProcessor.Seconds())}
	}
	return message.Exceeded{Resource: message.Processes, Used: e.Processes, Most: e.MostProcesses}
}

func (e *LimitError) isTimeOver() bool { return e.MostProcessor > 0 && e.Processor > e.MostProcessor }

func (e *LimitError) Error() string {
	const megabyte = 1 << 20
	if e.Memory > e.MostMemory {
		return fmt.Sprintf("ended because it used %d MiB of memory with all that it started, and a command may use %d MiB; "+
			"have it do less at a time, or ask the user to raise command_memory in the settings file",
			(e.Memory+megabyte-1)/megabyte, e.MostMemory/megabyte)
	}
	if e.Written > e.MostWritten {
		return fmt.Sprintf("ended because it wrote %d MiB, and it could write %d MiB; have it write less at a time",
			(e.Written+megabyte-1)/megabyte, e.MostWritten/megabyte)
	}
	if e.isTimeOver() {
		return fmt.Sprintf("ended because it used %v of the processors' time, and it could use %v; have it do less at a time",
			e.Processor.Round(time.Second), e.MostProcessor.Round(time.Second))
	}
	return fmt.Sprintf("ended because it had %d processes and threads, and a command may have %d; have it do less at a time",
		e.Processes, e.MostProcesses)
}

// SetUpError says that a command could not be confined, and so was not run.
type SetUpError struct {
	// Err is what went wrong.
	Err error
}

func (e *SetUpError) Error() string {
	return fmt.Sprintf("the command could not be confined and was not run: %v", e.Err)
}

func (e *SetUpError) Unwrap() error { return e.Err }

// ErrUnknown says that a command may have run, in part or to its end: the process that
// watched over it ended before it could tell. Whatever the command had started was
// ended too.
var ErrUnknown = errors.New("it is not known what became of the command, because the process that watched over it was ended: " +
	"it may have run in part or to its end; look at what it has done before you run it again")

// Package supervisor is what stands between Fairlead and the commands it runs: a process
// of its own, and one more for each command, both of them the same program, started
// with a verb that nobody types: fairlead-supervisor, or else Fairlead's own.
//
// The supervisor of a session lives as long as the session. It holds what its commands
// share, a network of their own with nothing but loopback and the system's folders, and
// ends when Fairlead does, however that ends; nothing that it started outlives it. For
// each command it starts a guard, which confines itself step by step (see
// guard_linux.go), starts the shell, and kills all that is left when the shell ends.
//
// The verbs are looked at while the program initialises, before the packages that
// the window and the loop need. Starting the program is most of what a command costs, so
// this package imports little, and nothing of ours.
package supervisor

// Verb is the first argument that makes this program a supervisor.
const Verb = "fairlead-supervisor"

// Protocol is the second argument. A helper of another build refuses it, so that
// programs of two versions that lie side by side are noticed.
const Protocol = "7"

// GitParts are what git takes programs to run from, in a git folder: whatever is in
// hooks (githooks(5)), what the settings name (git-config(1)), and the file that names
// another folder for both (gitrepository-layout(5)).
var GitParts = []string{"hooks", "config", "config.worktree", "commondir"}

// The folders of an overlay: what the command writes, and what the file system needs beside
// that.
const (
	OverlayUpper = "upper"
	OverlayWork  = "work"
)

// Failed is the exit code of a supervisor or a guard that could not set itself up.
const Failed = 125

// Place is what a guard is told when it is started: where its command will run, and what
// it may use there.
type Place struct {
	// Workspace is the folder that it may change, an absolute path without links.
	Workspace string
	// ReadOnly reports whether it may only read the workspace.
	ReadOnly bool
	// Temporary, OwnHome and Cache are private folders that it may change too. With
	// namespaces it sees Temporary as /tmp, and OwnHome in the place of Home.
	Temporary, OwnHome, Cache string
	// Home is the user's home folder.
	Home string
	// Read are further files and folders that it may read, absolute paths.
	Read []string
	// Hide are files and folders that it must not see, though they may lie in one that it
	// may read: Fairlead's own, and those with keys.
	Hide []string
	// Install are folders that it may read though they may lie in one of Hide, absolute paths.
	Install []string
	// GitSettings is a file that it sees as .gitconfig in its home, where it has namespaces;
	// empty for none.
	GitSettings string
	// Overlay is a folder with the folders OverlayUpper and OverlayWork, which is empty, on one
	// file system, for a command that works on a copy of the workspace: it is mounted ahead.
	// Empty for none.
	Overlay string
	// Draft says that the supervisor has mounted a copy over the workspace (OpenDraft).
	Draft bool
	// Network says that the user allowed the network for it.
	Network bool
	// Hosts are what it may reach beside that, where it has namespaces. It finds their addresses
	// in its file of hosts, and asks no server for names. The guard listens there, and gives
	// what it listens with to Fairlead: OfferListeners, after the report that says Begun.
	Hosts []Host
	// Memory is the most that the command and all it starts may use together, in bytes;
	// 0 is half of the computer's.
	Memory uint64
	// Locks are what keeps it in.
	Locks Locks
}

// Host is a host that a server may reach at one port.
type Host struct {
	// Name is its name, which has an address of loopback for the server: 127.7 and the two bytes
	// of Number.
	Name         string
	Number, Port int
}

// MostHosts is how many Place.Hosts can be: so many descriptors fit in one message
// (unix(7), SCM_RIGHTS), with a margin.
const MostHosts = 128

// OfferListeners is the byte with which the listeners of Place.Hosts come, in their order.
const OfferListeners = 'l'

// Draft is what a supervisor is told of a copy of the workspace that all its commands work on.
type Draft struct {
	// Workspace is the folder, an absolute path without links.
	Workspace string
	// Overlay is a folder with the folders OverlayUpper and OverlayWork, on one file system. What
	// was changed in the copy before lies there.
	Overlay string
}

// Spec is what a guard is told about its command.
type Spec struct {
	// Line is what sh -c is given.
	Line string
	// Arguments are what is run instead of a line: a program, by an absolute path, and its
	// arguments. Such a program has an input, and its errors are apart from its output
	//.
	Arguments []string
	// Dir is where it starts.
	Dir string
	// Env is its whole environment as KEY=value.
	Env []string
	// Repositories are what it must not change in the workspace, relative to it: files,
	// folders and links. A name that ends in a slash is that of a repository's folder,
	// of which only GitParts are kept.
	Repositories []string
	// Copied has the command work on a copy of the workspace: what it writes goes to the upper
	// folder of the overlay, and the workspace stays as it is.
	Copied bool
	// Cover are files and folders in the workspace of which the command sees nothing,
	// relative to it: they are empty and cannot be changed.
	Cover []string
	// Renewed has the guard take OrderProtect while the command runs.
	Renewed bool
	// MostProcessor is the most time of processors that it and all it starts may use, in
	// nanoseconds; 0 for any.
	MostProcessor uint64
	// Probe has the guard try what must not work, instead of running the line.
	Probe *Probe
}

// Protection is what a guard is told to keep from its command once more.
type Protection struct {
	// Repositories and Cover are those of a Spec.
	Repositories, Cover []string
}

// Probe names what a guard tries, to see whether the command would be kept from it.
type Probe struct {
	// Outside is a folder of the user's outside the workspace, Secret a file in it.
	Outside, Secret string
	// Process is a program of the user's.
	Process int
	// Listener is the port of a server on 127.0.0.1.
	Listener int
	// Socket and Datagram are the paths of servers' sockets, Abstract is the name of
	// one without a path.
	Socket, Datagram, Abstract string
}

// ProbeFile is the file that is written in Probe.Outside.
const ProbeFile = "written"

// What is tried; Report.Tried says of each whether it worked.
const (
	TriedWrite    = "write a file"
	TriedTruncate = "empty a file"
	TriedOpening  = "empty a file by opening it"
	TriedRead     = "read a file"
	TriedModes    = "change the mode of a file"
	TriedTimes    = "change the time of a file"
	TriedSignal   = "send a signal to another program"
	TriedProcess  = "look into another program"
	TriedTrace    = "trace another program"
	TriedTCP      = "connect to another program"
	TriedSocket   = "connect to another program's socket"
	TriedDatagram = "send to another program's socket"
	TriedAbstract = "connect to another program's socket without a path"
	TriedVsock    = "open a socket to the host of a virtual machine"
	TriedKeys     = "use the system's key rings"
	TriedRing     = "use io_uring"
	TriedSpaces   = "make namespaces"
)

// Locks are the means of confinement, each of which can be missing on a system.
type Locks struct {
	// Namespaces are those for users, mounts, processes, IPC and network.
	Namespaces bool
	// Landlock is the version of its interface to use, 0 for none.
	Landlock int
	// Seccomp is the filter of system calls.
	Seccomp bool
}

// Report is what a guard says. All but those that say Begun and Protected are the last.
type Report struct {
	// Failed says why the command was not run; nothing follows.
	Failed string
	// Errno is the system's number for that, 0 where there is none.
	Errno int
	// Begun says that the shell is started next. Another report follows; where none
	// does, nobody knows what became of the command.
	Begun bool
	// Protected answers OrderProtect. Failed says why not all could be done.
	Protected bool
	// Ended says that the shell has ended, and everything that it started.
	Ended bool
	// Code is the exit code, -1 when a signal ended the shell.
	Code int
	// Signal is the number of that signal.
	Signal int
	// Processor is the time of processors that it and all it started have used, in nanoseconds.
	Processor uint64
	// Opened are those of Cover that it has read or listed.
	Opened []string
	// Exceeded says that the guard ended it, because it used more than it may.
	Exceeded *Exceeded
	// Tried is the outcome of the probe.
	Tried map[string]bool
}

// Exceeded is what a command used when it was ended for that.
type Exceeded struct {
	// Memory and MostMemory are in bytes: what it used, and what it may.
	Memory, MostMemory uint64
	// Processes and MostProcesses count threads too; MostProcesses is 0 where the system
	// keeps to that bound.
	Processes, MostProcesses uint64
	// Processor and MostProcessor are times of processors in nanoseconds; MostProcessor is 0
	// where there is no such bound.
	Processor, MostProcessor uint64
}

// The orders that a guard takes, one byte each. The end of the connection is one to
// kill.
const (
	// OrderTerminate has it ask all processes of the command to end.
	OrderTerminate = 't'
	// OrderKill has it kill them.
	OrderKill = 'k'
	// OrderProtect is followed by a Protection. What other programs replace in the workspace is
	// another file, which nothing is mounted on: the system takes mounts off what is deleted or
	// renamed over. The guard does what it did at the start, where that is not in place.
	OrderProtect = 'p'
)

// The requests that a supervisor takes, one byte each, with the guard's end of its
// connection as a file descriptor. A guard is told its Place at once, and what to run when
// it is needed: by a byte, with the output of the command as a file descriptor, and then
// its Spec. What is to run Spec.Arguments is given three files: input, output and errors.
const (
	// StartApart starts a guard that shares the network of the session only.
	StartApart = 'a'
	// StartConnected starts one with the system's network.
	StartConnected = 'c'
	// OpenDraft mounts a copy over the workspace, for all guards that are started from then on,
	// until the supervisor ends. What is given is the end of a connection, on which the
	// supervisor reads a Draft and writes a Report, and where that has not failed one byte with
	// the copy as a file descriptor.
	OpenDraft = 'd'
)

// Attempts lists what is tried.
func Attempts() []string {
	return []string{
		TriedWrite, TriedTruncate, TriedOpening, TriedRead, TriedModes, TriedTimes, TriedSignal, TriedProcess, TriedTrace,
		TriedTCP, TriedSocket, TriedDatagram, TriedAbstract, TriedVsock, TriedKeys, TriedRing, TriedSpaces,
	}
}

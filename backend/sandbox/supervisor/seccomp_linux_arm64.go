package supervisor

import "golang.org/x/sys/unix"

// openFlags is the call that opens a file by a path, with the number of the argument
// that holds its flags.
var openFlags = map[uint32]uint32{unix.SYS_OPENAT: 2}

// renameCalls are the calls that rename.
var renameCalls = map[uint32]renameCall{
	unix.SYS_RENAMEAT:  {0, 1, 2, 3, -1},
	unix.SYS_RENAMEAT2: {0, 1, 2, 3, 4},
}

// deniedHere is empty: this architecture has no calls of that kind of its own.
var deniedHere []uint32

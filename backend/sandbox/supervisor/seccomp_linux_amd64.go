package supervisor

import "golang.org/x/sys/unix"

// openFlags are the calls that open a file by a path, with the number of the argument
// that holds their flags.
var openFlags = map[uint32]uint32{unix.SYS_OPEN: 1, unix.SYS_OPENAT: 2}

// renameCalls are the calls that rename.
var renameCalls = map[uint32]renameCall{
	unix.SYS_RENAME:    {-1, 0, -1, 1, -1},
	unix.SYS_RENAMEAT:  {0, 1, 2, 3, -1},
	unix.SYS_RENAMEAT2: {0, 1, 2, 3, 4},
}

// deniedHere are those that only this architecture has.
var deniedHere = []uint32{unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS__SYSCTL, unix.SYS_CREATE_MODULE}

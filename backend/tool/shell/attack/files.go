//go:build linux

package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// fileAttacks are the attacks on files outside, by system calls that no common program
// makes on its own.
func fileAttacks() map[string]attack {
	return map[string]attack{
		"create":      {[]string{"PATH", "TEXT"}, createFile},
		"truncate":    {[]string{"PATH"}, truncateFile},
		"truncate-fd": {[]string{"FD"}, truncateOpen},
		"xattr":       {[]string{"PATH", "TEXT"}, setAttribute},
		"flags":       {[]string{"PATH"}, setFlags},
		"exchange":    {[]string{"PATH", "PATH"}, exchangeFiles},
		"handle":      {[]string{"FOLDER", "NAME"}, openHandle},
		"inherited":   {nil, readInherited},
	}
}

// createFile makes a file that must not exist yet.
func createFile(arguments []string) error {
	fd, err := unix.Open(arguments[0], unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return fmt.Errorf("create file: %w", err)
	}
	defer unix.Close(fd)
	if _, err := unix.Write(fd, []byte(arguments[1])); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	return nil
}

// truncateFile empties a file by its path, which the first versions of Landlock do not
// watch.
func truncateFile(arguments []string) error {
	if err := unix.Truncate(arguments[0], 0); err != nil {
		return fmt.Errorf("truncate file: %w", err)
	}
	return nil
}

// truncateOpen empties a file that was open before this program started.
func truncateOpen(arguments []string) error {
	fd, err := parseNumber(arguments[0])
	if err != nil {
		return err
	}
	if err := unix.Ftruncate(fd, 0); err != nil {
		return fmt.Errorf("truncate open file: %w", err)
	}
	return nil
}

func setAttribute(arguments []string) error {
	if err := unix.Setxattr(arguments[0], "user.attack", []byte(arguments[1]), 0); err != nil {
		return fmt.Errorf("set extended attribute: %w", err)
	}
	return nil
}

// setFlags gives a file the flag that keeps it out of backups by dump(8): the only
// one of these that an owner can set, and take away, with no further right.
func setFlags(arguments []string) error {
	const noDump = 0x40 // FS_NODUMP_FL of linux/fs.h
	fd, err := unix.Open(arguments[0], unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open file: %w", err)
	}
	defer unix.Close(fd)
	flags, err := unix.IoctlGetUint32(fd, unix.FS_IOC_GETFLAGS)
	if err != nil {
		return fmt.Errorf("read file flags: %w", err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, int(flags|noDump)); err != nil {
		return fmt.Errorf("set file flags: %w", err)
	}
	return nil
}

// exchangeFiles makes two files change places.
func exchangeFiles(arguments []string) error {
	err := unix.Renameat2(unix.AT_FDCWD, arguments[0], unix.AT_FDCWD, arguments[1], unix.RENAME_EXCHANGE)
	if err != nil {
		return fmt.Errorf("exchange files: %w", err)
	}
	return nil
}

// openHandle opens a file by its number on the disk, which no path check sees.
func openHandle(arguments []string) error {
	folder, err := unix.Open(arguments[0], unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	handle, _, err := unix.NameToHandleAt(folder, arguments[1], 0)
	if err != nil {
		return fmt.Errorf("ask for file handle: %w", err)
	}
	fd, err := unix.OpenByHandleAt(folder, handle, unix.O_RDONLY)
	if err != nil {
		return fmt.Errorf("open file handle: %w", err)
	}
	return printFile(fd)
}

// readInherited prints every file that was open before this program started.
func readInherited([]string) error {
	const highest = 256
	found := false
	for fd := 3; fd < highest; fd++ {
		var info unix.Stat_t
		if unix.Fstat(fd, &info) == nil && info.Mode&unix.S_IFMT == unix.S_IFREG && printFile(fd) == nil {
			found = true
		}
	}
	if !found {
		return fmt.Errorf("find inherited file: %w", unix.ENOENT)
	}
	return nil
}

// printFile prints the first bytes of an open file, from its beginning.
func printFile(fd int) error {
	buffer := make([]byte, 1024)
	n, err := unix.Pread(fd, buffer, 0)
	if err != nil {
		return fmt.Errorf("read open file: %w", err)
	}
	fmt.Fprintf(os.Stdout, "%s\n", buffer[:n])
	return nil
}

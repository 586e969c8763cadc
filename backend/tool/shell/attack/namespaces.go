//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// namespaceAttacks are the attacks that make their own view of the system. Each but the
// first two works as root of a user namespace of its own, which is how an ordinary
// user comes by the right to them.
func namespaceAttacks() map[string]attack {
	return map[string]attack{
		"userns":   {[]string{"CALL"}, newUser},
		"mount":    {[]string{"FOLDER"}, asRoot("mount")},
		"remount":  {nil, asRoot("remount")},
		"chroot":   {[]string{"FOLDER"}, asRoot("chroot")},
		"pivot":    {[]string{"FOLDER"}, asRoot("pivot")},
		"own-root": {[]string{"DEED", "FOLDER"}, actAsRoot},
	}
}

// newUser makes a user namespace by one of the calls that can.
func newUser(arguments []string) error {
	switch arguments[0] {
	case "clone":
		_, err := runChild([]string{"socket", "unix"}, &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER})
		return err
	case "clone3":
		return clone3()
	}
	return fmt.Errorf("%w: no call is named %q", errUsage, arguments[0])
}

// asRoot returns the attack that does a deed as root of namespaces of its own.
func asRoot(name string) func([]string) error {
	return func(arguments []string) error {
		folder := "/"
		if len(arguments) > 0 {
			folder = arguments[0]
		}
		state, err := runChild([]string{"own-root", name, folder}, &syscall.SysProcAttr{
			Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		})
		if err != nil {
			return err
		}
		if !state.Success() {
			return fmt.Errorf("%s in own namespaces: %s", name, state)
		}
		return nil
	}
}

// runChild runs this program in another way and waits for its end.
func runChild(arguments []string, how *syscall.SysProcAttr) (*os.ProcessState, error) {
	attributes := &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}, Sys: how}
	process, err := os.StartProcess("/proc/self/exe", append([]string{"attack"}, arguments...), attributes) //nolint:gosec // this program again
	if err != nil {
		return nil, err
	}
	return process.Wait()
}

// actAsRoot is what only root can do.
func actAsRoot(arguments []string) error {
	folder := arguments[1]
	switch arguments[0] {
	case "mount":
		return firstOf(
			stepError("mount", unix.Mount("tmpfs", folder, "tmpfs", 0, "")),
			stepError("unmount", unix.Unmount(folder, 0)),
		)
	case "remount":
		// It takes away the flag that makes a mount read-only.
		return stepError("remount", unix.Mount("", folder, "", unix.MS_REMOUNT|unix.MS_BIND, ""))
	case "chroot":
		return stepError("chroot", unix.Chroot(folder))
	case "pivot":
		old := filepath.Join(folder, "old")
		return firstOf(
			stepError("make mounts private", unix.Mount("", "/", "", unix.MS_PRIVATE|unix.MS_REC, "")),
			stepError("mount", unix.Mount("tmpfs", folder, "tmpfs", 0, "")),
			stepError("make folder", unix.Mkdir(old, 0o700)),
			stepError("pivot root", unix.PivotRoot(folder, old)),
		)
	}
	return fmt.Errorf("%w: no deed is called %q", errUsage, arguments[0])
}

// stepError names what failed.
func stepError(name string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

package supervisor

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// offerDraft mounts the draft that the other end of a connection tells of, and gives it a
// descriptor of that.
func offerDraft(fd int) {
	control := os.NewFile(uintptr(fd), "draft")
	defer control.Close()
	var d Draft
	err := Read(control, &d)
	draft := -1
	if err == nil {
		draft, err = mountDraft(d)
	}
	if err != nil {
		sendReport(fd, failureReport("open the draft", err))
		return
	}
	defer unix.Close(draft)
	sendReport(fd, Report{})
	_ = unix.Sendmsg(fd, []byte{OpenDraft}, unix.UnixRights(draft), nil, unix.MSG_NOSIGNAL) // there is nobody else to tell
}

// mountDraft mounts a draft over the workspace, in the mounts that all guards have a copy of,
// and returns it.
func mountDraft(d Draft) (fd int, err error) {
	fd, err = openOverlay(d.Workspace, d.Overlay, draftOptions)
	if err != nil {
		return -1, err
	}
	if err := attachDraft(fd, d.Workspace); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("mount the draft over %s: %w", d.Workspace, err)
	}
	return fd, nil
}

func attachDraft(fd int, workspace string) error {
	attributes := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV, Propagation: unix.MS_PRIVATE}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, &attributes); err != nil {
		return fmt.Errorf("set what may be done: %w", err)
	}
	at, err := unix.Open(workspace, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	return unix.MoveMount(fd, "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

package supervisor

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

// overlayOptions are those of overlayfs (Documentation/filesystems/overlayfs.rst in the
// kernel). With userxattr an ordinary user may mount it, and what is not on disk when the
// system crashes is not waited for with volatile: nothing of it counts until it is applied.
var overlayOptions = []string{"userxattr", "volatile"}

// draftOptions are those of one that is mounted again.
var draftOptions = []string{"userxattr"}

// openOverlay mounts a folder as the lower layer of an overlay, not yet in any place; upper is
// the folder of the other two. All three are named by descriptors, so that no character of
// their paths has a meaning, no link on the way is followed, and a command cannot read where
// they lie.
func openOverlay(lower, upper string, options []string) (fd int, err error) {
	system, err := unix.Fsopen("overlay", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return -1, fmt.Errorf("open the overlay file system: %w", err)
	}
	defer unix.Close(system)
	for _, option := range options {
		if err := unix.FsconfigSetFlag(system, option); err != nil {
			return -1, overlayError(system, "set "+option, err)
		}
	}
	for option, path := range map[string]string{
		"lowerdir": lower, "upperdir": joinPath(upper, OverlayUpper), "workdir": joinPath(upper, OverlayWork),
	} {
		folder, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return -1, fmt.Errorf("open the %s of the overlay: %w", option, err)
		}
		defer unix.Close(folder) // there are three
		if err := unix.FsconfigSetString(system, option, fmt.Sprintf("/proc/self/fd/%d", folder)); err != nil {
			return -1, overlayError(system, "set its "+option, err)
		}
	}
	if err := unix.FsconfigCreate(system); err != nil {
		return -1, overlayError(system, "make it", err)
	}
	fd, err = unix.Fsmount(system, unix.FSMOUNT_CLOEXEC, 0)
	if err != nil {
		return -1, overlayError(system, "mount it", err)
	}
	return fd, nil
}

// overlayError adds to an error what the file system has to say of it, which is read from
// where it is set up, a message at a time.
func overlayError(system int, what string, err error) error {
	var said []string
	message := make([]byte, 1<<12)
	for {
		n, readErr := unix.Read(system, message)
		if readErr != nil || n == 0 {
			break
		}
		// Each begins with its kind: "e" for an error.
		said = append(said, strings.TrimSpace(string(bytes.TrimPrefix(message[:n], []byte("e ")))))
	}
	if len(said) > 0 {
		err = fmt.Errorf("%w (%s)", err, strings.Join(said, "; "))
	}
	return fmt.Errorf("prepare the copy of the folder: %s: %w", what, err)
}

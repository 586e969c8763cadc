package changetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Disk is an ext4 file system in a file, whose power can be cut. Only root can mount it.
type Disk struct {
	image string
	// Mounted is where it is mounted.
	Mounted string
}

// NewDisk makes one of a size in bytes, and mounts it until the test has ended. The test is skipped
// where that cannot be.
func NewDisk(t *testing.T, size int64) *Disk {
	t.Helper()
	base := t.TempDir()
	d := &Disk{filepath.Join(base, "image"), filepath.Join(base, "disk")}
	if err := os.Mkdir(d.Mounted, 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(d.image)
	if err == nil {
		err = file.Truncate(size)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("mkfs.ext4", "-q", "-F", d.image).CombinedOutput(); err != nil {
		t.Skipf("no file system can be made: %v %s", err, output)
	}
	d.mount(t)
	t.Cleanup(func() { _ = exec.Command("umount", "--lazy", d.Mounted).Run() })
	return d
}

func (d *Disk) mount(t *testing.T) {
	t.Helper()
	if output, err := exec.Command("mount", "-o", "loop", d.image, d.Mounted).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted: %v %s", err, output)
	}
}

// CutPower has the file system of an open folder write nothing any more, its log neither
// (EXT4_IOC_SHUTDOWN and EXT4_GOING_FLAGS_NOLOGFLUSH in fs/ext4/ext4.h).
func CutPower(folder *os.File) {
	const shutdown, withoutLog = 0x8004587d, 2
	if err := unix.IoctlSetPointerInt(int(folder.Fd()), shutdown, withoutLog); err != nil {
		panic(err)
	}
}

// MountAgain has what survived a cut of the power be mounted in the same place.
func (d *Disk) MountAgain(t *testing.T) {
	t.Helper()
	if output, err := exec.Command("umount", "--lazy", d.Mounted).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, output)
	}
	// A program elsewhere may have begun with a copy of all mounts, and hold this one a while:
	// of another image the system makes another file system.
	before := d.image
	d.image += "."
	if output, err := exec.Command("cp", "--sparse=always", before, d.image).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, output)
	}
	d.mount(t)
}

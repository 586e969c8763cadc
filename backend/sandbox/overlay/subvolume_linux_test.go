package overlay_test

import (
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// TestPRE08_ASubvolumeInTheFolderIsFound has a folder of btrfs in which a subvolume lies: what an
// overlay moves into it or out of it could not be moved in the folder.
func TestPRE08_ASubvolumeInTheFolderIsFound(t *testing.T) {
	t.Run("btrfs", func(t *testing.T) {
		r := newRig(t)
		if !r.liesOn(unix.BTRFS_SUPER_MAGIC) {
			t.Skip("it is no btrfs")
		}
		if _, subvolume, err := r.Foreign(t.Context()); err != nil || subvolume != "" {
			t.Errorf("there is none, found %q, %v", subvolume, err)
		}
		must(t, exec.Command("btrfs", "subvolume", "create", r.folder+"/sub/volume").Run())
		if _, subvolume, err := r.Foreign(t.Context()); err != nil || subvolume != "sub/volume" {
			t.Errorf("found %q, %v", subvolume, err)
		}
	})
}

package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/leftover"
)

// TestAFailedWriteLeavesNothingBehind has a file replaced where that fails at its last
// step, by a file without a name and by one with: the folder is as it was.
func TestAFailedWriteLeavesNothingBehind(t *testing.T) {
	for name, put := range map[string]func(write) error{"without a name": write.putFile, "with a name": write.putNamed} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			f, err := Open(root)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = f.Close() }()
			f.UseRecord(leftover.New(filepath.Join(t.TempDir(), "left")))
			if err := os.MkdirAll(filepath.Join(root, "taken", "below"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := put(write{folder: f, in: f.topDir(), base: "taken", mode: newFile, content: []byte("text")}); err == nil {
				t.Error("a folder was replaced by a file")
			}
			if err := put(write{folder: f, in: f.topDir(), base: "fresh", mode: newFile, created: true, content: []byte("text")}); err != nil {
				t.Error(err)
			}
			entries, err := os.ReadDir(root)
			if err != nil || len(entries) != 2 || entries[0].Name() != "fresh" || entries[1].Name() != "taken" {
				t.Errorf("the folder holds %v, %v", entries, err)
			}
		})
	}
}

package sandboxtest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// nobody is the user and the group that own nothing on any system.
const nobody = 65534

// giveFolder makes the folder and all that is in it the ordinary user's.
func giveFolder(folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("open the folder of the tests: %w", err)
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return root.Lchown(path, nobody, nobody)
	})
	if err != nil {
		return fmt.Errorf("give the folder to the user %d: %w", nobody, err)
	}
	return checkReachable(folder)
}

// checkReachable says which folder above keeps the ordinary user from this one.
func checkReachable(folder string) error {
	for above := filepath.Dir(folder); ; above = filepath.Dir(above) {
		info, err := os.Stat(above)
		if err != nil {
			return fmt.Errorf("look at the folder of the tests: %w", err)
		}
		if info.Mode()&0o001 == 0 {
			return fmt.Errorf("the user %d cannot reach %s: set TMPDIR to a folder that everyone can", nobody, above)
		}
		if above == filepath.Dir(above) {
			return nil
		}
	}
}

// setUser makes the command one of the ordinary user, in no further group, that ends
// with the thread that starts it.
func setUser(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Credential: &syscall.Credential{Uid: nobody, Gid: nobody},
		Pdeathsig:  syscall.SIGKILL,
	}
}

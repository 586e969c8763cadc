package process

import "os/exec"

// Find returns where the program with that name lies on PATH. One that would be
// found in the current folder only is none: the folder is the model's to write in.
func Find(name string) (path string, ok bool) {
	path, err := exec.LookPath(name)
	return path, err == nil
}

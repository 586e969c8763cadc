package cli

import "os"

// startProgram starts the program; Windows cannot put it in the place of this one.
func startProgram(program string) error {
	started, err := os.StartProcess(program, []string{program}, &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
	})
	if err != nil {
		return err
	}
	return started.Release()
}

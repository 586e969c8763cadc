package demo_test

import (
	"os/exec"
	"syscall"
)

// shellOf is the system's shell with a command. cmd.exe does not take quotes as Go writes them.
func shellOf(line string) *exec.Cmd {
	command := exec.Command("cmd.exe")
	command.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd.exe /d /s /c "` + line + `"`}
	return command
}

package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// unconfined is a shell and every process it starts, held together by a job object.
type unconfined struct {
	shell *exec.Cmd
	job   windows.Handle
}

// errLines says that a command has several lines: cmd.exe would run the first
// and drop the rest without a word.
var errLines = errors.New("cmd.exe takes a single line: join commands with &&")

// startPlain starts the shell in a job that ends with its last handle, so that the
// tree dies with Fairlead too, however that ends. The shell joins the job right
// after its start, long before it can have read its command line.
func startPlain(c Command, output *os.File) (tree, error) {
	if strings.ContainsAny(c.Line, "\r\n") {
		return nil, errLines
	}
	system, err := windows.GetSystemDirectory()
	if err != nil {
		return nil, fmt.Errorf("find cmd.exe: %w", err)
	}
	job, err := newJob()
	if err != nil {
		return nil, err
	}
	shell := exec.Command(filepath.Join(system, "cmd.exe"))
	shell.SysProcAttr = &syscall.SysProcAttr{
		// With /s, cmd.exe takes off the outer quotes and leaves the rest alone.
		CmdLine:       `cmd.exe /d /s /c "` + c.Line + `"`,
		CreationFlags: windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP,
	}
	if err := launchShell(shell, c, output); err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	if err := joinJob(shell.Process, job); err != nil {
		_ = shell.Process.Kill()
		_ = shell.Wait()
		windows.CloseHandle(job)
		return nil, err
	}
	return &unconfined{shell, job}, nil
}

// newJob returns a job whose processes end when its handle is closed.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("create job: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, fmt.Errorf("limit job: %w", err)
	}
	return job, nil
}

// joinJob puts a process into a job.
func joinJob(process *os.Process, job windows.Handle) error {
	var assigned error
	err := process.WithHandle(func(handle uintptr) {
		assigned = windows.AssignProcessToJobObject(job, windows.Handle(handle))
	})
	if err == nil {
		err = assigned
	}
	if err != nil {
		return fmt.Errorf("assign shell to job: %w", err)
	}
	return nil
}

// awaitShell waits for the end of the shell. The exit code is in the process state,
// so that the error says nothing new.
func (t *unconfined) awaitShell() { _ = t.shell.Wait() }

// terminateTree ends the tree: Windows has no polite way that reaches a program
// without a window.
func (t *unconfined) terminateTree() { t.killTree() }

// killTree ends all processes of the tree. It can only fail because none is left.
func (t *unconfined) killTree() { _ = windows.TerminateJobObject(t.job, 1) }

// reapShell returns how the shell ended. It is called once, after await.
func (t *unconfined) reapShell() (code int, signal string, err error) {
	windows.CloseHandle(t.job)
	if t.shell.ProcessState == nil {
		return -1, "", nil
	}
	return t.shell.ProcessState.ExitCode(), "", nil
}

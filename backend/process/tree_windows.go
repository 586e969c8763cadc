package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// unconfined is a shell and every process it starts, held together by a job object.
type unconfined struct{ shell, job windows.Handle }

// errLines says that a command has several lines: cmd.exe would run the first
// and drop the rest without a word.
var errLines = errors.New("cmd.exe takes a single line: join commands with &&")

// startPlain starts the shell in a job that ends with its last handle, so that the
// tree dies with Fairlead too, however that ends.
func startPlain(c Command, output *os.File) (tree, error) {
	if strings.ContainsAny(c.Line, "\r\n") {
		return nil, errLines
	}
	system, err := windows.GetSystemDirectory()
	if err != nil {
		return nil, fmt.Errorf("find cmd.exe: %w", err)
	}
	if c.Dir, err = startFolder(c.Dir); err != nil {
		return nil, err
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	return startTree(started{
		// With /s, cmd.exe takes off the outer quotes and leaves the rest alone.
		program: filepath.Join(system, "cmd.exe"), line: `cmd.exe /d /s /c "` + c.Line + `"`, dir: c.Dir, env: c.Env,
		// Output and errors go into one pipe, so that they keep their order, and there is no input.
		streams: [3]*os.File{null, output, output},
	})
}

// startTree starts a program in a job of its own.
func startTree(s started) (tree, error) {
	job, err := newJob()
	if err != nil {
		return nil, err
	}
	shell, err := startInJob(s, job)
	if err != nil {
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

// awaitShell waits for the end of the shell, which can be asked for as long as it is open.
func (t *unconfined) awaitShell() { _, _ = windows.WaitForSingleObject(t.shell, windows.INFINITE) }

// terminateTree ends the tree: Windows has no polite way that reaches a program
// without a window.
func (t *unconfined) terminateTree() { t.killTree() }

// killTree ends all processes of the tree. It can only fail because none is left.
func (t *unconfined) killTree() { _ = windows.TerminateJobObject(t.job, 1) }

// reapShell returns how the shell ended. It is called once, after await.
func (t *unconfined) reapShell() (code int, signal string, err error) {
	defer windows.CloseHandle(t.job)
	defer windows.CloseHandle(t.shell)
	var status uint32
	if err := windows.GetExitCodeProcess(t.shell, &status); err != nil {
		return -1, "", nil
	}
	return int(status), "", nil
}

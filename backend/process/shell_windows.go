package process

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// attributeJobs is PROC_THREAD_ATTRIBUTE_JOB_LIST.
const attributeJobs = 0x2000D

// started is a program to be started.
type started struct {
	// program is its path, line its whole command line, dir where it starts, and env its whole
	// environment.
	program, line, dir string
	env                []string
	// streams are its input, output and errors.
	streams [3]*os.File
}

// startInJob starts a program that is in a job from its first moment: package os/exec can only
// put one into a job that runs already, and until then it would outlive a Fairlead that is ended.
func startInJob(s started, job windows.Handle) (process windows.Handle, err error) {
	streams, err := inheritable(s.streams[:]...)
	if err != nil {
		return 0, err
	}
	defer closeHandles(streams)
	attributes, err := windows.NewProcThreadAttributeList(2)
	if err != nil {
		return 0, fmt.Errorf("start a program: %w", err)
	}
	defer attributes.Delete()
	err = attributes.Update(windows.PROC_THREAD_ATTRIBUTE_HANDLE_LIST, unsafe.Pointer(&streams[0]), uintptr(len(streams))*unsafe.Sizeof(streams[0]))
	if err == nil {
		err = attributes.Update(attributeJobs, unsafe.Pointer(&job), unsafe.Sizeof(job))
	}
	if err != nil {
		return 0, fmt.Errorf("start a program: %w", err)
	}
	start := windows.StartupInfoEx{ProcThreadAttributeList: attributes.List()}
	start.Cb, start.Flags = uint32(unsafe.Sizeof(start)), windows.STARTF_USESTDHANDLES
	start.StdInput, start.StdOutput, start.StdErr = streams[0], streams[1], streams[2]

	texts, err := wideTexts(s.program, s.line, s.dir)
	if err != nil {
		return 0, err
	}
	environment, err := environmentBlock(s.env)
	if err != nil {
		return 0, err
	}
	var info windows.ProcessInformation
	err = windows.CreateProcess(texts[0], texts[1], nil, nil, true,
		windows.CREATE_NO_WINDOW|windows.CREATE_NEW_PROCESS_GROUP|windows.CREATE_UNICODE_ENVIRONMENT|windows.EXTENDED_STARTUPINFO_PRESENT,
		&environment[0], texts[2], &start.StartupInfo, &info)
	if err != nil {
		return 0, fmt.Errorf("start a program: %w", err)
	}
	windows.CloseHandle(info.Thread)
	return info.Process, nil
}

// inheritable returns handles of files that a process can be given; the files' own stay with
// Fairlead.
func inheritable(files ...*os.File) (handles []windows.Handle, err error) {
	self := windows.CurrentProcess()
	for _, file := range files {
		var handle windows.Handle
		if err := windows.DuplicateHandle(self, windows.Handle(file.Fd()), self, &handle, 0, true, windows.DUPLICATE_SAME_ACCESS); err != nil {
			closeHandles(handles)
			return nil, fmt.Errorf("pass on %s: %w", file.Name(), err)
		}
		handles = append(handles, handle)
	}
	return handles, nil
}

func closeHandles(handles []windows.Handle) {
	for _, handle := range handles {
		windows.CloseHandle(handle)
	}
}

// wideTexts are texts as Windows takes them.
func wideTexts(texts ...string) (wide []*uint16, err error) {
	for _, text := range texts {
		one, err := windows.UTF16PtrFromString(text)
		if err != nil {
			return nil, fmt.Errorf("start a program: %w", err)
		}
		wide = append(wide, one)
	}
	return wide, nil
}

// environmentBlock is an environment as Windows takes it, which may be empty.
func environmentBlock(variables []string) (block []uint16, err error) {
	for _, variable := range variables {
		one, err := windows.UTF16FromString(variable)
		if err != nil {
			return nil, fmt.Errorf("pass on the environment: %w", err)
		}
		block = append(block, one...)
	}
	return append(block, 0, 0), nil
}

package cli_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// lackingPrograms are those that the commands of tests want and the system does not have, with
// as much as they want of them.
func lackingPrograms() map[string]func() {
	return map[string]func(){"sleep": sleep, "seq": seq, "touch": touch, "at-console": atConsole, "beside-console": besideConsole}
}

// sleep waits for so many seconds.
func sleep() {
	seconds, err := strconv.ParseFloat(os.Args[1], 64)
	if err != nil {
		os.Exit(2)
	}
	<-time.After(time.Duration(seconds * float64(time.Second)))
}

// seq counts from 1, or from a first number.
func seq() {
	var first, last int
	if n, _ := fmt.Sscan(strings.Join(os.Args[1:], " "), &first, &last); n == 1 {
		first, last = 1, first
	}
	for i := first; i <= last; i++ {
		fmt.Println(i)
	}
}

// touch makes an empty file.
func touch() {
	if err := os.WriteFile(os.Args[1], nil, 0o600); err != nil {
		os.Exit(1)
	}
}

// runningWith returns the command lines of the processes whose environment holds text.
func runningWith(text string) (found []string) {
	ids := make([]uint32, 4096)
	var size uint32
	if err := windows.EnumProcesses(ids, &size); err != nil {
		return []string{fmt.Sprintf("which processes there are is not known: %v", err)}
	}
	for _, id := range ids[:size/4] {
		line, environment := startedWith(id)
		// Wine's desktop has the environment of whatever wanted it first.
		if strings.Contains(environment, text) && !strings.HasSuffix(line, `\explorer.exe" /desktop`) {
			found = append(found, line)
		}
	}
	return found
}

// startedWith returns the command line and the environment of a process; both are empty for one
// that has ended.
func startedWith(id uint32) (line, environment string) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_INFORMATION|windows.PROCESS_VM_READ, false, id)
	if err != nil {
		return "", ""
	}
	defer windows.CloseHandle(process)
	var code uint32
	if err := windows.GetExitCodeProcess(process, &code); err != nil || code != uint32(windows.STATUS_PENDING) {
		return "", ""
	}
	var basic windows.PROCESS_BASIC_INFORMATION
	err = windows.NtQueryInformationProcess(process, windows.ProcessBasicInformation, unsafe.Pointer(&basic), uint32(unsafe.Sizeof(basic)), nil)
	if err != nil {
		return "", ""
	}
	var block windows.PEB
	var parameters windows.RTL_USER_PROCESS_PARAMETERS
	if !readFrom(process, basic.PebBaseAddress, &block) || !readFrom(process, block.ProcessParameters, &parameters) {
		return "", ""
	}
	line = readText(process, unsafe.Pointer(parameters.CommandLine.Buffer), uintptr(parameters.CommandLine.Length))
	return line, readText(process, parameters.Environment, parameters.EnvironmentSize)
}

// readFrom reads a value from the memory of another process, where it begins at an address.
func readFrom[T any](process windows.Handle, from, into *T) bool {
	return windows.ReadProcessMemory(process, uintptr(unsafe.Pointer(from)), (*byte)(unsafe.Pointer(into)), unsafe.Sizeof(*into), nil) == nil
}

// readText reads a text of so many bytes from the memory of another process.
func readText(process windows.Handle, from unsafe.Pointer, size uintptr) string {
	units := make([]uint16, size/2)
	if len(units) == 0 || windows.ReadProcessMemory(process, uintptr(from), (*byte)(unsafe.Pointer(&units[0])), size, nil) != nil {
		return ""
	}
	return string(utf16.Decode(units))
}

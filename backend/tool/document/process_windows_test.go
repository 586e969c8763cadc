//go:build !race

package document_test

import "golang.org/x/sys/windows"

// isThere reports whether a process is there. One that has ended may be found for as long as somebody
// has it open.
func isThere(id int) bool {
	process, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(id))
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(process) }()
	ended, err := windows.WaitForSingleObject(process, 0)
	return err == nil && ended == uint32(windows.WAIT_TIMEOUT)
}

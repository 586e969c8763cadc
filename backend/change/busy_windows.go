package change

import (
	"errors"
	"path/filepath"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	// maxBusy is how long a file may be held by another program. Scanners for viruses and
	// indexers hold each new file for a moment.
	maxBusy = 2 * time.Second
	// firstPause is how long the first pause between two attempts is; each further one is twice
	// as long.
	firstPause = 10 * time.Millisecond
)

// whenFree replaces, moves or deletes what lies at a place, which fails while another program
// holds it open: again and again for maxBusy. Then the error is an *InUseError.
func whenFree(at spot, do func() error) error {
	path := filepath.Join(at.dir.Name(), at.name)
	begun := time.Now()
	for pause := firstPause; ; pause *= 2 {
		err := do()
		if held := isHeldError(err) || errors.Is(err, windows.ERROR_ACCESS_DENIED) && isHeld(path); !held {
			return err
		}
		if time.Since(begun)+pause > maxBusy {
			return &InUseError{holdersOf(path)}
		}
		<-time.After(pause)
	}
}

// isHeldError reports whether an error says that another program holds a file.
func isHeldError(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}

// isHeld reports whether another program keeps a file from being deleted. The system says the
// same of one that is to be replaced and is held as of one that the user may not change.
func isHeld(path string) bool {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return false
	}
	handle, err := windows.CreateFile(name, windows.DELETE, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err == nil {
		_ = windows.CloseHandle(handle)
	}
	return isHeldError(err)
}

// holdersOf names the programs that hold a file open. Tests stand in for it.
var holdersOf = askRestartManager

var (
	restartManager = windows.NewLazySystemDLL("rstrtmgr.dll")
	rmStartSession = restartManager.NewProc("RmStartSession")
	rmRegister     = restartManager.NewProc("RmRegisterResources")
	rmGetList      = restartManager.NewProc("RmGetList")
	rmEndSession   = restartManager.NewProc("RmEndSession")
)

// maxHolders is how many programs are named.
const maxHolders = 4

// rmProcess is RM_PROCESS_INFO.
type rmProcess struct {
	_    uint32 // its number
	_    windows.Filetime
	name [256]uint16
	_    [64]uint16 // the name of a service
	_    [4]uint32
}

// askRestartManager asks the part of Windows that installers use to know what must be closed.
func askRestartManager(path string) []string {
	if rmGetList.Find() != nil {
		return nil
	}
	var session uint32
	var key [33]uint16 // CCH_RM_SESSION_KEY and the end
	if code, _, _ := rmStartSession.Call(uintptr(unsafe.Pointer(&session)), 0, uintptr(unsafe.Pointer(&key))); code != 0 {
		return nil
	}
	defer func() { _, _, _ = rmEndSession.Call(uintptr(session)) }()
	file, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil
	}
	if code, _, _ := rmRegister.Call(uintptr(session), 1, uintptr(unsafe.Pointer(&file)), 0, 0, 0, 0); code != 0 {
		return nil
	}
	var found [maxHolders]rmProcess
	var needed, reasons uint32
	count := uint32(maxHolders)
	code, _, _ := rmGetList.Call(uintptr(session), uintptr(unsafe.Pointer(&needed)), uintptr(unsafe.Pointer(&count)),
		uintptr(unsafe.Pointer(&found)), uintptr(unsafe.Pointer(&reasons)))
	if code != 0 && syscall.Errno(code) != windows.ERROR_MORE_DATA {
		return nil
	}
	var names []string
	for _, process := range found[:min(count, maxHolders)] {
		if name := windows.UTF16ToString(process.name[:]); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

//go:build linux && (desktop || dev)

package desktop

/*
#cgo pkg-config: gtk+-3.0
#include "transfer_linux.h"
*/
import "C"

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"unsafe"
)

// clipped are the pictures that somebody waits for.
var clipped = struct {
	sync.Mutex
	last  uintptr
	waits map[uintptr]chan []byte
}{waits: map[uintptr]chan []byte{}}

// readClipboard returns the picture on the clipboard, nil for none: the page is not told of it by
// WebKitGTK.
func readClipboard(ctx context.Context) ([]byte, error) {
	came := make(chan []byte, 1)
	clipped.Lock()
	clipped.last++
	id := clipped.last
	clipped.waits[id] = came
	clipped.Unlock()
	defer func() {
		clipped.Lock()
		delete(clipped.waits, id)
		clipped.Unlock()
	}()
	C.fairlead_clipboard(C.uintptr_t(id))
	select {
	case picture := <-came:
		return picture, nil
	case <-ctx.Done(): // the program that has it does not answer
		return nil, ctx.Err()
	}
}

//export fairleadClipboard
func fairleadClipboard(id C.uintptr_t, bytes unsafe.Pointer, length C.int) {
	clipped.Lock()
	defer clipped.Unlock()
	if came := clipped.waits[uintptr(id)]; came != nil {
		var picture []byte
		if length > 0 && length <= maxPasted {
			picture = C.GoBytes(bytes, length)
		}
		came <- picture // there is space, and one answer comes
	}
}

// dropped is told of files that are dropped on the window.
var dropped struct {
	sync.Mutex
	tell func(x, y int, paths []string)
}

// takeDrops has the window tell of files that are dropped on it, by their paths. It is called once,
// when there is a window.
func takeDrops(tell func(x, y int, paths []string)) {
	dropped.Lock()
	dropped.tell = tell
	dropped.Unlock()
	C.fairlead_take_drops()
}

//export fairleadDropped
func fairleadDropped(x, y C.int, addresses *C.char) {
	var paths []string
	for line := range strings.SplitSeq(C.GoString(addresses), "\n") {
		if address, err := url.Parse(line); err == nil && address.Scheme == "file" && address.Path != "" {
			paths = append(paths, address.Path)
		}
	}
	dropped.Lock()
	tell := dropped.tell
	dropped.Unlock()
	if tell != nil && len(paths) > 0 {
		tell(int(x), int(y), paths)
	}
}

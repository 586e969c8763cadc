//go:build linux && (desktop || dev)

package desktop

/*
#cgo pkg-config: gtk+-3.0
#include <stdlib.h>
#include "gtk_linux.h"
*/
import "C"

import (
	"context"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// minDialogColumns is the narrowest that a dialog's text is, in columns.
const minDialogColumns = 64

// gtk shows dialogs as windows of this program.
type gtk struct{}

// pressed are the dialogs whose answer somebody waits for.
var pressed = struct {
	sync.Mutex
	last  uintptr
	waits map[uintptr]chan Press
}{waits: map[uintptr]chan Press{}}

// newDialogs returns the dialogs of this system; nil where it has none. It is called
// once, when the window library has begun.
func newDialogs(*Window) Dialogs {
	C.fairlead_watch()
	return gtk{}
}

// Ask implements Dialogs.
func (gtk) Ask(ctx context.Context, dialog Dialog) (Press, error) {
	answer := make(chan Press, 1)
	pressed.Lock()
	pressed.last++
	id := pressed.last
	pressed.waits[id] = answer
	pressed.Unlock()
	defer func() {
		pressed.Lock()
		delete(pressed.waits, id)
		pressed.Unlock()
	}()
	C.fairlead_open(copyToC(id, dialog))
	select {
	case press := <-answer:
		return press, nil
	case <-ctx.Done():
		C.fairlead_close(C.uintptr_t(id))
		return Dismissed, ctx.Err()
	}
}

// LastKey implements Dialogs.
func (gtk) LastKey() time.Time {
	ago := C.fairlead_last_key()
	if ago < 0 {
		return time.Time{}
	}
	return time.Now().Add(-time.Duration(ago) * time.Microsecond)
}

// InFront implements Dialogs.
func (gtk) InFront() bool { return C.fairlead_in_front() != 0 }

//export fairleadPressed
func fairleadPressed(id C.uintptr_t, press C.int) {
	pressed.Lock()
	defer pressed.Unlock()
	if answer := pressed.waits[uintptr(id)]; answer != nil {
		answer <- Press(press) // there is space, and a dialog has one answer
	}
}

// copyToC puts a dialog into memory that C frees.
func copyToC(id uintptr, dialog Dialog) *C.fairlead_dialog {
	made := (*C.fairlead_dialog)(C.calloc(1, C.sizeof_fairlead_dialog))
	text := func(s string) *C.char {
		return C.CString(strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD"))
	}
	offered := func(s string) *C.char {
		if s == "" {
			return nil
		}
		return text(s)
	}
	made.id = C.uintptr_t(id)
	made.title, made.heading, made.place = text(dialog.Title), text(dialog.Heading), text(dialog.Place)
	made.text, made.facts, made.scroll = text(dialog.Text), text(dialog.Facts), text(dialog.Scroll)
	made.yes, made.no, made.in_window = offered(dialog.Yes), offered(dialog.No), offered(dialog.InWindow)
	made.columns = minDialogColumns
	made.theme = map[string]C.int{"light": 1, "dark": 2}[dialog.Theme]
	if n := len(dialog.Marks); n > 0 {
		made.mark_count = C.int(n)
		made.marks = (*C.int)(C.calloc(C.size_t(2*n), C.sizeof_int))
		marks := unsafe.Slice(made.marks, 2*n)
		for i, mark := range dialog.Marks {
			marks[2*i], marks[2*i+1] = C.int(mark.From), C.int(mark.To)
		}
	}
	return made
}

package watch

import (
	"errors"
	"io/fs"
	"runtime"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// source is where changes come from: the system, which watches single folders,
// not what is below them. The zero source watches nothing.
type source struct {
	events <-chan fsnotify.Event
	errors <-chan error
	// add and remove take absolute paths in the system's spelling.
	add, remove func(dir string) error
	close       func() error
}

func openSource() (source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return source{}, err
	}
	s := source{events: w.Events, errors: w.Errors, add: w.Add, remove: w.Remove, close: w.Close}
	if runtime.GOOS == "windows" {
		s = s.buffered()
	}
	return s, nil
}

// maxBuffered bounds the events that wait, which are some 100 bytes each.
const maxBuffered = 10_000

// buffered is the source with its events taken as they come. On Windows the goroutine that reports
// them is the one that adds folders: a watcher that adds one never reads an event meanwhile, and
// both would wait for each other.
func (s source) buffered() source {
	events, faults := make(chan fsnotify.Event), make(chan error)
	closed, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		s.pass(events, faults, closed)
	}()
	return source{events: events, errors: faults, add: s.add, remove: s.remove, close: func() error {
		err := s.close()
		close(closed)
		<-ended
		return err
	}}
}

// pass passes events and errors on until closed is, and closes the channels for them. Where too
// many wait, later ones are dropped, and an error says so.
func (s source) pass(events chan<- fsnotify.Event, faults chan<- error, closed <-chan struct{}) {
	defer close(events)
	defer close(faults)
	var waiting []fsnotify.Event
	var fault error
	for {
		var first fsnotify.Event
		var toEvents chan<- fsnotify.Event
		if len(waiting) > 0 {
			first, toEvents = waiting[0], events
		}
		var toFaults chan<- error
		if fault != nil {
			toFaults = faults
		}
		select {
		case e, ok := <-s.events:
			switch {
			case !ok:
				s.events = nil
			case len(waiting) == maxBuffered:
				fault = fsnotify.ErrEventOverflow
			default:
				waiting = append(waiting, e)
			}
		case err, ok := <-s.errors:
			if !ok {
				s.errors = nil
			} else {
				fault = err
			}
		case toEvents <- first:
			waiting = waiting[1:]
		case toFaults <- fault:
			fault = nil
		case <-closed:
			return
		}
	}
}

// closeSource gives back what the system holds for the source.
func (s source) closeSource() {
	if s.close != nil {
		_ = s.close() // Nobody could do anything about it.
	}
}

// isFolderFault reports whether adding a folder failed because of that folder alone: it
// went away, is something else by now, or cannot be read.
func isFolderFault(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) ||
		errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// isForgotten reports whether removing a folder failed because the system had done so
// already.
func isForgotten(err error) bool {
	return errors.Is(err, fsnotify.ErrNonExistentWatch) || errors.Is(err, syscall.EINVAL)
}

// isExhausted reports whether the system's limits for watching are reached.
func isExhausted(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// What Change.Limited says.
const (
	limitedFolders   = "The folder holds more folders than are watched at once. Changes in the others show when the list is refreshed."
	limitedFiles     = "The folder holds more files than are watched at once. Changes in the fullest folders show when the list is refreshed."
	limitedExhausted = "The system's limit for watching folders is reached. Changes in some folders show when the list is refreshed."
	limitedNone      = "The system cannot watch this folder. Changes show when the list is refreshed."
)

package watch

import (
	"errors"
	"strconv"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// TestWS02_EventsAreTakenWhileNobodyReadsThem is a folder that is added: the watcher waits for the
// source, and the source for the events to be taken.
func TestWS02_EventsAreTakenWhileNobodyReadsThem(t *testing.T) {
	events, faults := make(chan fsnotify.Event), make(chan error)
	open := true
	s := source{events: events, errors: faults, close: func() error { open = false; return nil }}.buffered()
	const more = 5
	for i := range maxBuffered + more {
		events <- fsnotify.Event{Name: strconv.Itoa(i)}
	}
	if err := <-s.errors; !errors.Is(err, fsnotify.ErrEventOverflow) {
		t.Errorf("of what was dropped was said %v", err)
	}
	for i := range maxBuffered {
		if e := <-s.events; e.Name != strconv.Itoa(i) {
			t.Fatalf("event %d is %s", i, e.Name)
		}
	}
	fault := errors.New("a fault")
	faults <- fault
	if err := <-s.errors; !errors.Is(err, fault) {
		t.Errorf("the error is %v", err)
	}
	events <- fsnotify.Event{Name: "later"}
	if e := <-s.events; e.Name != "later" {
		t.Errorf("the event is %s", e.Name)
	}
	events <- fsnotify.Event{Name: "never read"}
	s.closeSource()
	if open {
		t.Error("the system still watches")
	}
	if _, ok := <-s.events; ok {
		t.Error("events come from a source that is closed")
	}
}

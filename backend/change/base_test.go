package change

import (
	"testing"

	"fairlead/backend/leftover"
)

// TestCHG09_WhatCouldNotBeSeenIsNoChange compares looks of which one may not see what is in a
// folder.
func TestCHG09_WhatCouldNotBeSeenIsNoChange(t *testing.T) {
	open := seen{states: map[leftover.Path]State{
		".": {Kind: Folder}, "a": {Kind: Folder}, "a/b": {Kind: File, Size: 1}, "a/c": {Kind: Folder}, "a/c/d": {Kind: File, Size: 2},
	}}
	closed := seen{
		states: map[leftover.Path]State{".": {Kind: Folder}, "a": {Kind: Folder}},
		unread: map[leftover.Path]bool{"a": true},
	}
	b := &base{entries: map[leftover.Path]*baseEntry{}}
	take := func(now seen) (changes int) {
		for _, d := range b.compare(now) {
			if _, ok := b.changeOf(d); ok {
				changes++
			}
			if d.after.Kind == None {
				delete(b.entries, d.path)
			} else {
				b.entries[d.path] = &baseEntry{State: d.after}
			}
		}
		return changes
	}
	if n := take(closed); n != 2 {
		t.Errorf("the first look has %d changes", n)
	}
	if n := take(open); n != 0 {
		t.Errorf("what may have been there before counts as %d changes", n)
	}
	if n := take(closed); n != 0 {
		t.Errorf("what may still be there counts as %d changes", n)
	}
	if n := take(open); n != 0 {
		t.Errorf("what was there all the time counts as %d changes", n)
	}
	delete(open.states, "a/c/d")
	if n := take(open); n != 1 {
		t.Errorf("what is gone counts as %d changes", n)
	}
}

package change

import (
	"testing"

	"fairlead/backend/leftover"
)

// TestCHG09_WhatCouldNotBeSeenIsNoChange compares looks of which one may not see what is in a
// folder.
func TestCHG09_WhatCouldNotBeSeenIsNoChange(t *testing.T) {
	type look struct {
		found  []Entry
		unread map[leftover.Path]bool
	}
	open := look{found: []Entry{
		{".", State{Kind: Folder}}, {"a", State{Kind: Folder}}, {"a/b", State{Kind: File, Size: 1}}, {"a/c", State{Kind: Folder}}, {"a/c/d", State{Kind: File, Size: 2}},
	}}
	closed := look{found: open.found[:2], unread: map[leftover.Path]bool{"a": true}}
	b := &base{entries: map[leftover.Path]*baseEntry{}}
	take := func(now look) (changes int) {
		c := b.newComparison()
		c.take("", now.found)
		for _, d := range c.finish(now.unread) {
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
	open.found = open.found[:4]
	if n := take(open); n != 1 {
		t.Errorf("what is gone counts as %d changes", n)
	}
}

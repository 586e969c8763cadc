//go:build unix

package store

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// TestST02_ALockIsWaitedForWhoseProcessWasKilled has the lock of a conversation for a while in the name
// of a process that has ended, as a program has that it was just starting.
func TestST02_ALockIsWaitedForWhoseProcessWasKilled(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ended := exec.Command(program, "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		pid    int
		locked bool
	}{
		"ended":   {ended.Process.Pid, false},
		"running": {os.Getpid(), true},
	} {
		t.Run(name, func(t *testing.T) {
			s := openIn(t, t.TempDir())
			unlock, err := s.Lock("s1")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(lockPath(s.folder, "s1.lock"), []byte(strconv.Itoa(c.pid)), 0o600); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				given := time.AfterFunc(passedOnTime/2, func() { _ = unlock() })
				again, err := s.Lock("s1")
				if errors.Is(err, ErrLocked) != c.locked {
					t.Fatalf("it is locked: %v", err)
				}
				if given.Stop() {
					again = unlock
				}
				if err := again(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestST02_ALockThatIsNotGivenBackIsNotWaitedForLong has it for longer.
func TestST02_ALockThatIsNotGivenBackIsNotWaitedForLong(t *testing.T) {
	s := openIn(t, t.TempDir())
	unlock, err := s.Lock("s1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unlock() }()
	if err := os.WriteFile(lockPath(s.folder, "s1.lock"), []byte("2147483646"), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		if _, err := s.Lock("s1"); !errors.Is(err, ErrLocked) {
			t.Errorf("it is locked: %v", err)
		}
	})
}

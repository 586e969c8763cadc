package desktop

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"fairlead/backend/approve"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

func TestWhatIsRememberedIsReadAndChangedWhileItIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		var written []settings.State
		r := newRemembered(settings.Folders{}, func(err error) { t.Error(err) })
		r.write = func(state settings.State) error {
			<-goOn
			written = append(written, state)
			return nil
		}
		var saved sync.WaitGroup
		change := func(n int) {
			saved.Go(func() { r.saveChange(func(s *settings.State) { s.Opened(fmt.Sprint(n)) }) })
		}
		change(1)
		synctest.Wait() // the disk is slow
		for n := 2; n < 6; n++ {
			change(n)
		}
		synctest.Wait()
		if recent := r.currentState().Recent; len(recent) != 5 {
			t.Errorf("remembered: %v", recent)
		}
		close(goOn)
		saved.Wait()
		if last := written[len(written)-1]; len(written) != 2 || len(last.Recent) != 5 || len(written[0].Recent) != 1 {
			t.Errorf("written: %+v", written)
		}
	})
}

func TestAChangeIsInTheFileWhenItIsSaved(t *testing.T) {
	dir := t.TempDir()
	r := newRemembered(settings.Folders{Config: dir, State: dir}, func(err error) { t.Error(err) })
	var saved sync.WaitGroup
	for n := range 8 {
		saved.Go(func() {
			folder := filepath.Join("/", fmt.Sprint(n))
			r.saveChange(func(s *settings.State) { s.AgreeAddress(folder) })
			state, err := settings.ReadState(dir)
			if err != nil || !slices.Contains(state.Addresses, folder) {
				t.Errorf("%s is not saved: %v, %v", folder, state.Addresses, err)
			}
		})
	}
	saved.Wait()
}

func TestLOOP13_NoRunIsFollowedOnceTheWindowCloses(t *testing.T) {
	dir := t.TempDir()
	w := NewWindow("test", settings.Folders{Config: dir, Data: dir, State: dir})
	told := 0
	w.emitter = &emitter{redact: func(text []byte) []byte { return text }, send: func([]json.RawMessage) { told++ }}
	run := session.SavedRun{ID: "run", SessionID: "not shown any more"}
	w.attendRun(run)
	w.alive.Wait()
	before := told
	w.conversations.close()
	w.attendRun(run) // as a read does that began before
	w.alive.Wait()
	if before == 0 || told > before {
		t.Errorf("the page was told %d times of a run before the window closed, %d times in all", before, told)
	}
}

func TestLOOP13_NoCallBeginsOnceTheWindowCloses(t *testing.T) {
	var calls sync.WaitGroup
	c := newConversations(approve.Ask, map[string]approve.Mode{}, func(string, approve.Mode) {}, &calls)
	if err := c.beginCall(); err != nil {
		t.Fatal(err)
	}
	c.close()
	if err := c.beginCall(); err == nil {
		t.Error("the window ends under a call")
	}
	c.endCall()
	calls.Wait() // which a call that was refused does not hold up
}

package session_test

import (
	"errors"
	"io"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"fairlead/backend/event"
	"fairlead/backend/session"
)

// load reads a scenario whose expected events and requests another way of
// playing it must yield too.
func load(t *testing.T, name string) *scenario {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "scenarios", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return newScenario(t, archive)
}

// listen reads a run's events to the end, after a pause.
func listen(t *testing.T, run *session.Run, pause time.Duration) []event.Event {
	t.Helper()
	<-time.After(pause)
	var all []event.Event
	for {
		events, err := run.Events.After(t.Context(), int64(len(all)))
		if errors.Is(err, io.EOF) {
			return all
		}
		all = append(all, events...)
	}
}

func TestST02_TwoSessionsRunAtOnceAndShareNothing(t *testing.T) {
	one, two := load(t, "parallel-commands"), load(t, "three-rounds")
	synctest.Test(t, func(t *testing.T) {
		first, second := newStage(t, one), newStage(t, two)
		defer first.close()
		defer second.close()
		// One process has one broker, one collection of sessions, one run of ids.
		second.broker, second.sessions, second.ids = first.broker, first.sessions, first.ids
		var runs []*session.Run
		for _, s := range []*stage{first, second} {
			folder, tools := openFolder(t, s.dir)
			t.Cleanup(func() { _ = folder.Close() })
			conversation := s.open(parseOptions(t, ""), s.server, append(tools, pretend{}, job{&s.polled})...)
			run, err := conversation.BeginRun(s.prompt)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, run)
		}
		if runs[0].ID == runs[1].ID {
			t.Fatal("both runs have one id")
		}
		for i, s := range []*scenario{one, two} {
			all := listen(t, runs[i], 0)
			for _, e := range all {
				if e.RunID != runs[i].ID {
					t.Errorf("EV-05: an event of run %s came under %s", e.RunID, runs[i].ID)
				}
			}
			checkInvariants(t, all, runs[i].Wait())
			s.compare(t, "events", showEvents(all))
			s.compare(t, "requests", showRequests(t, s.server.Requests(), s.compacts()))
			s.compare(t, "result", showResult(runs[i].Wait()))
		}
	})
}

func TestEV04_AListenerThatWaitsAMinuteGetsEveryEventAndDelaysNothing(t *testing.T) {
	s := load(t, "parallel-commands")
	synctest.Test(t, func(t *testing.T) {
		stage := newStage(t, s)
		defer stage.close()
		run, err := stage.session.BeginRun(stage.prompt)
		if err != nil {
			t.Fatal(err)
		}
		all := listen(t, run, time.Minute)
		s.compare(t, "events", showEvents(all))
		s.compare(t, "requests", showRequests(t, s.server.Requests(), s.compacts()))
		s.compare(t, "result", showResult(run.Wait()))
	})
}

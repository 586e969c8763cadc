package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/approve"
	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/store"
)

// heap is what is in use after two collections, in bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// bytesOf is how long the texts of a history are.
func bytesOf(history []message.Message) int64 {
	n := 0
	for _, m := range history {
		for _, part := range m.Parts {
			n += len(part.Text)
			if part.Tool != nil {
				n += len(part.Tool.State.Input) + len(part.Tool.State.Output.Content.Text())
			}
		}
	}
	return int64(n)
}

// offstage is a stage without a folder.
func offstage(t *testing.T) *stage {
	t.Helper()
	return &stage{t: t, broker: approve.NewBroker(), sessions: session.NewManager(session.Options{}), ids: &atomic.Int64{}}
}

// rounds is a model that asks for so many calls, one at a time with an output of 1 KB
// each, before it answers. It keeps nothing of what it is sent.
type rounds struct{ calls, made, asked int }

// Stream implements llm.Model.
func (m *rounds) Stream(context.Context, llm.Request, func(llm.Delta)) (llm.Reply, error) {
	if m.made == m.calls {
		m.made = 0
		return llm.Reply{Text: "Done."}, nil
	}
	m.made++
	m.asked++
	arguments := fmt.Sprintf(`{"command":"big 25 %d"}`, m.asked)
	return llm.Reply{Calls: []message.Call{{ID: fmt.Sprintf("c%d", m.asked), Name: "shell", Arguments: json.RawMessage(arguments), Raw: arguments}}}, nil
}

// many is what a conversation is begun with whose runs ask for so many calls each.
func (s *stage) many(calls int, saved *store.Store) session.Config {
	config := s.config(parseOptions(s.t, "max_steps 500"), llmtest.NewServer(), pretend{&s.ticks})
	config.Model.Model = &rounds{calls: calls}
	config.Store, config.Workspace = saved, "/work"
	return config
}

// TestREL01_SoakRunsLeaveTheirHistoryOnly has one conversation go through many runs. What
// is held afterwards is the history, once.
func TestREL01_SoakRunsLeaveTheirHistoryOnly(t *testing.T) {
	runs := 60
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		runs = 400
	}
	for _, saved := range []bool{true, false} {
		t.Run(fmt.Sprintf("saved %v", saved), func(t *testing.T) {
			s := offstage(t)
			var kept *store.Store
			if saved {
				kept = openStore(t)
			}
			conversation := s.sessions.New("s1", s.many(10, kept))
			before := heap()
			for range runs {
				run, err := conversation.BeginRun("Go.")
				if err != nil {
					t.Fatal(err)
				}
				if all := listen(t, run, 0); !all[len(all)-1].Terminal() || run.Wait().Steps != 10 {
					t.Fatalf("%d events, %+v", len(all), run.Wait())
				}
			}
			held, history := heap()-before, bytesOf(conversation.History())
			t.Logf("%d runs hold %.1f MB, their history has %.1f MB", runs, float64(held)/1e6, float64(history)/1e6)
			if held > 3*history+int64(runs)*20_000 { // 8 MB of 400 runs
				t.Errorf("REL-01: %d bytes are held of a history of %d", held, history)
			}
			runtime.KeepAlive(conversation)
		})
	}
}

// TestREL01_ConversationsThatAreClosedLeaveNothing begins conversations of one run each.
func TestREL01_ConversationsThatAreClosedLeaveNothing(t *testing.T) {
	const conversations = 400
	s, saved := offstage(t), openStore(t)
	config := s.many(1, saved)
	one := func(n int) {
		run, err := s.sessions.New(fmt.Sprintf("s%d", n), config).BeginRun("Go.")
		if err != nil {
			t.Fatal(err)
		}
		listen(t, run, 0)
		run.Wait()
	}
	one(0) // what is made once
	before := heap()
	for n := range conversations {
		one(n + 1)
	}
	held := heap() - before
	t.Logf("%d conversations leave %d bytes", conversations, held)
	if held > 1e6 {
		t.Errorf("REL-01: %d bytes are held of %d conversations that are closed", held, conversations)
	}
	runtime.KeepAlive(s)
}

func TestCAN02_ARunThatHasLeftMemoryHasEnded(t *testing.T) {
	for _, saved := range []bool{true, false} {
		t.Run(fmt.Sprintf("saved %v", saved), func(t *testing.T) {
			s := offstage(t)
			var kept *store.Store
			if saved {
				kept = openStore(t)
			}
			conversation := s.sessions.New("s1", s.many(1, kept))
			run, err := conversation.BeginRun("Go.")
			if err != nil {
				t.Fatal(err)
			}
			run.Wait()
			id, held := run.ID, weak.Make(run)
			run = nil
			for began := time.Now(); held.Value() != nil; runtime.GC() {
				if time.Since(began) > 10*time.Second {
					t.Fatal("EV-11: a run that has ended is still in memory")
				}
			}
			for range 2 {
				_, err = s.sessions.CancelRun(id)
				refusedWith(t, err, message.InvalidState)
				_, err = s.sessions.InterruptRun(id, "")
				refusedWith(t, err, message.InvalidState)
				refusedWith(t, s.sessions.RetryRun(id), message.InvalidState)
			}
			_, err = s.sessions.CancelRun("nobody")
			refusedWith(t, err, message.NotFound)
			runtime.KeepAlive(conversation)
		})
	}
}

// TestEV11_WhoIsBehindReadsWhatWasSaved compares what a listener gets that keeps up with
// what one gets that begins when the run has ended.
func TestEV11_WhoIsBehindReadsWhatWasSaved(t *testing.T) {
	s := offstage(t)
	run, err := s.sessions.New("s1", s.many(60, openStore(t))).BeginRun("Go.")
	if err != nil {
		t.Fatal(err)
	}
	live := listen(t, run, 0)
	late := listen(t, run, 0)
	if diff := cmp.Diff(live, late); diff != "" || len(late) < 300 {
		t.Errorf("EV-04: %d events (- of who kept up, + of who was late):\n%s", len(late), diff)
	}
	from := int64(len(live) / 2)
	since, err := run.Events.Since(t.Context(), from)
	if diff := cmp.Diff(live[from:], since); diff != "" || err != nil {
		t.Errorf("since %d: %v\n%s", from, err, diff)
	}
}

// stalling is a store that does not return from saving a text before it may.
func stalling(t *testing.T, text string) (saved *store.Store, reached chan struct{}, goOn func()) {
	t.Helper()
	reached, held := make(chan struct{}), make(chan struct{})
	var once sync.Once
	saved, _, err := store.Open(t.Context(), store.Options{Folder: t.TempDir(), Redact: func(b []byte) []byte {
		if strings.Contains(string(b), text) {
			once.Do(func() { close(reached); <-held })
		}
		return b
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := saved.Close(); err != nil {
			t.Error(err)
		}
	})
	return saved, reached, sync.OnceFunc(func() { close(held) })
}

// atOnce fails the test where something waits.
func atOnce(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Errorf("%s waits for the disk", what)
	}
}

func TestST02_WhoLooksAtASessionDoesNotWaitForTheDisk(t *testing.T) {
	for name, slow := range map[string]string{
		"the first event": `"prompt":"a slow task"`,
		"a later event":   `"callId":"c1"`,
		"what waits":      "a prompt that waits",
	} {
		t.Run(name, func(t *testing.T) {
			saved, reached, goOn := stalling(t, slow)
			defer goOn()
			s := offstage(t)
			server := llmtest.Script("call c1 shell {\"command\":\"say hi\"}\n---\ntext Done.\n---\ntext Done.\n")
			config := s.config(parseOptions(t, ""), server, pretend{&s.ticks})
			config.Store, config.Workspace = saved, "/work"
			conversation := s.sessions.New("s1", config)
			begun := make(chan *session.Run, 1)
			go func() {
				run, err := conversation.BeginRun("a slow task")
				if err != nil {
					t.Error(err)
				}
				begun <- run
			}()
			var run *session.Run
			if name != "the first event" {
				run = <-begun
			}
			queued := make(chan struct{})
			go func() {
				defer close(queued)
				if name == "what waits" {
					if _, _, err := conversation.QueuePrompt("a prompt that waits", message.TargetRun); err != nil {
						t.Error(err)
					}
				}
			}()
			<-reached
			atOnce(t, "Waiting", func() { conversation.Waiting() })
			atOnce(t, "Begun", func() { conversation.Begun() })
			atOnce(t, "GroupsOff", func() { conversation.GroupsOff() })
			atOnce(t, "SetApprove", func() { conversation.SetApprove(approve.None) })
			atOnce(t, "UseModel", func() { conversation.UseModel(config.Model) })
			if run != nil {
				atOnce(t, "Ended", func() { run.Events.Ended() })
				atOnce(t, "Cancel", func() { _, _ = s.sessions.CancelRun(run.ID) })
			}
			goOn()
			<-queued
			if run == nil {
				run = <-begun
			}
			_, _ = s.sessions.CancelRun(run.ID) // it may have ended
			run.Wait()
		})
	}
}

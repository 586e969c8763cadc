package approve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/message"
)

var shell = message.Call{ID: "c1", Name: "shell", Arguments: json.RawMessage(`{"command":"true"}`)}

// log collects what a gate publishes.
type log struct {
	mu     sync.Mutex
	events []event.Data
}

func (l *log) publish(data event.Data) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, data)
}

func (l *log) requests() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, data := range l.events {
		if _, ok := data.(event.ConfirmRequest); ok {
			n++
		}
	}
	return n
}

func gate(mode approve.Mode, l *log) *approve.Gate {
	return &approve.Gate{Broker: approve.NewBroker(), RunID: "r", Mode: func() approve.Mode { return mode }, Timeout: time.Minute, Publish: l.publish}
}

func command() message.Preview { return message.Preview{Effect: message.EffectCommand} }

func asking(preview message.Preview) message.Question { return message.AskBefore(preview, nil) }

func refusal(t *testing.T, err error) message.RefusalCode {
	t.Helper()
	var r *message.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("got %v, want a refusal", err)
	}
	return r.Code
}

func TestHITL07_Modes(t *testing.T) {
	for _, test := range []struct {
		mode   approve.Mode
		effect message.Effect
		want   message.Verdict
	}{
		{approve.All, message.EffectFiles, message.Approve},
		{approve.All, message.EffectCommand, message.Approve},
		{approve.Writes, message.EffectFiles, message.Approve},
		{approve.Writes, message.EffectCommand, ""},
		{approve.Ask, message.EffectFiles, ""},
		{approve.Ask, message.EffectCommand, ""},
		{approve.None, message.EffectFiles, message.Reject},
		{approve.None, message.EffectCommand, message.Reject},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := &log{}
			decision := gate(test.mode, l).Ask(t.Context(), shell, asking(message.Preview{Effect: test.effect}), func() {})
			asked := l.requests() == 1
			if asked != (test.want == "") {
				t.Errorf("%s %s: asked %v", test.mode, test.effect, asked)
			}
			if test.want != "" && (decision.Verdict != test.want || decision.By != message.ByMode) {
				t.Errorf("%s %s: %+v", test.mode, test.effect, decision)
			}
		})
	}
}

func TestSEC08_ModeWritesAsksAboutFilesThatRunByThemselves(t *testing.T) {
	for mode, want := range map[approve.Mode]message.Verdict{
		approve.All: message.Approve, approve.Writes: "", approve.Ask: "", approve.None: message.Reject,
	} {
		synctest.Test(t, func(t *testing.T) {
			l := &log{}
			preview := message.Preview{Effect: message.EffectFiles, Path: ".vscode/tasks.json", Autorun: message.AutorunEditor}
			decision := gate(mode, l).Ask(t.Context(), shell, asking(preview), func() {})
			if asked := l.requests() == 1; asked != (want == "") || !asked && decision.Verdict != want {
				t.Errorf("%s: asked %v, decided %+v", mode, asked, decision)
			}
		})
	}
}

// TestMSG08_WrittenCallsAlwaysAsk has a model write calls into its text: what only
// reads asks too, and no mode lets one pass.
func TestMSG08_WrittenCallsAlwaysAsk(t *testing.T) {
	for _, mode := range []approve.Mode{approve.All, approve.Writes, approve.Ask, approve.None} {
		for _, effect := range []message.Effect{message.EffectNone, message.EffectFiles, message.EffectCommand} {
			synctest.Test(t, func(t *testing.T) {
				l := &log{}
				call := message.Call{ID: "c1", Name: "read_file", Arguments: json.RawMessage(`{}`), Written: true}
				decision := gate(mode, l).Ask(t.Context(), call, asking(message.Preview{Effect: effect}), func() {})
				if decision.Verdict != message.Reject || l.requests() == 1 != (mode != approve.None) {
					t.Errorf("%s %s: %+v after %d questions", mode, effect, decision, l.requests())
				}
			})
		}
	}
}

func TestHITL05_AnAnswerCountsOnceAndOnlyForItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &log{}
		g := gate(approve.Ask, l)
		done := make(chan message.Decision)
		go func() { done <- g.Ask(t.Context(), shell, asking(command()), func() {}) }()
		synctest.Wait()
		yes := message.Decision{Verdict: message.Approve, By: message.ByUser}
		for _, wrong := range []struct{ run, call string }{{"r", "c2"}, {"r2", "c1"}, {"", ""}} {
			if got := refusal(t, g.Broker.Confirm(wrong.run, wrong.call, yes)); got != message.NotFound {
				t.Errorf("confirm %v: %s", wrong, got)
			}
		}
		for _, bad := range []message.Decision{{}, {Verdict: "yes"}, {Verdict: message.Modify}, {Verdict: message.Modify, Arguments: []byte("[]")}} {
			if got := refusal(t, g.Broker.Confirm("r", "c1", bad)); got != message.InvalidParams {
				t.Errorf("confirm %+v: %s", bad, got)
			}
		}
		if err := g.Broker.Confirm("r", "c1", yes); err != nil {
			t.Fatal(err)
		}
		if got := refusal(t, g.Broker.Confirm("r", "c1", yes)); got != message.NotFound {
			t.Errorf("second answer: %s", got)
		}
		if decision := <-done; decision.Verdict != message.Approve || decision.Hash != shell.Hash() {
			t.Errorf("got %+v", decision)
		}
	})
}

func TestHITL04_SilenceIsANoAndKeepWaitingExtends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &log{}
		g := gate(approve.Ask, l)
		start := time.Now()
		time.AfterFunc(40*time.Second, func() {
			if err := g.Broker.Extend("r", "c1"); err != nil {
				t.Error(err)
			}
		})
		decision := g.Ask(t.Context(), shell, asking(command()), func() {})
		if decision.Verdict != message.Reject || decision.By != message.ByTimeout {
			t.Errorf("got %+v", decision)
		}
		if waited := time.Since(start); waited != 100*time.Second {
			t.Errorf("waited %v, want 40 s and the whole minute again", waited)
		}
		if n := l.requests(); n != 2 {
			t.Errorf("%d requests, want a second one with the new expiry", n)
		}
		if got := refusal(t, g.Broker.Extend("r", "c1")); got != message.NotFound {
			t.Errorf("extend after the end: %s", got)
		}
	})
}

func TestHITL08_ACancelVoidsTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &log{}
		g := gate(approve.Ask, l)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan message.Decision)
		go func() { done <- g.Ask(ctx, shell, asking(command()), func() {}) }()
		synctest.Wait()
		cancel()
		if decision := <-done; decision.Verdict != message.Reject || decision.By != message.ByCancel {
			t.Errorf("got %+v", decision)
		}
		if err := g.Broker.Confirm("r", "c1", message.Decision{Verdict: message.Approve}); err == nil {
			t.Error("an approval after the cancel was accepted")
		}
	})
}

func TestDeskClosedRejectsOpenAndLaterQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate(approve.Ask, &log{})
		done := make(chan message.Decision)
		go func() { done <- g.Ask(t.Context(), shell, asking(command()), func() {}) }()
		synctest.Wait()
		g.Broker.Close("standard input was closed")
		for range 2 {
			decision := <-done
			if decision.Verdict != message.Reject || decision.Reason != "standard input was closed" {
				t.Errorf("got %+v", decision)
			}
			go func() { done <- g.Ask(t.Context(), shell, asking(command()), func() {}) }()
		}
		<-done
	})
}

// turnAsker answers yes after a second and notes how many ask at once.
type turnAsker struct {
	mu        sync.Mutex
	now, most int
}

func (a *turnAsker) Ask(ctx context.Context, _ event.ConfirmRequest) (message.Decision, error) {
	a.mu.Lock()
	a.now++
	a.most = max(a.most, a.now)
	a.mu.Unlock()
	defer func() { a.mu.Lock(); a.now--; a.mu.Unlock() }()
	select {
	case <-time.After(time.Second):
		return message.Decision{Verdict: message.Approve, By: message.ByUser}, nil
	case <-ctx.Done():
		return message.Decision{}, ctx.Err()
	}
}

func TestHITL06_OneDialogAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker, broker := &turnAsker{}, approve.NewBroker()
		var all sync.WaitGroup
		for _, run := range []string{"r1", "r2", "r3"} {
			g := &approve.Gate{
				Broker: broker, RunID: run, Mode: func() approve.Mode { return approve.Ask }, Timeout: time.Minute, Asker: asker, Publish: (&log{}).publish,
			}
			all.Go(func() {
				if decision := g.Ask(t.Context(), shell, asking(command()), func() {}); decision.Verdict != message.Approve {
					t.Errorf("got %+v", decision)
				}
			})
		}
		all.Wait()
		if asker.most != 1 {
			t.Errorf("%d dialogs at once", asker.most)
		}
	})
}

func TestTheFirstAnswerClosesTheAsker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := &turnAsker{}
		g := gate(approve.Ask, &log{})
		g.Asker = asker
		time.AfterFunc(time.Millisecond, func() {
			_ = g.Broker.Confirm("r", "c1", message.Decision{Verdict: message.Reject, By: message.ByUser})
		})
		start := time.Now()
		if decision := g.Ask(t.Context(), shell, asking(command()), func() {}); decision.Verdict != message.Reject {
			t.Errorf("got %+v", decision)
		}
		if asker.now != 0 || time.Since(start) > 10*time.Millisecond {
			t.Errorf("the dialog outlived the answer (%d, %v)", asker.now, time.Since(start))
		}
	})
}

func TestHITL08_AnAnswerWithAHashIsForTheQuestionThatShowedIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &log{}
		g := gate(approve.Ask, l)
		done := make(chan message.Decision)
		ask := func(fingerprint string) string {
			preview := command()
			preview.Fingerprint = fingerprint
			go func() { done <- g.Ask(t.Context(), shell, asking(preview), func() {}) }()
			synctest.Wait()
			l.mu.Lock()
			defer l.mu.Unlock()
			return l.events[len(l.events)-1].(event.ConfirmRequest).Hash
		}
		first := ask("v0")
		yes := message.Decision{Verdict: message.Approve, By: message.ByUser, Hash: first}
		if err := g.Broker.Confirm("r", "c1", yes); err != nil {
			t.Fatal(err)
		}
		<-done
		second := ask("v1")
		if got := refusal(t, g.Broker.Confirm("r", "c1", yes)); got != message.NotFound {
			t.Errorf("the answer to the first question for the second: %s", got)
		}
		yes.Hash = second
		if err := g.Broker.Confirm("r", "c1", yes); err != nil {
			t.Fatal(err)
		}
		<-done
	})
}

// yesAsker approves everything.
type yesAsker struct{}

func (yesAsker) Ask(context.Context, event.ConfirmRequest) (message.Decision, error) {
	return message.Decision{Verdict: message.Approve, By: message.ByUser}, nil
}

func TestEV10_AQuestionHasAKindAnIDAndACause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &log{}
		g := gate(approve.Ask, l)
		g.Asker = yesAsker{}
		edited := message.AskBefore(command(), &message.Cause{Code: message.CauseEdited})
		withNetwork := asking(message.Preview{Effect: message.EffectCommand, Network: true})
		file, host := asking(message.Preview{Effect: message.EffectFiles}), asking(message.Preview{Effect: message.EffectNetwork})
		for _, q := range []message.Question{edited, withNetwork, file, host} {
			g.Ask(t.Context(), shell, q, func() {})
		}
		var got []string
		for _, data := range l.events {
			if request, ok := data.(event.ConfirmRequest); ok {
				got = append(got, fmt.Sprintf("%s %s %s", request.QuestionID, request.Kind, request.Reason))
				if (request.Cause == nil) != (request.Reason == "") {
					t.Errorf("%s: cause %v, reason %q", request.QuestionID, request.Cause, request.Reason)
				}
			}
		}
		want := []string{"q1 command edited by you", "q2 command ", "q3 network ", "q4 edit ", "q5 network "}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("questions (-want +got):\n%s", diff)
		}
	})
}

func TestTOOL07_ChangesAreDecidedAboutAsTheyWereShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &log{}
		g := gate(approve.Ask, l)
		changes := message.Question{Kind: message.QuestionChanges, Preview: message.Preview{Effect: message.EffectFiles, Fingerprint: "f", Changes: []message.PendingChange{
			{Path: "a", Diff: "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n+y\n", Hunks: true}, {Path: "whole", Diff: "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n+y\n"},
		}}}
		decided := make(chan message.Decision, 1)
		ask := func(q message.Question) string {
			go func() { decided <- g.Ask(t.Context(), shell, q, func() {}) }()
			synctest.Wait()
			l.mu.Lock()
			defer l.mu.Unlock()
			if _, summed := l.events[max(len(l.events)-2, 0)].(event.ChangesRequest); summed != (q.Kind == message.QuestionChanges) {
				t.Errorf("a question about %s is summed up: %v", q.Kind, summed)
			}
			return l.events[len(l.events)-1].(event.ConfirmRequest).Hash
		}
		yes := message.Decision{Verdict: message.Approve, By: message.ByUser}
		before := ask(asking(changes.Preview))
		if err := g.Broker.Confirm("r", "c1", yes); err != nil {
			t.Fatal(err)
		}
		<-decided
		hash := ask(changes)
		if hash == before {
			t.Error("the question about the changes has the hash of the one before the run")
		}
		late := yes
		late.Hash = before
		if got := refusal(t, g.Broker.Confirm("r", "c1", late)); got != message.NotFound {
			t.Errorf("an answer to the question before the run: %s", got)
		}
		edited := message.Decision{Verdict: message.Modify, By: message.ByUser, Arguments: json.RawMessage(`{}`)}
		if got := refusal(t, g.Broker.Confirm("r", "c1", edited)); got != message.InvalidParams {
			t.Errorf("an edit of changes: %s", got)
		}
		yes.Hash = hash
		for _, chosen := range []message.Chosen{
			{Paths: []string{"b"}},
			{WithoutHunks: map[string][]string{"b": {"@@ -1,1 +1,1 @@"}}},
			{WithoutHunks: map[string][]string{"a": {"@@ -2,1 +2,1 @@"}}},
			{WithoutHunks: map[string][]string{"whole": {"@@ -1,1 +1,1 @@"}}},
		} {
			unknown := yes
			unknown.Chosen = chosen
			if got := refusal(t, g.Broker.Confirm("r", "c1", unknown)); got != message.InvalidParams {
				t.Errorf("an answer that chooses %+v: %s", chosen, got)
			}
		}
		yes.Chosen = message.Chosen{Paths: []string{"a"}, WithoutHunks: map[string][]string{"a": {"@@ -1,1 +1,1 @@"}}}
		if err := g.Broker.Confirm("r", "c1", yes); err != nil {
			t.Fatal(err)
		}
		if got := <-decided; got.Verdict != message.Approve || got.Hash != shell.Hash() || len(got.Chosen.WithoutHunks["a"]) != 1 {
			t.Errorf("decided %+v", got)
		}
	})
}

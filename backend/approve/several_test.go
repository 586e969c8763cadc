package approve_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/message"
)

func TestDESK03_AnsweringOneGivesTimeForTheOthers(t *testing.T) {
	yes := message.Decision{Verdict: message.Approve, By: message.ByUser}
	for name, act := range map[string]func(*approve.Broker) error{
		"answer": func(b *approve.Broker) error { return b.Confirm("r", "c2", yes) },
		"extend": func(b *approve.Broker) error { return b.Extend("r", "c2") },
	} {
		for after, want := range map[time.Duration]time.Duration{40 * time.Second: 100 * time.Second, 20 * time.Second: time.Minute} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				g := gate(approve.Ask, &log{})
				other := shell
				other.ID = "c2"
				time.AfterFunc(after, func() {
					if err := act(g.Broker); err != nil {
						t.Error(err)
					}
				})
				var all sync.WaitGroup
				all.Go(func() { g.Ask(ctx, other, asking(command()), func() {}) })
				start := time.Now()
				decision := g.Ask(ctx, shell, asking(command()), func() {})
				if waited := time.Since(start); decision.By != message.ByTimeout || waited != want {
					t.Errorf("%s after %v: %+v after %v, want %v", name, after, decision, waited, want)
				}
				cancel()
				all.Wait()
			})
		}
	}
}

// orderAsker notes what it is asked about.
type orderAsker struct{ calls chan string }

func (a orderAsker) Ask(_ context.Context, request event.ConfirmRequest) (message.Decision, error) {
	a.calls <- request.CallID
	return message.Decision{Verdict: message.Approve, By: message.ByUser}, nil
}

func TestDESK03_DialogsComeInTheOrderOfTheirQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := orderAsker{make(chan string)}
		g := gate(approve.Ask, &log{})
		g.Asker = asker
		want := []string{"c1", "c2", "c3", "c4"}
		var all sync.WaitGroup
		for _, id := range want {
			call, opened := shell, make(chan struct{})
			call.ID = id
			all.Go(func() { g.Ask(t.Context(), call, asking(command()), func() { close(opened) }) })
			<-opened
		}
		var got []string
		for range want {
			got = append(got, <-asker.calls)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("asked about (-want +got):\n%s", diff)
		}
		all.Wait()
	})
}

package process

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
)

func TestEndedCommandTellsWhoWaitsForIt(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, JobsOptions{})
			defer s.Close()
			waiting := foreground(t.Context(), s, "a")
			s.command("a").deaf = deaf
			s.command("a").write("last words\n")
			done := make(chan error)
			go func() { done <- s.End(t.Context(), "call of a") }()
			synctest.Wait()
			if deaf {
				// It is about to end, and cannot be kept.
				if id, err := s.Move("call of a"); !errors.Is(err, ErrNoJob) {
					t.Errorf("moved: %q, %v", id, err)
				}
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
			want := ended{Exit{Code: -1, Text: Text{Head: "last words\n", Bytes: 11}}, ErrEnded}
			if got := <-waiting; !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v", got)
			}
			if list := s.List(); len(list) != 0 {
				t.Errorf("left: %+v", list)
			}
		})
	}
}

func TestEndReachesTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, JobsOptions{})
		defer s.Close()
		id := background(t, s, "a")
		other := background(t, s, "b")
		for range 2 { // the second time it has ended
			if err := s.End(t.Context(), "call of a"); err != nil || s.Lives(id) || !s.Lives(other) {
				t.Errorf("%v; %+v", err, s.List())
			}
		}
	})
}

func TestEndDoesNotOutliveItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, JobsOptions{})
		defer s.Close()
		waiting := foreground(t.Context(), s, "a")
		s.command("a").deaf = true
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.End(ctx, "call of a"); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if got := <-waiting; !errors.Is(got.err, ErrEnded) {
			t.Errorf("it goes on: %+v", got)
		}
	})
}

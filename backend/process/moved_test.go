package process

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"
)

func TestMovedCommandGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, JobsOptions{})
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		waiting := foreground(ctx, s, "a")
		s.command("a").write("so far\n")
		synctest.Wait()
		if tail, err := s.Watch("call of a", 3); err != nil || tail.Text != "far\n" || !tail.Running {
			t.Errorf("%+v, %v", tail, err)
		}
		id, err := s.Move("call of a")
		if err != nil {
			t.Fatal(err)
		}
		want := ended{Exit{Moved: "p1", Text: Text{Head: "so far\n", Bytes: 7}}, nil}
		if got := <-waiting; !reflect.DeepEqual(got, want) || id != "p1" {
			t.Errorf("%s, %+v", id, got)
		}
		<-time.After(time.Hour)
		cancel()
		synctest.Wait()
		if job := s.List()[0]; !s.Lives(id) || !job.Background || job.CallID != "call of a" {
			t.Errorf("%+v", job)
		}
		s.command("a").write("later\n")
		s.command("a").end(2, "")
		synctest.Wait()
		wantText(t, s, id, "model", "later\n")
		for _, name := range []string{id, "call of a"} {
			if tail, err := s.Watch(name, 0); err != nil || tail.Text != "so far\nlater\n" || tail.Running {
				t.Errorf("%s: %+v, %v", name, tail, err)
			}
		}
		if job := s.List()[0]; job.Running || job.ExitCode != 2 {
			t.Errorf("%+v", job)
		}
	})
}

func TestMoveFindsCommandsInTheForeground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, JobsOptions{})
		defer s.Close()
		wantNone := func(call string) {
			t.Helper()
			if id, err := s.Move(call); id != "" || !errors.Is(err, ErrNoJob) {
				t.Errorf("%s: %q, %v", call, id, err)
			}
		}
		background(t, s, "a")
		wantNone("call of a")
		wantNone("no call")
		waiting := foreground(t.Context(), s, "b")
		s.command("b").end(0, "")
		<-waiting
		wantNone("call of b")

		ctx, cancel := context.WithCancel(t.Context())
		waiting = foreground(ctx, s, "c")
		s.command("c").deaf = true
		cancel()
		synctest.Wait()
		wantNone("call of c") // it is about to end
		if got := <-waiting; !errors.Is(got.err, context.Canceled) || got.exit.Moved != "" {
			t.Errorf("%+v", got)
		}

		waiting = foreground(t.Context(), s, "d")
		if id, err := s.Move("call of d"); id != "p2" || err != nil {
			t.Errorf("%q, %v", id, err)
		}
		wantNone("call of d")
		<-waiting
	})
}

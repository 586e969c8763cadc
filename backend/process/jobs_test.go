package process

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/message"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// background starts a command in the background and returns its id.
func background(t *testing.T, s *stage, line string) string {
	t.Helper()
	id, err := s.Start("call of "+line, Command{Line: line})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// wantText fails the test when the next reading is another.
func wantText(t *testing.T, s *stage, id, reader, want string) {
	t.Helper()
	r, err := s.Read(id, reader)
	if err != nil || r.Text.Head != want || r.Text.Omitted != 0 || r.Skipped != 0 {
		t.Errorf("%s of %s: %q, %+v, %v, want %q", reader, id, r.Text.Head, r, err, want)
	}
}

func TestTOOL05_EachReaderHasAnOffset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, JobsOptions{})
		defer s.Close()
		id := background(t, s, "a")
		wantText(t, s, id, "model", "")
		s.command("a").write("one\n")
		synctest.Wait()
		wantText(t, s, id, "model", "one\n")
		wantText(t, s, id, "model", "")
		s.command("a").write("\x1b[1mtwo\x1b[0m 目\n")
		synctest.Wait()
		wantText(t, s, id, "window", "one\ntwo 目\n")
		wantText(t, s, id, "model", "two 目\n")
		s.command("a").write("3m\n")
		s.command("a").end(0, "")
		synctest.Wait()
		wantText(t, s, id, "model", "3m\n")
		wantText(t, s, id, "window", "3m\n")
		wantText(t, s, id, "late", "one\ntwo 目\n3m\n")
	})
}

func TestListSaysHowJobsAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, JobsOptions{})
		defer s.Close()
		began := time.Now()
		_, err := s.Start("call-1", Command{Line: "a", Level: message.LevelFull, Network: true})
		if err != nil {
			t.Fatal(err)
		}
		waiting := foreground(t.Context(), s, "b")
		background(t, s, "c")
		background(t, s, "d")
		<-time.After(time.Second)
		s.command("a").end(-1, "SIGSEGV")
		s.command("d").err = ErrNotConfined
		s.command("d").end(-1, "")
		synctest.Wait()
		want := []Job{
			{ID: "p3", CallID: "call of d", Command: "d", Background: true, StartedAt: began, EndedAt: time.Now(), ExitCode: -1, Failed: ErrNotConfined.Error()},
			{ID: "p2", CallID: "call of c", Command: "c", Background: true, Running: true, StartedAt: began},
			{CallID: "call of b", Command: "b", Running: true, StartedAt: began},
			{ID: "p1", CallID: "call-1", Command: "a", Level: message.LevelFull, Network: true, Background: true, StartedAt: began, EndedAt: time.Now(), ExitCode: -1, Signal: "SIGSEGV"},
		}
		if diff := cmp.Diff(want, s.List()); diff != "" {
			t.Error(diff)
		}
		if r, err := s.Read("p3", "model"); err != nil || !errors.Is(r.Err, ErrNotConfined) {
			t.Errorf("%+v, %v", r, err)
		}
		s.command("b").end(0, "")
		if got := <-waiting; got.err != nil || got.exit.Moved != "" {
			t.Errorf("%+v", got)
		}
		if list := s.List(); len(list) != 3 {
			t.Errorf("an ended command in the foreground is kept: %+v", list)
		}
	})
}

// ended is what Run returned.
type ended struct {
	exit Exit
	err  error
}

// foreground runs a command in the foreground until it waits for the test.
func foreground(ctx context.Context, s *stage, line string) <-chan ended {
	result := make(chan ended, 1)
	go func() {
		exit, err := s.Run(ctx, "call of "+line, Command{Line: line})
		result <- ended{exit, err}
	}()
	synctest.Wait()
	return result
}

func TestKillEndsAJob(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, JobsOptions{})
			defer s.Close()
			id := background(t, s, "a")
			s.command("a").deaf = deaf
			s.command("a").write("last words\n")
			began := time.Now()
			r, err := s.Kill(t.Context(), id, "model")
			took, signal := time.Duration(0), "SIGTERM"
			if deaf {
				took, signal = grace, "SIGKILL"
			}
			if err != nil || r.Text.Head != "last words\n" || r.Job.Running || r.Job.Signal != signal || r.Err != nil || time.Since(began) != took {
				t.Errorf("%+v, %v after %v", r, err, time.Since(began))
			}
			again, err := s.Kill(t.Context(), id, "model")
			if diff := cmp.Diff(r.Job, again.Job); diff != "" || err != nil || again.Text.Head != "" {
				t.Errorf("%v, %q, %s", err, again.Text.Head, diff)
			}
		})
	}
}

func TestKillDoesNotOutliveItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, JobsOptions{})
		defer s.Close()
		id := background(t, s, "a")
		s.command("a").deaf = true
		cause := errors.New("no time")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		if _, err := s.Kill(ctx, id, "model"); err != cause {
			t.Errorf("error %v", err)
		}
		if done, err := s.Done(id); err != nil {
			t.Error(err)
		} else if <-done; s.Lives(id) {
			t.Error("the job goes on")
		}
	})
}

func TestUnknownJobsNameThoseThereAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, JobsOptions{})
		defer s.Close()
		calls := map[string]func() error{
			"read":  func() error { _, err := s.Read("p9", "model"); return err },
			"kill":  func() error { _, err := s.Kill(t.Context(), "p9", "model"); return err },
			"watch": func() error { _, err := s.Watch("p9", 0); return err },
			"end":   func() error { return s.End(t.Context(), "p9") },
			"done":  func() error { _, err := s.Done("p9"); return err },
		}
		want := &NoJobError{ID: "p9"}
		text := `there is no process "p9": none runs in the background or has ended a short time ago`
		for range 2 {
			for name, call := range calls {
				err := call()
				if diff := cmp.Diff(error(want), err); diff != "" || err.Error() != text {
					t.Errorf("%s: %v, %s", name, err, diff)
				}
			}
			background(t, s, "a")
			background(t, s, "b")
			foreground(t.Context(), s, "c")
			want.Known, text = []string{"p1", "p2"}, `there is no process "p9": there are p1, p2`
		}
		if s.Lives("") || s.Lives("p9") {
			t.Error("a job lives that is not there")
		}
	})
}

func TestCloseEndsAllCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changed atomic.Int64
		s := newStage(t, JobsOptions{Changed: func() { changed.Add(1) }})
		kept := background(t, s, "a")
		s.command("a").end(0, "")
		background(t, s, "b")
		s.command("b").deaf = true
		waiting := foreground(t.Context(), s, "c")
		changed.Store(0)
		s.Close()
		if got := <-waiting; !errors.Is(got.err, errClosed) {
			t.Errorf("%+v", got)
		}
		if _, err := s.Read(kept, "model"); err == nil || len(s.List()) != 0 {
			t.Errorf("%+v is left", s.List())
		}
		if n := changed.Load(); n != 4 {
			t.Errorf("told %d times, of two ends and two that were forgotten", n)
		}
		if _, err := s.Start("call", Command{Line: "d"}); !errors.Is(err, errClosed) {
			t.Errorf("started: %v", err)
		}
		if _, err := s.Run(t.Context(), "call", Command{Line: "d"}); !errors.Is(err, errClosed) {
			t.Errorf("ran: %v", err)
		}
		s.Close()
		<-time.After(time.Hour)
		if changed.Load() != 4 {
			t.Error("told of something after the end")
		}
	})
}

func TestCommandThatStartsWhileJobsCloseEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, JobsOptions{})
		start, closed := s.start, make(chan struct{})
		s.start = func(c Command) (tree, io.ReadCloser, error) {
			go func() {
				defer close(closed)
				s.Close()
			}()
			synctest.Wait()
			return start(c)
		}
		if _, err := s.Run(t.Context(), "call", Command{Line: "a"}); !errors.Is(err, errClosed) {
			t.Errorf("ran: %v", err)
		}
		<-closed
	})
}

func TestCommandThatCannotStartIsNoJob(t *testing.T) {
	s := newStage(t, JobsOptions{Changed: func() { t.Error("told of a change") }})
	if id, err := s.Start("call", Command{Line: "broken"}); id != "" || !cmp.Equal(err, errNoShell, cmpopts.EquateErrors()) {
		t.Errorf("started as %q: %v", id, err)
	}
	if exit, err := s.Run(t.Context(), "call", Command{Line: "broken"}); exit.Code != -1 || !errors.Is(err, errNoShell) {
		t.Errorf("ran: %+v, %v", exit, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if exit, err := s.Run(ctx, "call", Command{Line: "a"}); exit.Code != -1 || err != context.Canceled {
		t.Errorf("ran: %+v, %v", exit, err)
	}
	if list := s.List(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	s.Close()
}

func TestEndedIsCalledBeforeAnybodyIsTold(t *testing.T) {
	for _, cut := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, JobsOptions{})
			defer s.Close()
			var called atomic.Int64
			id, err := s.Start("call", Command{Line: "a", Ended: func(ctx context.Context) {
				if !s.Lives("p1") || (ctx.Err() != nil) != cut {
					t.Errorf("lives %v, context %v", s.Lives("p1"), ctx.Err())
				}
				called.Add(1)
				<-ctx.Done() // it takes all the time that there is
			}})
			if err != nil {
				t.Fatal(err)
			}
			if !cut {
				s.command("a").end(0, "")
				<-time.After(time.Hour)
				if called.Load() != 1 || !s.Lives(id) {
					t.Errorf("called %d times, lives %v", called.Load(), s.Lives(id))
				}
			}
			if _, err := s.Kill(t.Context(), id, "model"); err != nil || called.Load() != 1 {
				t.Errorf("%v, called %d times", err, called.Load())
			}
		})
	}
}

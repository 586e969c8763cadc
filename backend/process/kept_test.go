package process

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTOOL05_EndedJobIsKeptForAWhile(t *testing.T) {
	for _, kept := range []time.Duration{0, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			var changed atomic.Int64
			s := newStage(t, JobsOptions{Kept: kept, Changed: func() { changed.Add(1) }})
			defer s.Close()
			id := background(t, s, "a")
			s.command("a").write("bye\n")
			s.command("a").end(3, "")
			synctest.Wait()
			if n := changed.Load(); n != 2 {
				t.Errorf("told %d times of a start and an end", n)
			}
			if kept == 0 {
				kept = 300 * time.Second
			}
			<-time.After(kept - 1)
			r, err := s.Read(id, "model")
			if err != nil || r.Text.Head != "bye\n" || r.Job.Running || r.Job.ExitCode != 3 || changed.Load() != 2 {
				t.Errorf("%+v, %v, told %d times", r, err, changed.Load())
			}
			<-time.After(1)
			synctest.Wait()
			if _, err = s.Read(id, "model"); err == nil || len(s.List()) != 0 || changed.Load() != 3 {
				t.Errorf("%v, %+v, told %d times", err, s.List(), changed.Load())
			}
		})
	}
}

func TestTOOL05_TheLast50EndedJobsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, JobsOptions{})
		defer s.Close()
		background(t, s, "first")
		for i := range 52 {
			background(t, s, fmt.Sprint(i))
		}
		// The one that began last ends first.
		for i := range 52 {
			<-time.After(time.Second)
			s.command(fmt.Sprint(51-i)).end(0, "")
			synctest.Wait()
		}
		var got []string
		for _, job := range s.List() {
			got = append(got, job.ID)
		}
		if len(got) != 51 || got[0] != "p51" || got[50] != "p1" || !s.Lives("p1") || s.Lives("p2") {
			t.Errorf("%d are kept: %v", len(got), got)
		}
	})
}

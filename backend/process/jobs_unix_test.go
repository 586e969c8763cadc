//go:build unix

package process

import (
	"strings"
	"testing"
	"time"
)

// newJobs returns jobs that end with the test.
func newJobs(t *testing.T, o JobsOptions) *Jobs {
	j := NewJobs(o)
	t.Cleanup(j.Close)
	return j
}

func TestTOOL05_StatusBringsWhatIsNew(t *testing.T) {
	j := newJobs(t, JobsOptions{})
	began := time.Now()
	id, err := j.Start("call", Command{Line: "for i in $(seq 10); do echo $i; sleep 0.1; done; exit 4", Dir: t.TempDir()})
	if took := time.Since(began); err != nil || took > 500*time.Millisecond {
		t.Fatalf("%v after %v", err, took)
	}
	done, err := j.Done(id)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	readings := 0
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		r, err := j.Read(id, "model")
		if err != nil {
			t.Fatal(err)
		}
		if r.Text.Head != "" {
			readings++
		}
		all.WriteString(r.Text.Head)
		if !r.Job.Running {
			if r.Job.ExitCode != 4 || r.Job.Signal != "" || r.Job.EndedAt.Before(r.Job.StartedAt) {
				t.Errorf("%+v", r.Job)
			}
			break
		}
		select {
		case <-tick.C:
		case <-done:
		}
	}
	if all.String() != "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n" || readings < 5 {
		t.Errorf("%q in %d readings", all.String(), readings)
	}
}

func TestKillAllEndsJobs(t *testing.T) {
	j := newJobs(t, JobsOptions{})
	id, err := j.Start("call", Command{Line: "sleep 1000", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	done, err := j.Done(id)
	if err != nil {
		t.Fatal(err)
	}
	KillAll()
	<-done
	if r, err := j.Read(id, "model"); err != nil || r.Job.Running || r.Job.Signal != "SIGKILL" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestMovedCommandOutlivesItsCall(t *testing.T) {
	j := newJobs(t, JobsOptions{})
	var id string
	exit, err := j.Run(t.Context(), "call", Command{Line: "echo a; sleep 0.2; echo b", Dir: t.TempDir(), Output: func(string) {
		var err error
		if id, err = j.Move("call"); err != nil {
			t.Error(err)
		}
	}})
	if err != nil || exit.Moved != id || exit.Text.Head != "a\n" {
		t.Fatalf("%+v, %v", exit, err)
	}
	done, err := j.Done(id)
	if err != nil {
		t.Fatal(err)
	}
	<-done
	if r, err := j.Read(id, "model"); err != nil || r.Text.Head != "b\n" || r.Job.ExitCode != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

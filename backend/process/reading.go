package process

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Reading is what one who looks at a job now and then gets to see.
type Reading struct {
	// Job is how the job is.
	Job Job
	// Text is what the job wrote since the last look of the same reader. Its Bytes,
	// Spilled and SpillErr are those of all that the job has written.
	Text Text
	// Skipped counts the characters before Text that this reader has not seen and
	// that are no longer kept.
	Skipped int64
	// Err is why the command was not run, or ErrUnknown; nil for one that has ended or
	// runs.
	Err error
}

// Tail is the newest output of a job, as the window shows it.
type Tail struct {
	// Text is valid UTF-8 with the sequences that colour it (ECMA-48 SGR), and with
	// nothing else that drives a terminal.
	Text string
	// From is the place of Text in the output, in bytes: larger than was asked for
	// where older text is no longer kept.
	From int64
	// Next is the place after Text, to go on from.
	Next int64
	// Running says that the job has not ended.
	Running bool
}

// NoJobError says that there is no job with an id, or no longer.
type NoJobError struct {
	// ID is the id.
	ID string
	// Known are the ids that there are, in the order of the jobs' start.
	Known []string
}

func (e *NoJobError) Error() string {
	known := "none runs in the background or has ended a short time ago"
	if len(e.Known) > 0 {
		known = "there are " + strings.Join(e.Known, ", ")
	}
	return fmt.Sprintf("there is no process %.40q: %s", e.ID, known)
}

// Read says how a job in the background is, and what it wrote since the same reader
// read last. A reader is any name; each reads the whole output. The first time it
// begins at the beginning, or where Run ended for a job that was moved. An error is a
// *NoJobError.
func (j *Jobs) Read(id, reader string) (Reading, error) {
	b, _, err := j.find(id)
	if err != nil {
		return Reading{}, err
	}
	return j.read(b, reader), nil
}

// Kill ends a job with all its processes and returns what Read does after its end. A
// job that has ended is left as it is. An error is a *NoJobError, or the cause of a
// ctx that ended first; the job ends all the same.
func (j *Jobs) Kill(ctx context.Context, id, reader string) (Reading, error) {
	b, _, err := j.find(id)
	if err != nil {
		return Reading{}, err
	}
	b.cancel(errKilled)
	select {
	case <-b.done:
		return j.read(b, reader), nil
	case <-ctx.Done():
		return Reading{}, context.Cause(ctx)
	}
}

// Lives reports whether there is a job in the background with this id that has not ended.
func (j *Jobs) Lives(id string) bool {
	_, shown, err := j.find(id)
	return err == nil && shown.Running
}

// Done returns a channel that is closed when the job has ended. An error is a
// *NoJobError.
func (j *Jobs) Done(id string) (<-chan struct{}, error) {
	b, _, err := j.find(id)
	if err != nil {
		return nil, err
	}
	return b.done, nil
}

// List says how all commands are, in the foreground too, the newest first.
func (j *Jobs) List() []Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := make([]Job, 0, len(j.all))
	for _, b := range slices.Backward(j.all) {
		list = append(list, b.currentState())
	}
	return list
}

// Watch returns what a job wrote from a place in its output on: 0, or the Next of the
// last Tail. The job is named by its id, or by its call, as one in the foreground has
// no id. An error is a *NoJobError.
func (j *Jobs) Watch(name string, from int64) (Tail, error) {
	b, shown, err := j.findJob(name)
	if err != nil {
		return Tail{}, err
	}
	tail := Tail{Running: shown.Running}
	tail.Text, tail.From, tail.Next = b.output.tailFrom(from)
	return tail, nil
}

// read looks at the job first and at its output then: of one that is said to have
// ended, all of it is there.
func (j *Jobs) read(b *job, reader string) Reading {
	j.mu.Lock()
	r := Reading{Job: b.currentState()}
	if b.over && b.cut == nil {
		r.Err = b.err
	}
	j.mu.Unlock()
	r.Text, r.Skipped = b.output.read(reader)
	return r
}

// find returns the job in the background with an id, and how it is.
func (j *Jobs) find(id string) (*job, Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	missing := &NoJobError{ID: id}
	for _, b := range j.all {
		if b.id == "" {
			continue
		}
		if b.id == id {
			return b, b.currentState(), nil
		}
		missing.Known = append(missing.Known, b.id)
	}
	return nil, Job{}, missing
}

// findJob returns the job with an id, or else the one that a call started, and how it is.
func (j *Jobs) findJob(name string) (*job, Job, error) {
	b, shown, err := j.find(name)
	if err == nil {
		return b, shown, nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, b := range j.all {
		if b.callID == name {
			return b, b.currentState(), nil
		}
	}
	return nil, Job{}, err
}

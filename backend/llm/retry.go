package llm

import (
	"errors"
	"fmt"
	"time"

	"fairlead/backend/message"
)

// The wait before another attempt (SPEC RET-02): doubled each time from firstDelay up
// to maxDelay, plus the jitter. A provider that names a wait is obeyed up to maxWait.
const (
	firstDelay = time.Second
	maxDelay   = 10 * time.Second
	maxWait    = 60 * time.Second
)

// Retries decides whether a failed attempt of a step is made again, and when.
type Retries struct {
	// Most is the number of attempts at one reply, at least 1.
	Most int
	// Jitter is added to each wait that the provider did not name.
	Jitter func() time.Duration
	// Repeated says that an attempt of the step was given up because the model repeated
	// its words.
	Repeated bool

	// leaked is set once an attempt of the step was given up for a call in its text.
	leaked bool
	// silent says that the model was silent in the step.
	silent bool
}

// After returns why attempt number failed, counted from 1, and how long to wait before
// the next; the error is nil when another attempt makes no sense.
func (r *Retries) After(number int, err error) (*Error, time.Duration) {
	var failure *Error
	if !errors.As(err, &failure) {
		return nil, 0
	}
	r.Repeated = r.Repeated || failure.Class == Repeats
	r.leaked = r.leaked || failure.Class == Leaked
	if failure.Class == Silent && !r.allowSilence(number) || !failure.Retryable() || number >= r.Most || failure.Wait > maxWait {
		return nil, 0
	}
	if failure.Wait > 0 {
		return failure, failure.Wait
	}
	return failure, min(firstDelay<<(number-1), maxDelay) + r.Jitter()
}

// TakesLeak reports whether an attempt failed with a call in its text that cannot be read,
// and is taken as it is: it was asked for again already, or is not to be (SPEC MOD-07).
func (r *Retries) TakesLeak(err error) bool {
	failure, ok := errors.AsType[*Error](err)
	return ok && failure.Class == Leaked && (r.leaked || r.Most <= 1)
}

// allowSilence reports whether a silence is the first of the step, which is retried (SPEC
// LOOP-07) even where other failures have used up the attempts, unless only one was wanted.
func (r *Retries) allowSilence(number int) bool {
	if r.silent {
		return false
	}
	r.silent = true
	if r.Most > 1 {
		r.Most = max(r.Most, number+1)
	}
	return true
}

// SilentFor is the error of a model that sent nothing of its reply for so long. alive says
// that there were signs of life.
func SilentFor(length time.Duration, alive bool) *Error {
	what := "nothing"
	if alive {
		what = "nothing of a reply"
	}
	return &Error{
		Class: Silent, Message: fmt.Sprintf("the model sent %s for %g s", what, length.Seconds()),
		Hint: "check that it is running, or raise --step-timeout", Cause: message.FailSilence, Length: length,
	}
}

// ComeBack says when the provider asks to come back, in words that follow those of the
// error; empty for a wait that is obeyed, or none.
func (e *Error) ComeBack(now time.Time) string {
	if e.Wait <= maxWait {
		return ""
	}
	return fmt.Sprintf("; the provider asks to come back in %s, at %s",
		e.Wait.Round(time.Second), now.Add(e.Wait).Format("15:04 on 2 January"))
}

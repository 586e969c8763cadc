package cli

import (
	"sync"
	"sync/atomic"

	"fairlead/backend"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// runs are the runs of this process, in order: that of the task, and one for each
// prompt that waits in the conversation when the run before it has ended. Whoever
// gives the conversation a prompt in that very moment begins a run with it himself.
// Both ways lead through here, so that each run is shown once and a prompt is either
// run, or named as not run, or refused.
type runs struct {
	conversation *backend.Conversation
	sessions     *session.Manager
	// earlier counts the prompts that a run before left to the person.
	earlier int

	mu    sync.Mutex
	begun []*session.Run
	// more is told when a run begins and when none will any more, which over says.
	more *sync.Cond
	over bool

	// current is the run at work, or the one that ended last. It is read without mu,
	// because a cancel must not wait for a run that begins.
	current atomic.Pointer[session.Run]
	// stopped is closed when the person cancels: nothing begins after that.
	stopped chan struct{}
	once    sync.Once
}

func newRuns(conversation *backend.Conversation, sessions *session.Manager) *runs {
	r := &runs{
		conversation: conversation, sessions: sessions, earlier: len(conversation.Waiting()), stopped: make(chan struct{}),
	}
	r.more = sync.NewCond(&r.mu)
	return r
}

// begin begins the first run.
func (r *runs) begin(prompt string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	run, err := r.conversation.BeginRun(prompt)
	if err == nil {
		r.add(run)
	}
	return err
}

// add takes a run that began. The caller holds the lock.
func (r *runs) add(run *session.Run) {
	r.begun = append(r.begun, run)
	r.current.Store(run)
	r.more.Broadcast()
	if r.cancelled() {
		// The cancel came while it began, and found the run before it.
		_, _ = r.sessions.CancelRun(run.ID)
	}
}

// finish waits until every run has ended, and begins each that waits. An error says
// why the next one could not begin.
func (r *runs) finish() error {
	for n := 0; ; n++ {
		run, err := r.following(n)
		if run == nil || err != nil {
			return err
		}
		run.Wait()
	}
}

// following is run number n, from 0; nil when the one before it was the last.
func (r *runs) following(n int) (*session.Run, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	if n == len(r.begun) && !r.cancelled() {
		var run *session.Run
		if run, err = r.conversation.NextPrompt(); run != nil {
			r.add(run)
		}
	}
	if n < len(r.begun) {
		return r.begun[n], nil
	}
	r.over = true
	r.more.Broadcast()
	return nil, err
}

// at waits for run number n, from 0; nil when there is none.
func (r *runs) at(n int) *session.Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n >= len(r.begun) && !r.over {
		r.more.Wait()
	}
	if n < len(r.begun) {
		return r.begun[n]
	}
	return nil
}

// all are the runs so far.
func (r *runs) all() []*session.Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.begun[:len(r.begun):len(r.begun)]
}

// queue gives the conversation a prompt beside the one at work.
func (r *runs) queue(text string, target message.Target) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.ended(); err != nil {
		return err
	}
	_, run, err := r.conversation.QueuePrompt(text, target)
	if run != nil {
		r.add(run)
	}
	return err
}

// ended refuses a prompt when no run begins any more. The caller holds the lock.
func (r *runs) ended() error {
	if r.over || r.cancelled() {
		return &message.Refusal{Code: message.InvalidState, Message: "the last run has ended or was cancelled; this prompt is not run"}
	}
	return nil
}

// left counts the prompts of this process that were not run.
func (r *runs) left() int { return len(r.conversation.Waiting()) - r.earlier }

// code is the exit code: that of the last run, or of a cancel that came between two.
func (r *runs) code() int {
	all := r.all()
	code := exitCode(all[len(all)-1])
	if code == exitOK && r.left() > 0 && r.cancelled() {
		return exitCancelled
	}
	return code
}

// id names the run at work, or the one that ended last; empty before the first.
func (r *runs) id() string {
	if run := r.current.Load(); run != nil {
		return run.ID
	}
	return ""
}

// cancel ends the run at work and has no other begin.
func (r *runs) cancel() error {
	r.once.Do(func() { close(r.stopped) })
	_, err := r.sessions.CancelRun(r.id())
	return err
}

func (r *runs) cancelled() bool {
	select {
	case <-r.stopped:
		return true
	default:
		return false
	}
}

// interrupt has the run stop before its next model call, with text as its reply. Without
// one it makes way for a prompt that waits, which begins the next run.
func (r *runs) interrupt(text string) error {
	if waiting := r.conversation.Waiting(); text == "" && len(waiting) > r.earlier {
		return r.sendNow(waiting[r.earlier].ID)
	}
	_, err := r.sessions.InterruptRun(r.id(), text)
	return err
}

func (r *runs) sendNow(promptID string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.ended(); err != nil {
		return err
	}
	run, err := r.conversation.SendPrompt(promptID)
	if run != nil {
		r.add(run)
	}
	return err
}

// retry ends the wait of the run at work before its next attempt.
func (r *runs) retry() error { return r.sessions.RetryRun(r.id()) }

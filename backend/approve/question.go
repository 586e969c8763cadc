package approve

import (
	"context"
	"slices"
	"sync"
	"time"

	"fairlead/backend/message"
)

// question is one open question with answers of one kind. Its channels hold one
// value, and what closes it first takes it from the broker, so that only one answer
// can count.
type question[T any] struct {
	// hash names what is shown; empty where an answer needs to name nothing.
	hash   string
	answer chan T
	extend chan struct{}
	// since is when it began to wait for so long.
	since   time.Time
	timeout time.Duration
	// kind is what a question about a call is about, and changes are those that it shows.
	kind    message.QuestionKind
	changes []message.PendingChange
	// network is set where it is about the network for a command.
	network bool
	// told is set where it is about a loop: what the user says is an answer to it.
	told bool
}

// renew gives the whole time again to answer. The caller has the lock.
func (q *question[T]) renew() {
	q.since = time.Now()
	select {
	case q.extend <- struct{}{}:
	default: // an extension that was not seen yet does for both
	}
}

// openQuestion opens a question; on a closed broker it is answered at once.
func openQuestion[T any](b *Broker, open map[key]*question[T], k key, hash string, closed func(why string) T) *question[T] {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := &question[T]{hash: hash, answer: make(chan T, 1), extend: make(chan struct{}, 1), since: time.Now()}
	if b.closed != "" {
		q.answer <- closed(b.closed)
		return q
	}
	open[k] = q
	return q
}

// closeQuestion closes a question without an answer.
func closeQuestion[T any](b *Broker, open map[key]*question[T], k key, q *question[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if open[k] == q {
		delete(open, k)
	}
}

// waitForAnswer waits for the answer to a question. When the user wants the whole time
// again, it says so by again; when the time is over it closes the question with close,
// and late is the answer; when ctx ends, gone is.
func waitForAnswer[T any](ctx context.Context, q *question[T], timeout time.Duration, again, close func(), late, gone T) T {
	patience := newPatience(timeout)
	defer patience.stop()
	for {
		select {
		case given := <-q.answer:
			return given
		case <-q.extend:
			patience.renew()
			again()
		case now := <-patience.ticks():
			if patience.lasts(now) {
				continue
			}
			close()
			select {
			case given := <-q.answer: // it came in the very moment and was accepted
				return given
			default:
				return late
			}
		case <-ctx.Done():
			return gone
		}
	}
}

// askInTurn asks in a goroutine of its own, when no other question is being asked: in the
// order in which they came. The returned function ends it.
func (b *Broker) askInTurn(ctx context.Context, ask func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	turn, leave := b.line.join()
	var asking sync.WaitGroup
	asking.Go(func() {
		defer leave()
		select {
		case <-turn:
		case <-ctx.Done():
			return
		}
		if ctx.Err() == nil {
			ask(ctx)
		}
	})
	return func() {
		cancel()
		asking.Wait()
	}
}

// line is of those who wait for something that one has at a time.
type line struct {
	mu      sync.Mutex
	waiting []chan struct{}
}

// join puts the caller at its end. The channel is closed when it is the caller's turn, which
// leave ends, or gives up.
func (l *line) join() (turn <-chan struct{}, leave func()) {
	own := make(chan struct{})
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting = append(l.waiting, own); len(l.waiting) == 1 {
		close(own)
	}
	return own, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		at := slices.Index(l.waiting, own)
		l.waiting = slices.Delete(l.waiting, at, at+1)
		if at == 0 && len(l.waiting) > 0 {
			close(l.waiting[0])
		}
	}
}

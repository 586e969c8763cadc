package document

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"fairlead/backend/tool/document/exchange"
)

// slot is the place of a reader's process.
type slot struct {
	// turn is held by who uses it.
	turn chan struct{}
	// mu guards what follows from the timer.
	mu    sync.Mutex
	child *child
	idle  *time.Timer
	spent time.Duration
}

// ask has the process read a document.
func (s *slot) ask(ctx context.Context, file io.ReaderAt, request exchange.Request) (*exchange.Text, error) {
	limit := time.Duration(request.Milliseconds)*time.Millisecond + grace
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &exchange.Failure{Reason: exchange.TooSlow})
	defer cancel()
	type answered struct {
		text *exchange.Text
		err  error
	}
	done := make(chan answered, 1)
	go func() {
		text, err := s.child.read(file, request)
		done <- answered{text, err}
	}()
	select {
	case a := <-done:
		return a.text, a.err
	case <-ctx.Done():
		s.child.kill() // which ends the goroutine
		<-done
		return nil, context.Cause(ctx)
	}
}

// rest leaves the process waiting for the next document, or ends it.
func (s *slot) rest(took time.Duration, err error) {
	var failure *exchange.Failure
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spent += took
	if err != nil && (!errors.As(err, &failure) || s.child.isGone()) || s.spent > lifeTime {
		s.drop()
		return
	}
	s.idle = time.AfterFunc(idleTime, func() {
		select {
		case s.turn <- struct{}{}:
			s.end()
			<-s.turn
		default: // it is used
		}
	})
}

// end ends the process, if there is one. The caller has the turn.
func (s *slot) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

func (s *slot) drop() {
	if s.idle != nil {
		s.idle.Stop()
	}
	if s.child != nil {
		s.child.kill()
	}
	s.child = nil
}

package document

import (
	"context"
	"errors"
	"fmt"
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
	mu       sync.Mutex
	child    *child
	starting *start
	idle     *time.Timer
	spent    time.Duration
}

// start is a process that is being started, for all who wait for it.
type start struct {
	cancel context.CancelFunc
	// done is closed when it is ready, or has failed with err.
	done chan struct{}
	err  error
}

// ready waits until the process of a slot is there, for which it is started, and reports whether it was
// before. Who gives up waiting leaves it to the next one. The caller has the turn.
func (s *slot) ready(ctx context.Context, arguments []string) (isUsed bool, err error) {
	s.mu.Lock()
	if s.idle != nil {
		s.idle.Stop()
	}
	there := s.child != nil
	if !there && s.starting == nil {
		s.start(arguments)
	}
	begun := s.starting
	s.mu.Unlock()
	if there {
		return true, nil
	}
	select {
	case <-begun.done:
		return false, begun.err
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// start starts the process of a slot, beside what the caller does. The caller holds the mutex.
func (s *slot) start(arguments []string) {
	ctx, cancel := context.WithTimeout(context.Background(), compileTime)
	begun := &start{cancel: cancel, done: make(chan struct{})}
	s.starting = begun
	go func() {
		defer cancel()
		defer close(begun.done)
		started, err := startReady(ctx, arguments)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.child, s.starting, s.spent, begun.err = started, nil, 0, err
		if started != nil {
			s.endWhenIdle() // nobody may wait any more
		}
	}()
}

// startReady starts the program that reads documents, and waits until it is ready. The first one can
// have to compile what reads, and ends then.
func startReady(ctx context.Context, arguments []string) (*child, error) {
	for range 2 {
		started, err := startChild(arguments...)
		if err != nil {
			return nil, err
		}
		compiled, err := started.await(ctx)
		if err == nil && !compiled {
			return started, nil
		}
		started.kill()
		if err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w does not find what it has compiled", errReader)
}

// isStarting reports whether the process is being started.
func (s *slot) isStarting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.starting != nil
}

// cancelStart ends what is being started, and waits for that.
func (s *slot) cancelStart() {
	s.mu.Lock()
	begun := s.starting
	s.mu.Unlock()
	if begun != nil {
		begun.cancel()
		<-begun.done
	}
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
	s.endWhenIdle()
}

// endWhenIdle ends the process once it had no document for a while. The caller holds the mutex.
func (s *slot) endWhenIdle() {
	if s.idle != nil {
		s.idle.Stop()
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

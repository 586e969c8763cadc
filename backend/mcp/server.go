package mcp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"fairlead/backend/message"
)

// Status is what there is to know of a server now.
type Status struct {
	Definition Definition `json:"definition"`
	Grant      Grant      `json:"grant"`
	State      State      `json:"state"`
	// Reason is why it is suspended, failed or stopped, in a sentence without a full stop; empty in
	// other states.
	Reason string `json:"reason,omitempty"`
	// Level is how far the system confined it when it last ran; empty where nobody knows.
	Level message.Level `json:"level,omitempty"`
	// Agreed is what the user has agreed to, and Found what the server listed last; nil for none.
	Agreed *Pin `json:"agreed,omitempty"`
	Found  *Pin `json:"found,omitempty"`
	// Difference is how these differ, where it is suspended for that.
	Difference *Difference `json:"difference,omitempty"`
	// LeftOut are tools that cannot be used.
	LeftOut []LeftOut `json:"leftOut,omitempty"`
	// Log are the last lines that it has written beside its messages, hidden characters visible.
	Log []string `json:"log,omitempty"`
}

// Server is one server for one workspace, from when it is added to when it is removed. It is safe
// for concurrent use.
type Server struct {
	definition Definition
	grant      Grant
	options    sessionOptions
	log        lines
	// notify tells that the status is another one.
	notify func()
	// life ends when the server is closed.
	life   context.Context //nolint:containedctx // it is the life of this value
	finish context.CancelFunc
	// looking holds a value while the tools are read again.
	looking chan struct{}

	mu     sync.Mutex
	state  State
	reason string
	level  message.Level
	agreed *Pin
	found  *Pin
	left   []LeftOut
	// session is there while the state is ready.
	session *session
	// attempt is closed when the start that goes on has ended; nil for none.
	attempt chan struct{}
	// starts are when it was started, within startsWithin.
	starts []time.Time
	// stale reports whether the server has said its tools changed; refreshing that they are about to be
	// read again.
	stale, refreshing bool
}

func newServer(e Entry, o sessionOptions, notify func()) *Server {
	s := &Server{definition: e.Definition, grant: e.Grant, options: o, notify: notify, looking: make(chan struct{}, 1), state: StateConfigured, agreed: e.Pin}
	s.life, s.finish = context.WithCancel(context.Background())
	s.options.log = &s.log
	return s
}

// Status returns what there is to know now.
func (s *Server) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := Status{
		Definition: s.definition, Grant: s.grant, State: s.state, Reason: s.reason, Level: s.level,
		Agreed: s.agreed, Found: s.found, LeftOut: s.left, Log: s.log.last(),
	}
	if s.state == StateSuspended {
		status.Difference = Compare(s.agreed, s.found)
	}
	return status
}

// Start starts the server in the background unless it runs, is suspended, or was closed.
func (s *Server) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == StateConfigured || s.state == StateFailed {
		_, _ = s.begin() // the status tells
	}
}

// Await waits for the end of a start that goes on, or of ctx, and returns what there is to know then.
func (s *Server) Await(ctx context.Context) Status {
	s.mu.Lock()
	attempt := s.attempt
	s.mu.Unlock()
	if attempt != nil {
		select {
		case <-attempt:
		case <-ctx.Done():
		}
	}
	return s.Status()
}

// begin starts the server, and returns what is closed when that has ended. The caller holds the
// lock.
func (s *Server) begin() (attempt chan struct{}, err error) {
	if s.attempt != nil {
		return s.attempt, nil
	}
	now := time.Now()
	s.starts = slices.DeleteFunc(s.starts, func(at time.Time) bool { return now.Sub(at) >= startsWithin })
	if len(s.starts) >= startsEach {
		again := startsWithin - now.Sub(s.starts[0])
		return nil, fmt.Errorf("%s; it was started %d times within a minute, and is not started again for %d s", s.reason, startsEach, int(math.Ceil(again.Seconds())))
	}
	s.starts = append(s.starts, now)
	attempt = make(chan struct{})
	s.attempt, s.state, s.reason = attempt, StateStarting, ""
	s.log.begin()
	go func() {
		s.start()
		s.mu.Lock()
		s.attempt = nil
		s.mu.Unlock()
		close(attempt)
		s.notify()
	}()
	go s.notify()
	return attempt, nil
}

// start starts the server and reads its tools.
func (s *Server) start() {
	ctx, cancel := limitStart(s.life)
	defer cancel()
	o := s.options
	var opened *session
	listening := make(chan struct{}) // opened is set
	o.changed = func() {
		select {
		case <-listening:
			s.noteStale(opened)
		default: // the first look at the tools is still to come
		}
	}
	opened, err := openSession(ctx, s.definition, s.grant, o)
	if err != nil {
		s.fail(nil, err)
		return
	}
	close(listening)
	s.mu.Lock()
	s.level, s.stale = opened.conn.Level, false
	s.mu.Unlock()
	pin, left, err := opened.readTools(ctx)
	if err != nil {
		opened.close(err)
		s.fail(nil, err)
		return
	}
	if s.take(nil, opened, pin, left) {
		go s.watch(opened)
	}
}

// take compares the tools that were read with those agreed to. It reports whether the server is
// ready; where it is not, the session is closed. was is the session of the server before; if it
// has ended meanwhile, nothing is taken.
func (s *Server) take(was, opened *session, pin *Pin, left []LeftOut) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != was || s.life.Err() != nil {
		opened.close(nil)
		return false
	}
	s.found, s.left = pin, left
	switch difference := Compare(s.agreed, pin); {
	case s.agreed == nil:
		s.suspend(opened, fmt.Sprintf("nobody has agreed to the tools of the server %s yet", s.definition.Name))
		return false
	case difference != nil:
		s.suspend(opened, fmt.Sprintf("the tools of the server %s are not those that the user agreed to (%s)", s.definition.Name, difference))
		return false
	}
	s.state, s.reason, s.session = StateReady, "", opened
	return true
}

// suspend ends the server until the user agrees. The caller holds the lock.
func (s *Server) suspend(opened *session, reason string) {
	s.state, s.reason, s.session = StateSuspended, reason, nil
	opened.close(errSuspended)
}

var errSuspended = errors.New("it was suspended, because its tools are not those that were agreed to")

// fail notes why the server does not run, unless another session does.
func (s *Server) fail(of *session, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != of || s.state != StateReady && s.state != StateStarting || s.life.Err() != nil {
		return
	}
	why := explain(err)
	if stray := s.log.firstStray(); stray != "" && errors.Is(err, errSlow) {
		why += "; it wrote to its standard output what is no message: " + shownText(stray)
	}
	s.state, s.session = StateFailed, nil
	s.reason = fmt.Sprintf("the server %s cannot be used: %s", s.definition.Name, why)
}

// watch waits for the end of a session, and says so.
func (s *Server) watch(opened *session) {
	<-opened.ended
	s.fail(opened, errors.Join(opened.over(), errEnded))
	s.notify()
}

// noteStale notes that the tools may be others, and has them read again soon.
func (s *Server) noteStale(opened *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stale = true; s.refreshing {
		return
	}
	s.refreshing = true
	go func() {
		if waitOrDone(s.life, refreshPause) {
			s.mu.Lock()
			current := s.session == opened
			s.refreshing = false
			s.mu.Unlock()
			if current {
				_ = s.refresh(s.life) // the status tells
			}
			return
		}
		s.mu.Lock()
		s.refreshing = false
		s.mu.Unlock()
	}()
}

// refresh reads the tools again if they may be others.
func (s *Server) refresh(ctx context.Context) error {
	select {
	case s.looking <- struct{}{}:
		defer func() { <-s.looking }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	s.mu.Lock()
	opened, stale := s.session, s.stale
	s.stale = false
	s.mu.Unlock()
	if opened == nil || !stale {
		return nil
	}
	limited, cancel := limitStart(ctx)
	defer cancel()
	pin, left, err := opened.readTools(limited)
	if err != nil {
		s.mu.Lock()
		s.stale = true
		s.mu.Unlock()
		if ctx.Err() != nil {
			return context.Cause(ctx) // the call that wanted it was cancelled
		}
		s.fail(opened, err)
		opened.close(err)
	} else {
		s.take(opened, opened, pin, left)
	}
	s.notify()
	return nil
}

// Agree notes that the user agrees to the tools that the pin of this hash names, and starts the
// server again. It returns that pin, for the caller to keep.
func (s *Server) Agree(hash string) (*Pin, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found == nil || s.found.Hash != hash {
		return nil, fmt.Errorf("agree to the tools of the server %s: they have changed again; look at them once more", s.definition.Name)
	}
	s.agreed = s.found
	if s.state == StateSuspended {
		s.state, s.reason, s.starts = StateConfigured, "", nil
		_, _ = s.begin() // the status tells
	}
	return s.agreed, nil
}

// use returns a session of the server for a call, which is started where it has ended. The error is
// a sentence.
func (s *Server) use(ctx context.Context) (*session, error) {
	for range 3 {
		s.mu.Lock()
		opened, stale, state := s.session, s.stale, s.state
		var attempt chan struct{}
		var err error
		switch state {
		case StateReady:
		case StateSuspended, StateStopped:
			err = errors.New(s.reason)
		case StateConfigured, StateStarting, StateFailed:
			attempt, err = s.begin()
		}
		s.mu.Unlock()
		switch {
		case err != nil:
			return nil, err
		case attempt != nil:
			select {
			case <-attempt:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
			s.mu.Lock()
			state, err = s.state, errors.New(s.reason)
			s.mu.Unlock()
			if state != StateReady {
				return nil, err
			}
		case stale:
			if err := s.refresh(ctx); err != nil {
				return nil, err
			}
		default:
			return opened, nil
		}
	}
	return nil, fmt.Errorf("the server %s changes its tools faster than they can be read", s.definition.Name)
}

// Close ends the server with all that it has started.
func (s *Server) Close() {
	s.finish()
	s.mu.Lock()
	opened, attempt := s.session, s.attempt
	s.state, s.session = StateStopped, nil
	s.reason = fmt.Sprintf("the server %s was stopped", s.definition.Name)
	s.mu.Unlock()
	if opened != nil {
		opened.close(nil)
	}
	if attempt != nil {
		limited, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		select {
		case <-attempt:
		case <-limited.Done(): // the starter will close what it opens late
		}
	}
}

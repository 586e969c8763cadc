package session

import (
	"context"
	"fmt"
	"slices"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// QueuePrompt gives the session a prompt while a run is running: it joins the run at its
// next step, or begins a run of its own after it. What is said for the next step of a run
// that was paused because it goes in circles is the answer to that: it goes on. Where no
// run goes on any more one begins, which is returned (SPEC STEER-01). A prompt that is
// refused does not wait.
func (s *Session) QueuePrompt(text string, target message.Target, blocks ...message.Block) (message.Prompt, *Run, error) {
	if err := checkPrompt(target); err != nil {
		return message.Prompt{}, nil, err
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.isOver() {
		return message.Prompt{}, nil, errOver
	}
	prompt := message.Prompt{
		ID: s.config.NewID(), Text: s.config.Redact(text), Target: target, Blocks: message.Content(blocks).Redact(s.config.Redact),
	}
	if run := s.addToRun(prompt); run != nil {
		s.saveQueue()
		run.Events.Publish(event.PromptQueued(event.PromptOf(prompt.WithoutData())))
		if target == message.TargetStep {
			s.config.Broker.Tell(run.ID)
		}
		return prompt, nil, nil
	}
	if err := s.waitForPrevious(); err != nil {
		return message.Prompt{}, nil, err
	}
	at := s.firstReady()
	if at < 0 {
		run, err := s.startRun(prompt.Text, "", prompt.Blocks)
		return prompt, run, err
	}
	run, err := s.beginAt(at)
	if err != nil {
		return message.Prompt{}, nil, err
	}
	s.setQueue(append(s.Waiting(), prompt))
	return prompt, run, nil
}

// addToRun has a prompt wait for the current run, which is returned; nil for none.
// Both in one, so that the end of the run comes before or after it.
func (s *Session) addToRun(prompt message.Prompt) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	run := s.activeRun()
	if run != nil {
		s.queue = append(slices.Clip(s.queue), prompt)
	}
	return run
}

func checkPrompt(target message.Target) error {
	if target == message.TargetStep || target == message.TargetRun {
		return nil
	}
	return &message.Refusal{Code: message.InvalidParams, Message: fmt.Sprintf("the target %q is none of step, run", target)}
}

// Waiting lists the prompts that wait, in order.
func (s *Session) Waiting() []message.Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.queue)
}

// ChangePrompt edits a prompt that waits. One that does not wait any more gives
// NOT_FOUND.
func (s *Session) ChangePrompt(id, text string, target message.Target) error {
	if err := checkPrompt(target); err != nil {
		return err
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	queue, at, err := s.findPrompt(id)
	if err != nil {
		return err
	}
	queue[at].Text, queue[at].Target = s.config.Redact(text), target
	s.setQueue(queue)
	s.publishInRun(event.PromptChanged(event.PromptOf(queue[at].WithoutData())))
	return nil
}

// RemovePrompt takes a prompt back. One that does not wait any more gives NOT_FOUND.
func (s *Session) RemovePrompt(id string) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	queue, at, err := s.findPrompt(id)
	if err != nil {
		return err
	}
	s.publishInRun(event.PromptRemoved(event.PromptOf(queue[at].WithoutData())))
	s.setQueue(slices.Delete(queue, at, at+1))
	return nil
}

// SendPrompt interrupts the current run and has the next one begin with a prompt that
// waits; NextPrompt begins it. Where no run is running it begins at once, and is returned.
func (s *Session) SendPrompt(id string) (*Run, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.isOver() {
		return nil, errOver
	}
	queue, at, err := s.findPrompt(id)
	if err != nil {
		return nil, err
	}
	prompt := queue[at]
	prompt.Target = message.TargetRun
	if run := s.putFirst(slices.Insert(slices.Delete(queue, at, at+1), 0, prompt)); run != nil {
		s.saveQueue()
		run.Events.Publish(event.PromptChanged(event.PromptOf(prompt.WithoutData())))
		run.interrupt("")
		return nil, nil
	}
	s.saveQueue()
	if err := s.waitForPrevious(); err != nil {
		return nil, err
	}
	return s.beginAt(0)
}

// putFirst sets what waits, of which the first is to be sent now, and returns the
// current run, which makes way for it; nil for none.
func (s *Session) putFirst(queue []message.Prompt) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = queue
	delete(s.held, queue[0].ID)
	run := s.activeRun()
	s.urgent = s.urgent || run != nil
	return run
}

// NextPrompt begins the next run with the prompt that waits longest; nil where none waits
// that is not left to the user, a run is running, or nothing is to begin any more.
func (s *Session) NextPrompt() (*Run, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.Running() {
		return nil, nil
	}
	return s.beginNext()
}

// beginNext is NextPrompt where no run is running. The caller has the turn.
func (s *Session) beginNext() (*Run, error) {
	if s.isOver() {
		return nil, nil
	}
	err := s.waitForPrevious() // the end of a run can leave what waits to the user
	at := s.firstReady()
	if at < 0 {
		return nil, nil //nolint:nilerr // no run was asked for
	}
	if err != nil {
		return nil, err
	}
	return s.beginAt(at)
}

// beginNoMore has no run begin any more. The caller has the turn.
func (s *Session) beginNoMore() {
	if !s.over {
		s.over = true
		s.begun.add(nil)
	}
}

// firstReady returns where the first prompt waits that is not left to the user; -1 for none.
func (s *Session) firstReady() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.IndexFunc(s.queue, func(p message.Prompt) bool { return !s.held[p.ID] })
}

// beginAt begins a run with a prompt that waits. The caller has the turn.
func (s *Session) beginAt(at int) (*Run, error) {
	queue := s.Waiting()
	run, err := s.startRun(queue[at].Text, "", queue[at].Blocks)
	if err == nil {
		s.setQueue(slices.Delete(queue, at, at+1))
	}
	return run, err
}

// holdQueue leaves what waits to the user. The caller holds mu.
func (s *Session) holdQueue() {
	for _, prompt := range s.queue {
		s.held[prompt.ID] = true
	}
}

// setQueue sets what waits, and saves it: it is what a user said. The caller has
// the turn.
func (s *Session) setQueue(queue []message.Prompt) {
	s.mu.Lock()
	s.queue = queue
	s.mu.Unlock()
	s.saveQueue()
}

// saveQueue saves what waits. The caller has the turn.
func (s *Session) saveQueue() {
	if !s.isKept() {
		return
	}
	if err := s.config.Store.SetQueue(context.Background(), s.ID, s.Waiting()); err != nil {
		s.config.Log.Warn("keep what waits", "session", s.ID, "error", err)
	}
}

// Running reports whether a run has begun and has not ended.
func (s *Session) Running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.activeRun() != nil
}

// isOver reports whether no run is begun any more. The caller has the turn.
func (s *Session) isOver() bool { return s.over || s.isStopped() }

// isStopped reports whether nothing is to begin any more.
func (s *Session) isStopped() bool {
	select {
	case <-s.stopped:
		return true
	default:
		return false
	}
}

// activeRun is the run that has begun and has not ended; nil for none. The caller holds mu.
func (s *Session) activeRun() *Run {
	if s.current == nil || s.current.Events.Ended() {
		return nil
	}
	return s.current
}

// goesOn reports whether the queue goes on by itself after the last run. After every
// kind of stop the user decides what to send: a cancel, an interrupt, a rejection that
// ends the run, the end of a run that a guard has paused. After a failure the next run
// would most likely fail as well. Only what is to begin at once does. The caller
// holds mu.
func (s *Session) goesOn() bool {
	switch s.last.reason {
	case message.ReasonCancelled, message.ReasonRejected:
		return false
	case message.ReasonError, message.ReasonFiltered, message.ReasonContextOverflow,
		message.ReasonInterrupted, message.ReasonDoomLoop, message.ReasonBudget:
		return s.urgent
	}
	return true
}

// findPrompt finds a prompt in what waits, of which it returns a copy.
func (s *Session) findPrompt(id string) (queue []message.Prompt, at int, err error) {
	queue = s.Waiting()
	at = slices.IndexFunc(queue, func(p message.Prompt) bool { return p.ID == id })
	if at < 0 {
		return nil, 0, &message.Refusal{
			Code: message.NotFound, Message: fmt.Sprintf("no prompt %q waits: it was given to the model or taken back already", id),
		}
	}
	return queue, at, nil
}

// publishInRun publishes in the current run, if there is one.
func (s *Session) publishInRun(data event.Data) {
	s.mu.Lock()
	current := s.current
	s.mu.Unlock()
	if current != nil {
		current.Events.Publish(data)
	}
}

// takeJoining takes the prompts that wait for the next step of the current run.
func (s *Session) takeJoining() []message.Prompt {
	s.turn.Lock()
	defer s.turn.Unlock()
	var joining []message.Prompt
	s.mu.Lock()
	left := slices.DeleteFunc(slices.Clone(s.queue), func(p message.Prompt) bool {
		joins := p.Target == message.TargetStep && !s.held[p.ID]
		if joins {
			joining = append(joining, p)
		}
		return joins
	})
	s.mu.Unlock()
	if len(joining) > 0 {
		s.setQueue(left)
	}
	return joining
}

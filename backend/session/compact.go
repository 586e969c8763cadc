package session

import (
	"slices"

	"fairlead/backend/agent"
	"fairlead/backend/message"
)

// Compact begins a run that has the model sum up what was said so far, and returns at once. The
// runs that follow are shown that in its place; the user keeps seeing everything. Where another
// run is running it is refused with BUSY, and where too little was said since the last summary
// with NOTHING_TO_COMPACT (SPEC UI-16).
func (s *Session) Compact() (*Run, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.waitForPrevious(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	history := s.history
	s.mu.Unlock()
	if !s.parts.CanCompact(history) {
		return nil, &message.Refusal{
			Code: message.NothingToCompact, Message: "too little was said in this conversation since it began or was last summed up",
		}
	}
	ctx, run := s.newRun()
	run.compacts = true
	input, err := s.newInput(ctx, run, "")
	if err == nil {
		err = s.manager.addRun(run)
	}
	if err != nil {
		run.stop(nil)
		return nil, err
	}
	told := slices.DeleteFunc(slices.Clone(input.Notices), func(n message.Notice) bool { return n.Code == message.NoticeToolsMissing })
	s.beginWork(run, func() {
		s.runToEnd(ctx, run, func() agent.Result {
			result := agent.Compact(ctx, input)
			if result.Reason != message.ReasonCompleted {
				s.tellAgain(told)
			}
			return result
		})
	})
	return run, nil
}

// tellAgain has the next run tell of what the model was not told after all.
func (s *Session) tellAgain(notices []message.Notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saved.Notices = append(slices.Clone(notices), s.saved.Notices...)
}

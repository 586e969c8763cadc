package session

import (
	"context"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// Step is what one call of the model took, and until the calls of tools were done that came of it.
type Step struct {
	// Task counts the tasks of the conversation from 1, and Step the steps of the task; it is 0
	// where the user had the conversation summed up between two tasks.
	Task, Step int
	// Summary says that older messages were summed up.
	Summary bool
	// Model is what was asked.
	Model string
	Usage message.Usage
	// Estimated says that the provider did not say what the call took.
	Estimated  bool
	DurationMs int64
}

// Spent is what the model calls of a conversation took.
type Spent struct {
	Steps []Step
	// Used is how many tokens the conversation took when that was last counted, with the reply;
	// 0 where it was not. Cached of them the provider had in its cache, and Estimated says that it
	// did not say how many these are.
	Used, Cached int
	Estimated    bool
	// Window is how many tokens the model took at once that was asked last, and Model its name; 0
	// where nobody knows.
	Window int
	Model  string

	task, step int
	compacts   bool
	began      int64
}

// add takes the next event.
func (s *Spent) add(e event.Event) {
	switch d := e.Data.(type) {
	case event.LifecycleStart:
		if s.compacts = d.Compacts; !d.Compacts {
			s.task++
		}
		if s.Model != d.Model {
			s.Model, s.Window = d.Model, 0
		}
		s.step, s.began = 0, e.TS
	case event.StepStarted:
		s.step, s.began = d.Step, e.TS
	case event.UsageData:
		s.Steps = append(s.Steps, Step{
			Task: s.task, Step: s.step, Summary: s.compacts, Model: s.Model, Usage: d.Call, Estimated: d.Estimated, DurationMs: e.TS - s.began,
		})
		s.began = e.TS
		if d.Window > 0 {
			s.Window = d.Window
		}
		if !s.compacts {
			s.Used, s.Cached, s.Estimated = d.Call.Prompt+d.Call.Completion, d.Call.Cached, d.Estimated
		}
	case event.StepCompleted:
		if last := len(s.Steps) - 1; last >= 0 && s.Steps[last].Step == d.Step {
			s.Steps[last].DurationMs += e.TS - s.began
		}
		s.began = e.TS
	case event.ContextCompacted:
		s.Used, s.Cached, s.Estimated = d.After, 0, true
		if last := len(s.Steps) - 1; last >= 0 && d.Mode == event.Compact {
			s.Steps[last].Summary = true
		}
	}
}

// Spent reads what the model calls of a saved conversation took.
func (m *Manager) Spent(ctx context.Context, id string) (spent Spent, err error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return spent, err
	}
	runs, err := s.Runs(ctx, id)
	for _, run := range runs {
		events, err := s.StepEvents(ctx, run)
		if err != nil {
			return spent, err
		}
		for _, e := range events {
			spent.add(e)
		}
	}
	return spent, err
}

// Spent is Manager.Spent for a conversation that is not saved.
func (d *Driver) Spent(ctx context.Context) (spent Spent, err error) {
	for _, run := range d.KeptRuns() {
		events, err := run.Events.Since(ctx, 0)
		if err != nil {
			return spent, err
		}
		for _, e := range events {
			spent.add(e)
		}
	}
	return spent, nil
}

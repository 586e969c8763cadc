package desktop

import (
	"cmp"
	"context"
	"net/http"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// stepsShown is how many steps are listed at most, the last ones.
const stepsShown = 200

// Context is what fills the window of the model with a conversation, and what its steps took.
type Context struct {
	// Window is how many tokens the model takes at once; 0 where nobody knows.
	Window int `json:"window"`
	// Used is how many of them the conversation took when that was last counted, 0 where it was
	// not; the provider had Cached of them in its cache, and Estimated says that it did not say how
	// many there are.
	Used      int  `json:"used"`
	Cached    int  `json:"cached"`
	Estimated bool `json:"estimated"`
	// Parts estimate what takes them.
	Parts []session.Share `json:"parts"`
	// Steps are the last ones, in order, Earlier counts those before them, and Total is what all
	// took; null where there is none.
	Steps   []ContextStep `json:"steps"`
	Earlier int           `json:"earlier"`
	Total   *StepCost     `json:"total"`
}

// StepCost is what one model call or more took.
type StepCost struct {
	Usage message.Usage `json:"usage"`
	// Cost is in US dollars; null where the price is not known, or nothing is paid.
	Cost *float64 `json:"cost"`
	// DurationMs is the time until the calls of tools were done.
	DurationMs int64 `json:"durationMs"`
	// Estimated says that the provider did not say how many tokens there were.
	Estimated bool `json:"estimated"`
}

// ContextStep is a model call with what came of it.
type ContextStep struct {
	// Task counts the tasks of the conversation from 1, and Step the steps of the task.
	Task int `json:"task"`
	Step int `json:"step"`
	// Summary says that older messages were summed up.
	Summary bool `json:"summary"`
	StepCost
}

// readContext reads what fills the window with a conversation; an empty id is the one that begins next.
func (w *Window) readContext(request *http.Request) (any, error) {
	ctx, id := request.Context(), request.URL.Query().Get("session")
	var spent session.Spent
	var err error
	c := w.conversations.find(id)
	switch {
	case id == "":
	case c != nil && !c.saved:
		spent, err = c.Spent(ctx)
	default:
		spent, err = w.backend.Sessions.Spent(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	model := cmp.Or(w.describeModel(), &Model{})
	view := Context{Used: spent.Used, Cached: spent.Cached, Estimated: spent.Estimated, Window: model.Window}
	if view.Window == 0 && spent.Model == model.Model {
		view.Window = spent.Window
	}
	offer, err := w.offerOf(ctx, id, &view)
	if err != nil {
		return nil, err
	}
	if c != nil && !c.saved {
		view.Parts, err = c.Contents(offer)
	} else {
		view.Parts, err = w.backend.Sessions.Contents(ctx, id, offer)
	}
	view.addSteps(spent.Steps, model)
	return view, err
}

// offerOf is what stands before the messages of a conversation. A window that the user has set is the
// one that counts.
func (w *Window) offerOf(ctx context.Context, id string, view *Context) (session.Offer, error) {
	task, err := w.newTask(catalog.Endpoint{}, nil)
	if err != nil {
		return session.Offer{}, err
	}
	if task.Limits.ContextWindow > 0 {
		view.Window = task.Limits.ContextWindow
	}
	if task.GroupsOff, err = w.groupsOff(ctx, id); err != nil {
		return session.Offer{}, err
	}
	return w.backend.OfferOf(ctx, w.folder.currentView().folder, task, view.Window)
}

// addSteps adds the steps, those of the model that is chosen with what they cost.
func (v *Context) addSteps(steps []session.Step, model *Model) {
	v.Steps = []ContextStep{}
	total := StepCost{Cost: new(float64)}
	for i, step := range steps {
		one := StepCost{Usage: step.Usage, DurationMs: step.DurationMs, Estimated: step.Estimated}
		if cost := model.Price.Cost(step.Usage); model.Priced && model.Model == step.Model && cost > 0 {
			one.Cost = &cost
		}
		total.add(one)
		if i >= len(steps)-stepsShown {
			v.Steps = append(v.Steps, ContextStep{Task: step.Task, Step: step.Step, Summary: step.Summary, StepCost: one})
		}
	}
	v.Earlier = len(steps) - len(v.Steps)
	if len(steps) > 0 {
		v.Total = &total
	}
}

// add adds what one step took. The sum costs nothing that is known where one step does.
func (c *StepCost) add(one StepCost) {
	c.Usage, c.DurationMs, c.Estimated = c.Usage.Add(one.Usage), c.DurationMs+one.DurationMs, c.Estimated || one.Estimated
	if c.Cost == nil || one.Cost == nil {
		c.Cost = nil
		return
	}
	sum := *c.Cost + *one.Cost
	c.Cost = &sum
}

// Compact begins to sum up what was said in a conversation, which its next tasks are shown in its place.
func (s *Sessions) Compact(id string) (Started, error) {
	return Guard(s.window, func() (Started, error) {
		w := s.window
		if id == "" {
			return Started{}, &message.Refusal{Code: message.NothingToCompact, Message: "nothing was said yet that could be summed up"}
		}
		var started Started
		err := w.withConversation(id, func() error { return w.checkTask(id) }, func(c *conversation) error {
			run, err := c.Compact()
			if err == nil {
				started = Started{RunID: run.ID, SessionID: c.ID}
			}
			return err
		})
		return started, err
	})
}

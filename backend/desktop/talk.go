package desktop

import (
	"fmt"
	"runtime/debug"
	"strings"

	"fairlead/backend"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// Task is what the page asks for.
type Task struct {
	// Prompt is the task in words.
	Prompt string `json:"prompt"`
}

// Started names the run that began.
type Started struct {
	RunID     string `json:"runId"`
	SessionID string `json:"sessionId"`
}

// talk is the conversation that the window shows, with its runs in order.
type talk struct {
	conversation *backend.Conversation
	runs         []*session.Run
}

// busy says whether a run is at work.
func (t *talk) busy() bool {
	return len(t.runs) > 0 && !t.runs[len(t.runs)-1].Events.Ended()
}

// Run begins to work on a task.
func (w *Window) Run(task Task) (Started, error) {
	prompt := strings.ToValidUTF8(task.Prompt, "\uFFFD")
	if strings.TrimSpace(prompt) == "" {
		return Started{}, &Fault{Code: CodeUsage, Message: "there is no task", Hint: "say what to do"}
	}
	w.turn.Lock()
	defer w.turn.Unlock()
	if w.place == nil {
		return Started{}, &Fault{Code: CodeNoFolder, Message: "no folder is chosen to work on", Hint: "choose one"}
	}
	if w.talk == nil {
		if err := w.begin(); err != nil {
			return Started{}, err
		}
	}
	run, err := w.talk.conversation.Run(prompt)
	if err != nil {
		return Started{}, err
	}
	w.mu.Lock()
	w.talk.runs = append(w.talk.runs, run)
	w.mu.Unlock()
	w.alive.Go(func() {
		w.emitter.follow(w.ctx, run.Events)
		// The window stays open for days; what a long run took is not needed any more.
		debug.FreeOSMemory()
	})
	return Started{RunID: run.ID, SessionID: w.talk.conversation.ID}, nil
}

// begin opens a conversation in the open workspace. The caller has the turn.
func (w *Window) begin() error {
	w.mu.Lock()
	endpoint, err := w.endpoint()
	mode := w.approve
	w.mu.Unlock()
	if err != nil {
		return err
	}
	limits, err := w.file.Limits()
	if err != nil {
		return fmt.Errorf("read limits: %w", err)
	}
	conversation, err := w.backend.Begin(w.ctx, backend.Task{
		Folder: w.place.folder.Path(), Endpoint: endpoint, Mode: session.React,
		Limits: session.Limits{
			MaxSteps: limits.MaxSteps, Run: limits.Run, Silence: limits.Step, Attempts: limits.Attempts,
			Parallel: limits.Parallel, StopOnToolError: limits.StopOnToolError,
		},
		ToolTimeout: limits.Tool, Approve: mode, Asker: w.asker, ConfirmTimeout: limits.Confirm,
	})
	if err != nil {
		return err
	}
	w.mu.Lock()
	w.talk = &talk{conversation: conversation}
	w.mu.Unlock()
	return nil
}

// idle refuses while a run is at work, because what it works with would change
// under it, and once the window closes, because nothing opened then would be
// closed. The caller has the turn.
func (w *Window) idle() error {
	if w.ctx.Err() != nil {
		return &message.Refusal{Code: message.InvalidState, Message: "Fairlead is closing"}
	}
	if w.talk == nil || !w.talk.busy() {
		return nil
	}
	return &message.Refusal{Code: message.Busy, Message: "a task is at work; stop it or wait for its end first"}
}

// checkIdle is idle for who goes on without the turn, and asks again later.
func (w *Window) checkIdle() error {
	w.turn.Lock()
	defer w.turn.Unlock()
	return w.idle()
}

// closeTalk ends the conversation, which must be idle. The caller has the turn.
func (w *Window) closeTalk() error {
	if w.talk == nil {
		return nil
	}
	w.mu.Lock()
	ended := w.talk
	w.talk = nil
	w.mu.Unlock()
	for _, run := range ended.runs {
		run.Wait()
	}
	if err := ended.conversation.Close(); err != nil {
		return fmt.Errorf("close the conversation: %w", err)
	}
	return nil
}

// Cancel ends a run.
func (w *Window) Cancel(runID string) (session.Cancelled, error) {
	return w.backend.Sessions.Cancel(runID)
}

// run finds a run of the conversation.
func (w *Window) run(id string) (*session.Run, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.talk != nil {
		for _, run := range w.talk.runs {
			if run.ID == id {
				return run, nil
			}
		}
	}
	return nil, &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("there is no run %q", id)}
}

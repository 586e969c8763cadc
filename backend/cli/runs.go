package cli

import (
	"context"
	"iter"
	"slices"

	"fairlead/backend/message"
	"fairlead/backend/session"
)

// runs are the runs of this process: that of the task, and one for each prompt that waits
// in the conversation when the run before it has ended.
type runs struct {
	*session.Driver
	// all are these runs in order.
	all iter.Seq[*session.Run]
	// earlier counts the prompts that a run before left to the user.
	earlier int
}

func newRuns(driver *session.Driver) *runs {
	return &runs{Driver: driver, all: driver.FollowRuns(context.Background()), earlier: len(driver.Waiting())}
}

// countLeft counts the prompts of this process that were not run.
func (r *runs) countLeft() int { return len(r.Waiting()) - r.earlier }

// exitCode is that of the last run, or of a cancel that came between two. No run begins any
// more.
func (r *runs) exitCode() int {
	all := slices.Collect(r.all)
	code := exitCode(all[len(all)-1])
	if code != exitOK || r.countLeft() == 0 {
		return code
	}
	select {
	case <-r.Cancelled():
		return exitCancelled
	default:
		return code
	}
}

// queuePrompt gives the conversation a prompt beside the run that is running.
func (r *runs) queuePrompt(text string, target message.Target) error {
	_, _, err := r.QueuePrompt(text, target)
	return err
}

// interruptRun has the run stop before its next model call, with reply as its own. Without
// one it makes way for a prompt that waits, which begins the next run.
func (r *runs) interruptRun(reply string) error {
	if waiting := r.Waiting(); reply == "" && len(waiting) > r.earlier {
		_, err := r.SendPrompt(waiting[r.earlier].ID)
		return err
	}
	return r.InterruptRun(reply)
}

package cli

import (
	"fairlead/backend/event"
	"fairlead/backend/message"
)

// writeDecision says what was decided about a call, where the user did not decide it.
func (t *text) writeDecision(d event.ConfirmResult) {
	switch {
	case d.By == message.ByTour:
		t.writeNote("  %s by the guided tour", pastTense(d.Decision))
	case d.By == message.ByTimeout:
		t.writeNote("  not answered in time: not run")
	case d.By == message.ByMode && d.Decision == message.Reject:
		t.writeNote("  refused: %s", d.Reason)
	}
}

// writeGuardDecision says what was decided about a run that a guard had paused, where the user
// did not decide it here.
func (t *text) writeGuardDecision(d event.GuardResult) {
	switch {
	case d.By == message.ByTimeout:
		t.writeNote("  not answered in time: the run stops")
	case d.By == message.ByMode:
		t.writeNote("  nobody can be asked: the run stops")
	case d.By == message.ByUser && d.GuardID == t.noted && d.Decision == message.GuardContinue:
		t.writeNote("  the run goes on")
	case d.By == message.ByUser && d.GuardID == t.noted:
		t.writeNote("  the run stops")
	}
}

func pastTense(v message.Verdict) string {
	if v == message.Approve {
		return "approved"
	}
	return "refused"
}

package cli

import (
	"fairlead/backend/event"
	"fairlead/backend/message"
)

// decided says what was decided about a call, where the user did not decide it.
func (t *text) decided(d event.ConfirmResult) {
	switch {
	case d.By == message.ByTour:
		t.note("  %s by the guided tour", past(d.Decision))
	case d.By == message.ByTimeout:
		t.note("  not answered in time: not run")
	case d.By == message.ByMode && d.Decision == message.Reject:
		t.note("  refused: %s", d.Reason)
	}
}

// guarded says what was decided about a run that a guard had paused, where the user
// did not decide it here.
func (t *text) guarded(d event.GuardResult) {
	switch {
	case d.By == message.ByTimeout:
		t.note("  not answered in time: the run stops")
	case d.By == message.ByMode:
		t.note("  nobody can be asked: the run stops")
	case d.By == message.ByUser && d.GuardID == t.noted && d.Decision == message.GuardContinue:
		t.note("  the run goes on")
	case d.By == message.ByUser && d.GuardID == t.noted:
		t.note("  the run stops")
	}
}

func past(v message.Verdict) string {
	if v == message.Approve {
		return "approved"
	}
	return "refused"
}

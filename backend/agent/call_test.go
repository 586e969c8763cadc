package agent

import (
	"context"
	"errors"
	"testing"
)

// TestCAN01_NothingBeginsBetweenTheTwoContextsOfACancel has one of them ended, the first or the second.
func TestCAN01_NothingBeginsBetweenTheTwoContextsOfACancel(t *testing.T) {
	why := errors.New("cancelled by the user")
	ended, end := context.WithCancelCause(t.Context())
	end(why)
	slots := make(chan struct{}, 1)
	for _, test := range []struct{ pausing, ctx context.Context }{{ended, t.Context()}, {t.Context(), ended}} {
		w := worker{pendingCall: &pendingCall{order: order{slots: slots}}, pausing: test.pausing}
		if over := w.takeSlot(test.ctx); over == nil || !errors.Is(context.Cause(over), why) {
			t.Errorf("it begins, or ends with %v", over)
		}
		if len(slots) != 0 {
			t.Error("what does not begin holds a slot")
		}
	}
	w := worker{pendingCall: &pendingCall{order: order{slots: slots}}, pausing: t.Context()}
	if over := w.takeSlot(t.Context()); over != nil || len(slots) != 1 {
		t.Errorf("without a cancel it ends with %v, with %d slots held", over, len(slots))
	}
}

package event_test

import (
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/message"

	"github.com/google/go-cmp/cmp"
)

func TestEV01_AQuestionAboutChangesIsSummedUp(t *testing.T) {
	held := func(code message.HeldCode) *message.Held { return &message.Held{Code: code} }
	request := event.ConfirmRequest{CallID: "c1", ExpiresAt: 7, Preview: message.Preview{
		SetID: "s", Added: 3, Removed: 2, More: 1,
		Changes: []message.PendingChange{
			{Path: "a", Kind: "modified"},
			{Path: "b", Kind: "deleted", Held: held(message.HeldDeletions)},
			{Path: "c", Kind: "modified", Held: held(message.HeldMeanwhile)},
			{Path: "d", Kind: "modified", Held: held(message.HeldOpen)},
		},
	}}
	want := event.ChangesRequest{
		SetID: "s", CallID: "c1", Held: 3, Conflicts: 2, ExpiresAt: 7,
		Counts: event.ChangeCounts{Paths: 5, Deleted: 1, Added: 3, Removed: 2},
	}
	if diff := cmp.Diff(want, event.ChangesAsked(request)); diff != "" {
		t.Error(diff)
	}
}

func TestEV01_ADecisionAboutChangesIsTold(t *testing.T) {
	long := make([]string, event.MostPaths+1)
	for name, test := range map[string]struct {
		decision message.Decision
		want     event.ChangesResult
	}{
		"all":   {message.Decision{Verdict: message.Approve, By: message.ByUser}, event.ChangesResult{Decision: event.ApplyChanges}},
		"paths": {message.Decision{Verdict: message.Approve, By: message.ByUser, Chosen: message.Chosen{Paths: []string{"a"}}}, event.ChangesResult{Decision: event.ApplySome, Paths: []string{"a"}}},
		"parts": {
			message.Decision{Verdict: message.Approve, By: message.ByUser, Chosen: message.Chosen{WithoutHunks: map[string][]string{"a": {"@@"}}}},
			event.ChangesResult{Decision: event.ApplySome},
		},
		"many":      {message.Decision{Verdict: message.Approve, By: message.ByUser, Chosen: message.Chosen{Paths: long}}, event.ChangesResult{Decision: event.ApplySome, Paths: long[1:]}},
		"none":      {message.Decision{Verdict: message.Reject, By: message.ByUser}, event.ChangesResult{Decision: event.DropChanges}},
		"by mode":   {message.Decision{Verdict: message.Reject, By: message.ByMode}, event.ChangesResult{Decision: event.DropChanges}},
		"no answer": {message.Decision{Verdict: message.Reject, By: message.ByTimeout}, event.ChangesResult{Decision: event.AsideChanges}},
		"cancelled": {message.Decision{Verdict: message.Reject, By: message.ByCancel}, event.ChangesResult{Decision: event.AsideChanges}},
	} {
		test.want.SetID, test.want.CallID, test.want.By = "s", "c1", test.decision.By
		if diff := cmp.Diff(test.want, event.ChangesDecided("c1", message.Preview{SetID: "s"}, test.decision)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

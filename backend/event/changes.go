package event

import "fairlead/backend/message"

// MostPaths is how many paths a ChangesResult names at most.
const MostPaths = 100

// ChangesAsked returns the event that comes before a question about changes.
func ChangesAsked(request ConfirmRequest) ChangesRequest {
	e := ChangesRequest{
		SetID: request.Preview.SetID, CallID: request.CallID, ExpiresAt: request.ExpiresAt,
		Counts: ChangeCounts{Paths: len(request.Preview.Changes) + request.Preview.More, Added: request.Preview.Added, Removed: request.Preview.Removed},
	}
	for _, c := range request.Preview.Changes {
		if c.Kind == "deleted" {
			e.Counts.Deleted++
		}
		if c.Held == nil {
			continue
		}
		e.Held++
		if c.Held.Code == message.HeldMeanwhile || c.Held.Code == message.HeldMerged || c.Held.Code == message.HeldOpen {
			e.Conflicts++
		}
	}
	return e
}

// ChangesDecided returns the event that follows a decision about changes.
func ChangesDecided(callID string, preview message.Preview, decision message.Decision) ChangesResult {
	e := ChangesResult{SetID: preview.SetID, CallID: callID, By: decision.By}
	switch chosen := decision.Chosen; {
	case decision.By == message.ByTimeout || decision.By == message.ByCancel:
		e.Decision = AsideChanges
	case decision.Verdict != message.Approve:
		e.Decision = DropChanges
	case chosen.Paths != nil || len(chosen.WithoutHunks) > 0:
		e.Decision, e.Paths = ApplySome, chosen.Paths[:min(len(chosen.Paths), MostPaths)]
	default:
		e.Decision = ApplyChanges
	}
	return e
}

package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// ApplyAside applies changes of a command that were set aside, those at paths or, for nil, all,
// and has the next run of the conversation tell the model. The events say what was done; there
// are none for nothing.
func (c *Changes) ApplyAside(ctx context.Context, id string, paths []string) ([]event.Data, error) {
	aside, err := c.findAside(ctx, id)
	if err != nil {
		return nil, err
	}
	set, err := c.Recorder.ApplyAside(ctx, aside, func(i int) bool {
		return paths == nil || slices.Contains(paths, workspace.Shown(string(aside.Changes[i].Path)))
	})
	if set == nil {
		return nil, err
	}
	changed := workspace.ChangesOf(set)
	decided := event.ChangesResult{SetID: id, CallID: set.CallID, Decision: event.ApplyChanges, By: message.ByUser}
	if paths != nil {
		decided.Decision, decided.Paths = event.ApplySome, paths[:min(len(paths), event.MostPaths)]
	}
	done := event.JournalRedone{SetID: set.ID, RunID: set.RunID, CallID: set.CallID, Paths: changed}
	return []event.Data{decided, done}, errors.Join(err, c.tellOf(ctx, message.NoticeApplied, changed))
}

// DropAside deletes changes of a command that were set aside. The event says so.
func (c *Changes) DropAside(ctx context.Context, id string) (event.Data, error) {
	aside, err := c.findAside(ctx, id)
	if err != nil {
		return nil, err
	}
	var gone []message.Change
	for _, one := range aside.Changes {
		gone = append(gone, workspace.ChangeOf(one))
	}
	decided := event.ChangesResult{SetID: id, CallID: aside.CallID, Decision: event.DropChanges, By: message.ByUser}
	return decided, errors.Join(c.RemoveLayer(aside.Layer), c.tellOf(ctx, message.NoticeDropped, gone))
}

func (c *Changes) tellOf(ctx context.Context, code message.NoticeCode, changed []message.Change) error {
	var paths []string
	for _, one := range changed {
		paths = append(paths, one.Path)
	}
	return c.tell(ctx, noticeOf(code, paths, 0))
}

// findAside returns what is set aside under an id. The caller closes its layer.
func (c *Changes) findAside(ctx context.Context, id string) (change.Aside, error) {
	all, err := c.Aside(ctx)
	found := change.Aside{}
	for _, a := range all {
		if a.ID == id {
			found = a
		} else {
			err = errors.Join(err, a.Layer.Close())
		}
	}
	if err == nil && found.Pending == nil {
		err = &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("nothing is set aside under %q: it was applied or dropped already", id)}
	}
	return found, err
}

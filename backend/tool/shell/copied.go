package shell

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

// copied is what a command has changed in a copy of the folder and is not applied yet.
type copied struct {
	*commands
	call    string
	pending *change.Pending
	// held says of changes, by their index, why they are held.
	held map[int]message.Held
	// restApplied is set once what is not held was applied.
	restApplied bool
}

// discard lets go of the copy of a command that was not run, maybe because there could be no
// copy.
func (c *commands) discard(l *look, why error) {
	if l.layer != nil {
		_ = c.Changes.RemoveLayer(l.layer) // nothing was written to it
		if c.CopyFailed != nil {
			c.CopyFailed(why)
		}
	}
}

// settleCopy returns the outcome of a command: where it worked on a copy of the folder, with
// what it has changed there. whole reports whether the command ended by itself.
func (c *commands) settleCopy(ctx context.Context, call string, progress func(string), after *look, result message.Result, whole bool) tool.Outcome {
	if after.layer == nil {
		return tool.Outcome{Result: result}
	}
	ctx = context.WithoutCancel(ctx) // what it has changed counts, whatever became of it
	pending, err := c.Changes.ReadLayer(ctx, after.layer)
	if err != nil {
		return tool.Outcome{Result: addFault(result, "read what the command changed in its copy of the folder, which is set aside", errors.Join(err, c.Changes.SetAside(after.layer)))}
	}
	// Where nobody was asked about the command, what git notes for itself is no reason to ask.
	if len(pending.Changes) == 0 || c.showsFirst() && c.Changes.OnlyRefreshes(pending) {
		result.Data.Changes = message.ChangesNone
		if err := c.Changes.RemoveLayer(after.layer); err != nil {
			result = addFault(result, "delete the copy of the folder", err)
		}
		return tool.Outcome{Result: result}
	}
	held, err := c.Folder.Held(ctx, pending)
	if err != nil {
		return tool.Outcome{Result: addFault(result, "look at what the command changed in its copy of the folder, which is set aside", errors.Join(err, c.Changes.SetAside(after.layer)))}
	}
	pending.Progress = func(percent int) { progress(fmt.Sprintf("(applying what it changed: %d %%)\n", percent)) }
	p := &copied{commands: c, call: call, pending: pending, held: held}
	every := func(int) bool { return true }
	changes := &tool.Changes{
		Preview: p.preview(every), Apply: p.apply, Drop: p.drop, SetAside: p.setAside,
	}
	if changes.Held = changes.Preview; whole && len(held) < len(pending.Changes) {
		changes.Held, changes.ApplyRest = p.preview(p.isHeld), p.applyRest
	}
	return tool.Outcome{Result: result, Changes: changes}
}

// addFault adds to a result what went wrong after the command.
func addFault(result message.Result, what string, err error) message.Result {
	result.Content = result.Content.After("(could not " + what + ": " + err.Error() + ")")
	return result
}

func (p *copied) isHeld(index int) bool {
	_, held := p.held[index]
	return held
}

// preview shows changes.
func (p *copied) preview(shown func(int) bool) message.Preview {
	preview := message.Preview{
		Effect: message.EffectFiles, Folder: p.Folder.Path(), Fingerprint: p.pending.Fingerprint(), Undo: &message.Undo{Quality: message.UndoExact},
		SetID: p.pending.ID(),
	}
	preview.Changes, preview.Added, preview.Removed = workspace.ShowPending(p.Changes, p.pending, p.held, shown)
	return preview
}

// applyRest applies what is not held.
func (p *copied) applyRest(ctx context.Context) message.Result {
	result := p.applyChosen(ctx, func(i int) bool { return !p.isHeld(i) })
	if p.restApplied = true; len(p.held) == 0 {
		result = p.removeLayer(result)
	}
	return result
}

// apply applies what the user has chosen, and lets go of the copy.
func (p *copied) apply(ctx context.Context, c message.Chosen) message.Result {
	wanted := map[int]bool{}
	var parts []string
	for i, change := range p.pending.Changes {
		path := workspace.Shown(string(change.Path))
		if !p.isLeft(i) || c.Paths != nil && !slices.Contains(c.Paths, path) {
			continue
		}
		wanted[i] = true
		if without := c.WithoutHunks[path]; len(without) > 0 {
			left, err := p.Changes.LeaveOut(p.pending, i, without)
			if wanted[i] = left && err == nil; wanted[i] {
				parts = append(parts, message.Inline(path)+" "+strings.Join(without, ", "))
			}
		}
	}
	chosen := func(i int) bool { return wanted[i] }
	result := p.applyChosen(ctx, chosen)
	if len(parts) > 0 {
		result.Content = result.Content.After("(the user left these parts out, where the lines are as they were before: " + strings.Join(parts, "; ") + ")")
	}
	result = p.addUnapplied(result, "not applied", func(i int) bool { return p.isLeft(i) && !chosen(i) })
	return p.removeLayer(result)
}

// isLeft reports whether a change is still to be decided about.
func (p *copied) isLeft(index int) bool { return !p.restApplied || p.isHeld(index) }

func (p *copied) applyChosen(ctx context.Context, chosen func(int) bool) message.Result {
	wanted := 0
	for i := range p.pending.Changes {
		if chosen(i) {
			wanted++
		}
	}
	set, err := p.Changes.ApplyLayer(ctx, p.call, p.pending, chosen)
	result := message.Result{}
	made := 0
	if set != nil {
		made = len(set.Changes)
		result.Changes = workspace.ChangesOf(set)
		result.Content = message.Text(DescribeChanges(result.Changes, false))
		result.Changes = result.Changes[:min(len(result.Changes), listedChanges)]
	}
	switch {
	case err != nil:
		result.Error = &message.ToolError{Code: message.ExecutionError, Message: "apply what the command changed: " + err.Error()}
	case made < wanted:
		result.Content = result.Content.After(fmt.Sprintf("(%d of %d changes were not applied: somebody else has changed the same paths)", wanted-made, wanted))
	}
	return result
}

// addUnapplied tells the model what was not applied.
func (p *copied) addUnapplied(result message.Result, how string, which func(int) bool) message.Result {
	var left []message.Change
	for i, c := range p.pending.Changes {
		if which(i) {
			left = append(left, workspace.ChangeOf(c))
		}
	}
	if len(left) > 0 {
		result.Content = result.Content.After("(" + how + ": " + nameChanges(left) + ")")
	}
	return result
}

// removeLayer lets go of the copy.
func (p *copied) removeLayer(result message.Result) message.Result {
	if err := p.Changes.RemoveLayer(p.pending.Layer); err != nil {
		return addFault(result, "delete the copy of the folder", err)
	}
	return result
}

// drop lets go of the copy, with what is left in it.
func (p *copied) drop(context.Context) message.Result {
	return p.removeLayer(p.addUnapplied(message.Result{}, "dropped", p.isLeft))
}

// setAside keeps the copy, with what is left in it.
func (p *copied) setAside(context.Context) message.Result {
	result := p.addUnapplied(message.Result{}, "set aside, for the user to apply or drop", p.isLeft)
	if err := p.Changes.SetAside(p.pending.Layer); err != nil {
		result = addFault(result, "close the copy of the folder", err)
	}
	return result
}

// setLayerAside keeps what a command has changed in its copy that went on in the background,
// and says so to the model; nothing where it has changed nothing.
func (c *commands) setLayerAside(ctx context.Context, layer *change.Layer) string {
	pending, err := c.Changes.ReadLayer(ctx, layer)
	if err != nil {
		return "(what this command changed in its copy of the folder could not be read: " + err.Error() + ")"
	}
	p := &copied{commands: c, pending: pending}
	var result message.Result
	if len(pending.Changes) == 0 {
		result = p.removeLayer(result)
	} else {
		result = p.setAside(ctx)
	}
	return result.Content.Text()
}

package shell

import (
	"context"
	"fmt"
	"strings"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// listedChanges is how many changes a result has at most, and namedChanges how many of them
// the model is told in words.
const (
	listedChanges = 100
	namedChanges  = 20
)

// undo is how far what a command changes could be taken back.
func (c *commands) undo(ctx context.Context) *message.Undo {
	if c.Changes == nil {
		return nil
	}
	return UndoCompared(ctx, c.Changes)
}

// UndoCompared is how far changes of programs that work on the folder itself could be taken back.
func UndoCompared(ctx context.Context, changes *change.Recorder) *message.Undo {
	found, err := changes.Coverage(ctx)
	if err != nil || found.None != "" {
		return &message.Undo{Quality: message.UndoNone}
	}
	return workspace.UndoOf(message.UndoCompared, found.Lost)
}

// lookAtChanges looks at what has changed by the command, when it has ended.
func (l *look) lookAtChanges(ctx context.Context) {
	if l.layer != nil {
		l.keepLayer(ctx, &l.ended)
	}
	var set *change.Set
	var err error
	switch {
	case l.draft != nil:
		set, err = l.draft(context.WithoutCancel(ctx))
	case l.command != nil:
		set, err = l.command.End(ctx)
	default:
		return
	}
	l.looks.mu.Lock()
	defer l.looks.mu.Unlock()
	switch {
	case err != nil:
		l.noted = "(what this command changed could not be recorded: " + err.Error() + ")"
	case set != nil:
		l.changes = workspace.ChangesOf(set)
		l.noted = DescribeChanges(l.changes, len(set.Others) > 0)
	}
}

// keepLayer notes that the command has ended, or that nobody waits for it, and sets aside what it
// has changed in its copy once both hold.
func (l *look) keepLayer(ctx context.Context, fact *bool) {
	l.looks.mu.Lock()
	*fact = true
	both := l.behind && l.ended
	l.looks.mu.Unlock()
	if !both {
		return
	}
	noted := l.setAside(context.WithoutCancel(ctx))
	l.looks.mu.Lock()
	defer l.looks.mu.Unlock()
	l.noted = noted
}

// takeChanges returns what was seen to have changed, and that in words for the model; nothing
// after the first time.
func (l *look) takeChanges() ([]message.Change, string) {
	l.looks.mu.Lock()
	defer l.looks.mu.Unlock()
	changes, noted := l.changes, l.noted
	l.changes, l.noted = nil, ""
	return changes[:min(len(changes), listedChanges)], noted
}

// DescribeChanges tells the model in one line what has changed (SPEC CTX-04).
func DescribeChanges(changes []message.Change, others bool) string {
	when := "changed in the folder"
	if others {
		when = "changed in the folder while this and other commands ran"
	}
	return "(" + when + ": " + nameChanges(changes) + ")"
}

// nameChanges names changes, as many as the model is told by name.
func nameChanges(changes []message.Change) string {
	var names []string
	more := 0
	for _, c := range changes {
		switch {
		case c.To != "":
		case len(names) == namedChanges:
			more++
		case c.From != "":
			names = append(names, "moved "+message.Inline(c.From)+" to "+message.Inline(c.Path))
		default:
			names = append(names, c.Kind+" "+message.Inline(c.Path))
		}
	}
	text := strings.Join(names, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

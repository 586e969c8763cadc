// Package remember has the tool that notes something about the workspace for later
// conversations. The file lies outside the workspace, so it is asked about in a draft too,
// and is part of no change set.
package remember

import (
	"context"
	_ "embed" // the description
	"errors"
	"strings"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/memory"
	"fairlead/backend/message"
	"fairlead/backend/tool"
)

//go:embed remember.md
var description string

type arguments struct {
	Text string `json:"text"`
}

// remember is the tool remember.
type remember struct {
	memory *memory.Memory
	now    func() time.Time
}

// New returns the tool, which adds entries with the day that it is now.
func New(notes *memory.Memory, now func() time.Time) tool.Tool { return &remember{notes, now} }

// Definition implements tool.Tool.
func (*remember) Definition() tool.Definition {
	return tool.Definition{
		Name: "remember", Description: strings.TrimSpace(description), Parameters: tool.Schema[arguments](),
		Confirm: true, Effect: message.EffectFiles, Group: "memory",
		Display: message.Display{
			Title: "Remember", Verb: message.VerbRemember, Icon: message.IconPencil,
			Subject: message.Subject{Arguments: []string{"text"}, Kind: message.SubjectText},
			Form:    []message.FormField{{At: "text"}},
		},
	}
}

// Prepare implements tool.Tool. What was added by others meanwhile makes no other plan: the
// entry is added to it.
func (t *remember) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	given, err := tool.Arguments[arguments](in.Arguments)
	if err != nil {
		return tool.Plan{}, err
	}
	if err := ctx.Err(); err != nil {
		return tool.Plan{}, err
	}
	entry, err := t.memory.NewEntry(given.Text, t.now())
	if err != nil {
		return tool.Plan{}, failure(err)
	}
	before, after, err := t.outcome(entry)
	if err != nil {
		return tool.Plan{}, err
	}
	if after == before { // nobody is asked, so nothing is written, whatever is noted by then
		return tool.Plan{Run: func(context.Context, func(string)) tool.Outcome { return tool.Outcome{Result: known()} }}, nil
	}
	from := memory.Name
	if before == "" {
		from = ""
	}
	diff, added, removed := change.UnifiedDiff(from, memory.Name, []byte(before), []byte(after))
	return tool.Plan{
		Preview: message.Preview{
			Effect: message.EffectFiles, Path: memory.Name, Memory: true, Diff: diff, Added: added, Removed: removed, Fingerprint: entry,
		},
		Asks: true,
		Check: func(context.Context) error {
			_, _, err := t.outcome(entry)
			return err
		},
		Run: func(ctx context.Context, _ func(string)) tool.Outcome { return tool.Outcome{Result: t.add(ctx, entry)} },
	}, nil
}

// known is the result of a call whose entry is there.
func known() message.Result {
	return message.Result{Content: message.Text("this is remembered already: nothing was written")}
}

// outcome returns the text of the memory before and after an entry is added.
func (t *remember) outcome(entry string) (before, after string, err error) {
	notes, err := t.memory.Read()
	if err != nil {
		return "", "", failure(err)
	}
	after, err = notes.With(entry)
	return notes.Text, after, failure(err)
}

// add adds an entry.
func (t *remember) add(ctx context.Context, entry string) message.Result {
	added, err := t.memory.Add(ctx, entry)
	switch {
	case err != nil:
		return tool.Failure(failure(err))
	case !added:
		return known()
	}
	return message.Result{Content: message.Text("added to the memory of this folder:\n" + entry)}
}

// failure returns an error of the memory as one of a tool.
func failure(err error) error {
	refusal, ok := errors.AsType[*message.Refusal](err)
	if !ok {
		return err
	}
	code := message.ExecutionError
	if refusal.Code == message.InvalidParams {
		code = message.InvalidArguments
	}
	return &message.ToolError{Code: code, Message: refusal.Message}
}

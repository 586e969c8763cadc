package file

import (
	"context"
	"fmt"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// maxEdits is how many edits one call may make: each goes over the whole text.
const maxEdits = 200

type editArguments struct {
	Path  string `json:"path"`
	Edits []edit `json:"edits"`
}

type edit struct {
	Old string `json:"old" jsonschema:"text to replace"`
	New string `json:"new"`
	All bool   `json:"all,omitempty" jsonschema:"replace every match"`
}

// editFile is the tool edit_file.
type editFile struct{ *session }

// Definition implements tool.Tool.
func (t *editFile) Definition() tool.Definition {
	return newDefinition[editArguments]("edit_file", editText, message.EffectFiles, message.Display{
		Title: "Edit a file", Verb: message.VerbEdit, Icon: message.IconPencil, Subject: aboutPath,
		Form: []message.FormField{{At: "path", Fixed: true}, {At: "edits/*/old", Fixed: true}, {At: "edits/*/new"}},
	})
}

// Prepare implements tool.Tool.
func (t *editFile) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	c, err := t.change(ctx, in)
	if err != nil {
		return tool.Plan{}, err
	}
	return t.planOf(c, in), nil
}

// change works out what a call changes.
func (t *editFile) change(ctx context.Context, in tool.Input) (change, error) {
	arguments, err := tool.Arguments[editArguments](in.Arguments)
	if err != nil {
		return change{}, err
	}
	c, err := t.openTarget(ctx, arguments.Path)
	switch {
	case err != nil:
		return change{}, err
	case len(arguments.Edits) == 0:
		return change{}, invalidArguments("edits is empty")
	case len(arguments.Edits) > maxEdits:
		return change{}, invalidArguments(fmt.Sprintf("there are %d edits, at most %d are made in one call: make several calls", len(arguments.Edits), maxEdits))
	}
	if !c.exists {
		return change{}, t.folder.NotFound(c.place)
	}
	present, err := parse(c.path, c.old)
	if err != nil {
		return change{}, err
	}
	if err := t.knownTo(in).requireRead(c.path, c.stateFingerprint()); err != nil {
		return change{}, err
	}
	text := present.text
	for i, e := range arguments.Edits {
		if err := e.checkMarks(text); err != nil {
			return change{}, numberError(err, i, len(arguments.Edits))
		}
		var corrected bool
		text, corrected, err = e.apply(ctx, text)
		if err != nil {
			return change{}, numberError(err, i, len(arguments.Edits))
		}
		if corrected {
			c.notes = append(c.notes, fmt.Sprintf("edit %d: matched with other whitespace, which was corrected", i+1))
		}
	}
	if err := checkMarks(text, present.text); err != nil {
		return change{}, err
	}
	c.content = present.withText(text)
	return c, tooLong(len(c.content))
}

// numberError says which of several edits failed, and that none was made.
func numberError(err error, i, of int) error {
	failure, ok := err.(*message.ToolError)
	if !ok || of == 1 {
		return err
	}
	text := fmt.Sprintf("edit %d of %d: %s (none of the edits was made)", i+1, of, failure.Message)
	return &message.ToolError{Code: failure.Code, Message: text}
}

package file

import (
	"context"
	"fmt"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

type deleteArguments struct {
	Path string `json:"path"`
}

// deleteFile is the tool delete_file.
type deleteFile struct{ *session }

// Definition implements tool.Tool.
func (t *deleteFile) Definition() tool.Definition {
	d := newDefinition[deleteArguments]("delete_file", deleteText, message.EffectFiles, message.Display{
		Title: "Delete a file", Verb: message.VerbDelete, Icon: message.IconTrash, Subject: aboutPath,
	})
	d.Essential = false
	return d
}

// Prepare implements tool.Tool.
func (t *deleteFile) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	arguments, err := tool.Arguments[deleteArguments](in.Arguments)
	if err != nil {
		return tool.Plan{}, err
	}
	r, err := t.removal(ctx, arguments.Path)
	if err != nil {
		return tool.Plan{}, err
	}
	preview := r.newPreview()
	if preview.Undo.Frees, err = t.folder.PushesOut(r.entries); err != nil {
		return tool.Plan{}, err
	}
	if preview.Undo.Frees {
		preview.Fingerprint += " frees"
	}
	return tool.Plan{
		Preview: preview, Asks: true, Touches: []string{arguments.Path},
		Check: func(ctx context.Context) error {
			now, err := t.removeAgain(ctx, r)
			if err != nil {
				return err
			}
			// A call that was carried out meanwhile may have taken the space.
			frees, err := t.folder.PushesOut(now.entries)
			if err == nil && frees && !preview.Undo.Frees {
				err = &message.ToolError{Code: message.StaleFile, Message: "there is no space any more to keep it beside older changes"}
			}
			return err
		},
		Run: func(ctx context.Context, _ func(string)) tool.Outcome {
			return tool.Outcome{Result: t.delete(ctx, in.CallID, r)}
		},
	}, nil
}

// delete deletes what was shown, if it still is what it was then.
func (t *deleteFile) delete(ctx context.Context, callID string, r removal) message.Result {
	t.changing.Lock()
	defer t.changing.Unlock()
	r, err := t.removeAgain(ctx, r)
	if err != nil {
		return tool.Failure(err)
	}
	set, err := t.folder.Delete(ctx, callID, r.place, r.entries)
	result := message.Result{}
	if set != nil {
		result.Changes = workspace.ChangesOf(set)
	}
	if err != nil {
		failed := tool.Failure(err)
		failed.Changes = result.Changes
		return failed
	}
	result.Content = message.Text(fmt.Sprintf("deleted %s: it can be taken back by the user", r.describe()))
	return result
}

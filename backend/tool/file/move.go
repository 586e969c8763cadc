package file

import (
	"context"
	"fmt"

	record "fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

type moveArguments struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// moveFile is the tool move_file.
type moveFile struct{ *session }

// Definition implements tool.Tool.
func (t *moveFile) Definition() tool.Definition {
	d := newDefinition[moveArguments]("move_file", moveText, message.EffectFiles, message.Display{
		Title: "Move a file", Verb: message.VerbMove, Icon: message.IconMove,
		Subject: message.Subject{Arguments: []string{"from"}, Kind: message.SubjectPath, To: "to"},
		Form:    []message.FormField{{At: "from", Fixed: true}, {At: "to"}},
	})
	d.Essential = false
	return d
}

// moving is a planned move.
type moving struct {
	removal
	// to is the new place, and asked and shown are its path as the call has it and as it
	// is shown.
	to               workspace.Place
	askedTo, shownTo string
}

// Prepare implements tool.Tool.
func (t *moveFile) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	arguments, err := tool.Arguments[moveArguments](in.Arguments)
	if err != nil {
		return tool.Plan{}, err
	}
	m, err := t.moving(ctx, arguments.From, arguments.To)
	if err != nil {
		return tool.Plan{}, err
	}
	return tool.Plan{
		Preview: m.newPreview(), Asks: true, Touches: []string{arguments.From, arguments.To},
		Check: func(ctx context.Context) error {
			_, err := t.moveAgain(ctx, m)
			return err
		},
		Run: func(ctx context.Context, _ func(string)) tool.Outcome {
			return tool.Outcome{Result: t.move(ctx, in, m)}
		},
	}, nil
}

// moving looks at both paths of a move.
func (t *moveFile) moving(ctx context.Context, from, to string) (moving, error) {
	r, err := t.removal(ctx, from)
	if err != nil {
		return moving{}, err
	}
	if to == "" {
		return moving{}, invalidArguments("to is empty")
	}
	m := moving{removal: r, askedTo: to}
	if m.to, err = t.folder.Vacant(to); err != nil {
		return moving{}, err
	}
	m.shownTo = workspace.Shown(m.to.Path)
	if m.autorun == "" {
		m.autorun = t.autorunOf(ctx, m.place.Path, m.entries, m.to.Path)
	}
	return m, nil
}

// moveAgain returns the move with what is found now. It fails with STALE_FILE where that is
// not what was looked at.
func (t *moveFile) moveAgain(ctx context.Context, m moving) (moving, error) {
	now, err := t.moving(ctx, m.asked, m.askedTo)
	if err != nil {
		return moving{}, err
	}
	if now.newPreview().Fingerprint != m.newPreview().Fingerprint {
		return moving{}, &message.ToolError{Code: message.StaleFile, Message: m.path + " changed after it was looked at: look at it again"}
	}
	return now, nil
}

// newPreview is what the user is shown of the move, in the words of git.
func (m moving) newPreview() message.Preview {
	return message.Preview{
		Effect: message.EffectFiles, Path: m.path, Autorun: m.autorun,
		Diff:        "rename from " + record.DiffName(m.place.Path) + "\nrename to " + record.DiffName(m.to.Path) + "\n",
		Fingerprint: fingerprintOf(m.fingerprint(), []byte(m.to.Path)),
	}
}

// move moves what was shown, if it still is what it was then.
func (t *moveFile) move(ctx context.Context, in tool.Input, m moving) message.Result {
	t.changing.Lock()
	defer t.changing.Unlock()
	m, err := t.moveAgain(ctx, m)
	if err != nil {
		return tool.Failure(err)
	}
	set, err := t.folder.Move(ctx, in.CallID, m.place, m.to)
	if err != nil {
		return tool.Failure(err)
	}
	if m.content != nil {
		t.knownTo(in).moveFile(m.path, m.shownTo, m.content)
	}
	return message.Result{
		Content: message.Text(fmt.Sprintf("moved %s to %s", m.describe(), m.shownTo)),
		Changes: workspace.ChangesOf(set),
		Notices: m.autorunNotices(),
	}
}

// autorunNotices tell that other programs run what was moved.
func (m moving) autorunNotices() []message.Notice {
	if m.autorun == "" {
		return nil
	}
	return []message.Notice{{Code: message.NoticeNew, Data: message.NoticeData{Path: m.shownTo, Autorun: m.autorun}}}
}

package file

import (
	"context"
	"fmt"

	record "fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

// change is a planned replacement of one file's content.
type change struct {
	// place is the file; path is its path, links followed, as it is shown, and
	// exists reports whether it is there already.
	place  workspace.Place
	path   string
	exists bool
	// asked is the path as the call has it.
	asked string
	// old and content are its content before and after.
	old, content []byte
	// autorun says which programs run by themselves what the file says; empty for none.
	autorun message.Autorun
	// added and removed count lines, once the change was shown.
	added, removed int
	// notes tell the model what was done other than asked.
	notes []string
}

// openTarget returns a change of the file that path leads to, with its present
// content still to be replaced.
func (s *session) openTarget(ctx context.Context, path string) (change, error) {
	if path == "" {
		return change{}, invalidArguments("path is empty")
	}
	if err := ctx.Err(); err != nil {
		return change{}, err
	}
	place, err := s.folder.Writable(path)
	if err != nil {
		return change{}, err
	}
	c := change{asked: path, place: place, path: workspace.Shown(place.Path), exists: place.Exists()}
	programs, _ := s.folder.RunsBy(ctx, place.Path)
	c.autorun = message.Autorun(programs)
	if !c.exists {
		return c, ctx.Err()
	}
	file, err := s.folder.OpenFound(place.Path)
	if err != nil {
		return change{}, err
	}
	defer func() { _ = file.Close() }()
	c.old, err = file.ReadAll(ctx, maxText)
	return c, err
}

// stateFingerprint names the state that the change starts from.
func (c change) stateFingerprint() string {
	if !c.exists {
		return absent + c.path
	}
	return fingerprintOf(c.path, c.old)
}

// shownFingerprint names what the user was asked about: the state that the change starts from, and
// what acts on the file.
func (c change) shownFingerprint() string {
	if c.autorun == "" {
		return c.stateFingerprint()
	}
	return c.stateFingerprint() + " " + string(c.autorun)
}

// autorunNotices tell that other programs run what was written.
func (c change) autorunNotices() []message.Notice {
	if c.autorun == "" {
		return nil
	}
	code := message.NoticeNew
	if c.exists {
		code = message.NoticeChanged
	}
	return []message.Notice{{Code: code, Data: message.NoticeData{Path: c.path, Autorun: c.autorun}}}
}

// changeKind is the change's kind in a result.
func (c change) changeKind() string {
	if c.exists {
		return "modified"
	}
	return "created"
}

// newPreview is what the user is shown of the change.
func (c *change) newPreview() message.Preview {
	var diff string
	from := c.place.Path
	if !c.exists {
		from = ""
	}
	diff, c.added, c.removed = record.UnifiedDiff(from, c.place.Path, c.old, c.content)
	return message.Preview{
		Effect: message.EffectFiles, Path: c.path, Diff: diff, Added: c.added, Removed: c.removed,
		Autorun: c.autorun, Fingerprint: c.shownFingerprint(),
	}
}

// planOf is the plan of a call that makes the change.
func (s *session) planOf(c change, in tool.Input) tool.Plan {
	preview := c.newPreview()
	return tool.Plan{
		Preview: preview,
		Asks:    true,
		Touches: []string{c.asked},
		Check: func(ctx context.Context) error {
			_, err := s.again(ctx, c)
			return err
		},
		Run: func(ctx context.Context, _ func(string)) tool.Outcome {
			return tool.Outcome{Result: s.apply(ctx, in.CallID, c, s.knownTo(in))}
		},
	}
}

// again returns the change with the file as it is found now. It fails with STALE_FILE
// where that is no longer what the change starts from.
func (s *session) again(ctx context.Context, c change) (change, error) {
	now, err := s.openTarget(ctx, c.asked)
	if err != nil {
		return change{}, err
	}
	if now.shownFingerprint() != c.shownFingerprint() {
		return change{}, &message.ToolError{
			Code: message.StaleFile, Message: now.path + " changed after the change was worked out: read it again",
		}
	}
	c.place = now.place
	return c, nil
}

// apply makes the change, if the file still is what it starts from. No other change by
// these tools comes in between.
func (s *session) apply(ctx context.Context, callID string, c change, known *Known) message.Result {
	s.changing.Lock()
	defer s.changing.Unlock()
	c, err := s.again(ctx, c)
	if err != nil {
		return tool.Failure(err)
	}
	after := fingerprintOf(c.path, c.content)
	if c.exists && after == c.stateFingerprint() {
		known.rememberFile(c.path, after)
		return message.Result{Content: message.Text(tool.WithNotices(c.path+" already has this content: nothing written", c.notes...))}
	}
	set, err := s.folder.Replace(ctx, callID, c.place, c.content, record.Lines{Added: c.added, Removed: c.removed})
	if err != nil {
		return tool.Failure(err)
	}
	known.rememberFile(c.path, after)
	return message.Result{
		Content: message.Text(tool.WithNotices(fmt.Sprintf("%s %s (+%d -%d lines)", c.changeKind(), c.path, c.added, c.removed), c.notes...)),
		Changes: workspace.ChangesOf(set),
		Notices: c.autorunNotices(),
	}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fairlead/backend"
	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// forkSession begins a conversation with what another one held before a task.
type forkSession struct {
	ID     string `arg:"" help:"The conversation's id, or last."`
	Task   int    `placeholder:"N" help:"The task to go back to, counted from 1; without it, the last one. The fork has what was said before it."`
	After  bool   `help:"Begin with the task and what came of it too."`
	Draft  bool   `help:"Begin in a draft in which the files are as they were then, as far as that is known."`
	Output string `default:"text" enum:"text,json" placeholder:"FORM" help:"text, or json: the ids, and what is not as it was."`
}

// forkLine is a fork as JSON.
type forkLine struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// DraftID names its draft; absent where it has none.
	DraftID string `json:"draftId,omitempty"`
	// Missing are paths that are not as they were, each with one of change.Absence or change.Loss; More
	// counts those that are not listed, Ignored those that git ignores, and InDraft what was
	// changed in a draft by then.
	Missing []change.Missing `json:"missing,omitempty"`
	More    int              `json:"more,omitempty"`
	Ignored int              `json:"ignored,omitempty"`
	InDraft int              `json:"inDraft,omitempty"`
}

// Run forks a conversation.
func (c *forkSession) Run(with *surroundings) error {
	if c.After && c.Draft {
		return &usageError{problem: "--after and --draft are both given", hint: "a draft can begin before a task; leave out one of them"}
	}
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		saved, err := b.Sessions.Find(ctx, c.ID, "")
		if err != nil {
			return err
		}
		run, err := c.findRun(ctx, b, saved)
		if err != nil {
			return err
		}
		if !c.Draft {
			begin := b.Sessions.Fork
			if c.After {
				begin = b.Sessions.ForkAfter
			}
			fork, err := begin(ctx, saved.ID, run.ID)
			if err != nil {
				return err
			}
			return c.write(with.streams, forkLine{ID: fork.ID, Title: fork.Title})
		}
		line, err := forkAsItWas(ctx, b, run)
		if err != nil {
			return err
		}
		return c.write(with.streams, line)
	})
}

// forkAsItWas forks the conversation of a run with its files: a fork has runs of the one that it was
// forked from, which has changed them.
func forkAsItWas(ctx context.Context, b *backend.Backend, run session.SavedRun) (line forkLine, err error) {
	owner, err := b.Sessions.Find(ctx, run.SessionID, "")
	if err != nil {
		return line, err
	}
	changes, err := b.OpenChanges(ctx, owner)
	if err != nil {
		return line, err
	}
	defer func() { err = errors.Join(err, changes.Close()) }()
	fork, past, err := b.ForkAsItWas(ctx, changes, run.ID)
	if err != nil {
		return line, err
	}
	line = forkLine{
		ID: fork.ID, Title: fork.Title, Missing: past.Missing, More: past.More, Ignored: past.Ignored, InDraft: past.InDraft,
	}
	drafts, err := change.ListDraftsOf(b.Sessions.DraftsOf(fork.ID))
	if len(drafts) > 0 {
		line.DraftID = drafts[0].ID
	}
	return line, err
}

// findRun finds the run of the task.
func (c *forkSession) findRun(ctx context.Context, b *backend.Backend, saved session.Saved) (session.SavedRun, error) {
	runs, err := b.Sessions.Runs(ctx, saved.ID)
	if err != nil {
		return session.SavedRun{}, err
	}
	switch n := c.Task; {
	case n == 0 && len(runs) > 0:
		return runs[len(runs)-1], nil
	case n > 0 && n <= len(runs):
		return runs[n-1], nil
	}
	return session.SavedRun{}, &message.Refusal{
		Code: message.NotFound, Message: fmt.Sprintf("the conversation has %d %s; there is none with the number %d", len(runs), plural(len(runs), "task", "tasks"), c.Task),
	}
}

// absences say why a path is not as it was.
var absences = map[change.Absence]string{
	change.AbsentOthers:                   "changed by others since",
	change.AbsentUnit:                     "changed by others since, and left as a whole",
	change.AbsentDeleted:                  "others have made or deleted something in it since",
	change.Absence(change.LossLarge):      "too large to be kept",
	change.Absence(change.LossUnreadable): "could not be read",
	change.Absence(change.LossSpecial):    "neither file, folder nor link",
	change.Absence(change.LossFreed):      "no longer kept",
}

func (c *forkSession) write(streams Streams, line forkLine) error {
	if c.Output == "json" {
		return writeJSON(streams.Out, line)
	}
	_, err := fmt.Fprintf(streams.Out, "%s  %s\n", line.ID, message.Visible(line.Title))
	if err != nil {
		return err
	}
	var text strings.Builder
	if line.DraftID == "" {
		fmt.Fprintf(&text, "The files are as they are now. To go on: fairlead run --session %s TASK\n", line.ID)
	} else {
		fmt.Fprintf(&text, "The files are as they were then, in a draft. To go on: fairlead run --draft %s TASK\n", line.DraftID)
	}
	for _, one := range line.Missing {
		fmt.Fprintf(&text, "not as it was: %s: %s\n", workspace.Shown(string(one.Path)), absences[one.Why])
	}
	for _, rest := range []struct {
		count      int
		text, many string
	}{
		{line.More, "not as it was: %d more path", "not as it was: %d more paths"},
		{line.Ignored, "not as it was: %d file that git ignores", "not as it was: %d files that git ignores"},
		{line.InDraft, "not as it was: %d path that was changed in a draft then", "not as it was: %d paths that were changed in a draft then"},
	} {
		if rest.count > 0 {
			fmt.Fprintf(&text, plural(rest.count, rest.text, rest.many)+"\n", rest.count)
		}
	}
	_, err = io.WriteString(streams.Err, message.Visible(text.String()))
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/settings"
)

const (
	// openings is how often a draft is opened, and stepRuns how often the steps of a run are
	// measured in a draft and on the folder.
	openings, stepRuns = 21, 7
	// draftOpens is how long a draft of 100,000 files may take to be opened, and draftStep how
	// much longer a step in it may take than one on the folder, where an empty program takes
	// draftUnit.
	draftOpens, draftStep, draftUnit = 50 * time.Millisecond, time.Millisecond, 1500 * time.Microsecond
)

// draftRows measure what it costs that a run works in a draft of a folder with 100,000 files, in an
// open conversation. There are none where commands are not fully confined.
func draftRows(ctx context.Context, m *machine) (rows []figure, err error) {
	dir := filepath.Join(m.home, "drafted")
	if err := writeTree(filepath.Join(dir, "work"), 1); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	folders, err := settings.FindFolders(filepath.Join(dir, "data"))
	if err != nil {
		return nil, err
	}
	b, err := backend.Open(backend.Options{Folders: folders, LogLevel: "error", Helper: sandboxtest.Program("fairlead")})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close(ctx)) }()
	if b.Confinement().Level != message.LevelFull {
		return nil, nil
	}
	played := serve(oneAnswer)
	defer played.Close()
	c, err := converse(ctx, b, filepath.Join(dir, "work"), played, approve.Draft)
	if err != nil {
		return nil, err
	}
	d := drafted{b, c}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	return d.rows(ctx, m.unit)
}

// drafted is a conversation whose runs work in drafts.
type drafted struct {
	backend *backend.Backend
	*backend.Conversation
}

func (d drafted) rows(ctx context.Context, unit time.Duration) ([]figure, error) {
	var took []time.Duration
	for range 1 + openings { // the first looks at what is in the folder, as ahead of the first prompt
		opened, _, err := d.run(ctx, oneAnswer)
		if err != nil {
			return nil, err
		}
		took = append(took, opened)
	}
	opens := draftOpens * unit / draftUnit
	var steps [2][]time.Duration
	for range stepRuns {
		for i, mode := range []approve.Mode{approve.All, approve.Draft} {
			d.SetApprove(mode)
			_, all, err := d.run(ctx, commands)
			if err != nil {
				return nil, err
			}
			steps[i] = append(steps[i], all/moreCommands)
		}
	}
	onFolder, inDraft := medianValue(steps[0]), medianValue(steps[1])
	return []figure{
		durationFigure("a draft of 100,000 files opens", fmt.Sprintf("%.0f E", float64(draftOpens)/float64(draftUnit)), 0, medianValue(took[1:]), opens),
		durationFigure("a step with a command in a draft", "floor + 0.67 E", onFolder, inDraft, onFolder+draftStep*unit/draftUnit),
	}, nil
}

// run has the conversation play a scenario, and returns how long it took until the draft was open,
// and how long all steps but the first lasted.
func (d drafted) run(ctx context.Context, s scenario) (opened, steps time.Duration, err error) {
	played := serve(s)
	endpoint, err := played.endpoint()
	if err == nil {
		err = d.backend.UseModel(d.Conversation, endpoint)
	}
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	run, err := d.BeginRun("go")
	if err != nil {
		return 0, 0, err
	}
	var first time.Time
	for seq := int64(0); ; {
		events, err := run.Events.After(ctx, seq)
		if errors.Is(err, io.EOF) {
			run.Wait()
			_, err := played.closeAndReport()
			return opened, steps, err
		}
		if err != nil {
			return 0, 0, err
		}
		for _, e := range events {
			seq = e.Seq
			switch e.Type {
			case event.TypeDraftOpened:
				opened = time.Since(began)
			case event.TypeToolResult:
				if first.IsZero() {
					first = time.Now()
				}
				steps = time.Since(first)
			}
		}
	}
}

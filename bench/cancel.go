package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

const (
	// cancels is how often a run is cancelled.
	cancels = 200
	// marker is an argument that no other process has.
	marker = "86413.25"
)

// tree starts a command with children and their children, all in one group, and says
// when they are there.
var tree = scenario{name: "a tree of children", steps: 1, calls: func(int) []call {
	return []call{shellCall("sleep " + marker + " & (sleep " + marker + " & sleep " + marker + ") & echo ready; wait")}
}}

// cancelRows measure how long a run takes to end after it was cancelled while its
// command runs, and counts what is left alive.
func cancelRows(ctx context.Context, m *machine) (rows []figure, err error) {
	home := filepath.Join(m.home, "cancel")
	b, err := backend.Open(backend.Options{
		Folders: settings.Folders{Config: home, Data: home, State: home}, LogLevel: "error",
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close(ctx)) }()
	took := make([]time.Duration, cancels)
	for i := range took {
		if took[i], err = m.cancelOnce(ctx, b); err != nil {
			return nil, fmt.Errorf("cancel a run: %w", err)
		}
	}
	left, err := countMarked()
	if err != nil {
		return nil, err
	}
	if left > 0 {
		return nil, fmt.Errorf("%d processes outlived the cancel of their run", left)
	}
	slices.Sort(took)
	return []figure{durationFigure("cancel to the end of the run, 99 of 100", "25 E", m.unit, took[cancels*99/100-1], 25*m.unit)}, nil
}

// cancelOnce begins a run, cancels it when its command is ready, and returns how long
// the end took.
func (p place) cancelOnce(ctx context.Context, b *backend.Backend) (took time.Duration, err error) {
	played := serve(tree)
	defer played.Close()
	conversation, err := converse(ctx, b, p.workspace, played, approve.All)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conversation.Close(context.Background())) }()
	run, err := conversation.BeginRun("Start them.")
	if err != nil {
		return 0, err
	}
	var seq int64
	var called time.Time
	for {
		events, err := run.Events.After(ctx, seq)
		if errors.Is(err, io.EOF) {
			run.Wait()
			return took, nil
		}
		if err != nil {
			return 0, err
		}
		for _, e := range events {
			seq = e.Seq
			if e.Type == event.TypeToolProgress && called.IsZero() {
				called = time.Now()
				if _, err := b.Sessions.CancelRun(run.ID); err != nil {
					return 0, err
				}
			}
			if e.Terminal() {
				took = time.Since(called)
			}
		}
	}
}

// converse opens a conversation on a folder with the model that a server plays.
func converse(ctx context.Context, b *backend.Backend, folder string, played *server, mode approve.Mode) (*backend.Conversation, error) {
	endpoint, err := played.endpoint()
	if err != nil {
		return nil, err
	}
	return b.OpenConversation(ctx, backend.Task{
		Folder: folder, Endpoint: endpoint, Mode: session.React, Approve: mode,
		Limits: message.Limits{
			MaxSteps: 1 + commands.steps, RunTimeout: time.Minute, StepTimeout: time.Minute, ConfirmTimeout: time.Minute, Attempts: 1, Parallel: 1,
			ContinueOnError: true, DoomDetection: true, Compaction: true,
		},
	})
}

// endpoint is the model that the server plays.
func (s *server) endpoint() (catalog.Endpoint, error) {
	return catalog.Catalog{}.Choose(catalog.Choice{BaseURL: s.URL + "/v1", Model: "bench"}, func(string) string { return "" })
}

// countMarked counts the processes that have the marker among their arguments.
func countMarked() (count int, err error) {
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return 0, err
	}
	for _, name := range all {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended meanwhile
		}
		if slices.ContainsFunc(bytes.Split(text, []byte{0}), func(argument []byte) bool { return string(argument) == marker }) {
			count++
		}
	}
	return count, nil
}

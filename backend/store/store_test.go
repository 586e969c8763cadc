package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "sk-canary-0123456789"

func options(folder string) Options {
	return Options{Folder: folder, Redact: func(text []byte) []byte {
		return bytes.ReplaceAll(text, []byte(secret), []byte("[key]"))
	}}
}

func openIn(t *testing.T, folder string) *Store {
	t.Helper()
	s, damage, err := Open(t.Context(), options(folder))
	if err != nil {
		t.Fatal(err)
	}
	if damage != nil {
		t.Fatal(damage)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// talk puts a short run away and returns its history and events.
func talk(t *testing.T, s *Store, session Session, runID, said string) ([]message.Message, []event.Event) {
	t.Helper()
	stream := event.NewKeptStream(runID, session.ID, s.Record(t.Context(), session), func(err *event.NotKeptError) { t.Error(err) })
	at := time.UnixMilli(1_700_000_000_000).UTC()
	prompt := message.Message{
		ID: runID + "-m1", SessionID: session.ID, RunID: runID, Role: message.User, CreatedAt: at,
		Parts: []message.Part{
			{ID: runID + "-p1", SessionID: session.ID, MessageID: runID + "-m1", Type: message.TextPart, Text: said},
			{ID: runID + "-p2", SessionID: session.ID, MessageID: runID + "-m1", Type: message.TextPart, Text: "surroundings", Synthetic: true},
		},
	}
	stream.AddMessage(prompt)
	stream.Publish(event.LifecycleStart{Prompt: said, Model: "m", MaxSteps: 3})
	reply := message.Message{
		ID: runID + "-m2", SessionID: session.ID, RunID: runID, Role: message.Assistant, CreatedAt: at,
		Parts: []message.Part{{
			ID: runID + "-p3", SessionID: session.ID, MessageID: runID + "-m2", Type: message.ToolPart,
			Tool: message.NewToolUse(message.Call{ID: "c1", Name: "shell", Arguments: json.RawMessage(`{"command":"true"}`)}),
		}},
	}
	stream.AddMessage(reply)
	stream.Publish(event.ToolCall{CallID: "c1", ToolName: "shell", Arguments: json.RawMessage(`{"command":"true"}`)})
	stream.Publish(event.ConfirmResult{
		CallID: "c1", Decision: message.Approve, Arguments: json.RawMessage(`{"command":"true"}`), By: message.ByUser,
	})
	use := reply.Parts[0].Tool
	if err := errors.Join(use.Start(use.State.Input, at), use.Finish(message.Result{Content: message.Text("done")})); err != nil {
		t.Fatal(err)
	}
	stream.SetPart(reply.Parts[0])
	stream.Publish(event.ToolResult{CallID: "c1", Success: true, Content: "done", Changes: []message.Change{}})
	stream.Publish(event.AssistantDelta{PartID: "x", Content: "It is done."})
	events := since(t, stream, 0) // from here on they are read from the store
	stream.Publish(event.LifecycleEnd{Reason: message.ReasonCompleted, Content: "It is done.", Steps: 1})
	return []message.Message{prompt, reply}, append(events, since(t, stream, int64(len(events)))...)
}

// since are the events of a stream after a seq.
func since(t *testing.T, stream *event.Stream, seq int64) []event.Event {
	t.Helper()
	events, err := stream.Since(t.Context(), seq)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// messagesOf are the messages of a session.
func messagesOf(t *testing.T, s *Store, id string) ([]message.Message, error) {
	t.Helper()
	var messages []message.Message
	for m, err := range s.EachMessage(t.Context(), id) {
		if err != nil {
			return nil, err
		}
		messages = append(messages, m)
	}
	return messages, nil
}

func session(id, workspace string) Session {
	return Session{ID: id, Workspace: workspace, Title: "A title"}
}

func TestST01_WhatWasSaidIsThereInAFreshProcess(t *testing.T) {
	folder := t.TempDir()
	s := openIn(t, folder)
	messages, events := talk(t, s, session("s1", "/work"), "r1", "do it")
	more, _ := talk(t, s, session("s1", "/work"), "r2", "again")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = openIn(t, folder)
	found, err := messagesOf(t, s, "s1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(messages, more...), found); diff != "" {
		t.Errorf("messages (- saved, + read):\n%s", diff)
	}
	runs, err := s.Runs(t.Context(), "s1")
	if err != nil || len(runs) != 2 || runs[0].ID != "r1" || runs[0].Reason != message.ReasonCompleted || runs[0].EndedAt.IsZero() {
		t.Fatalf("runs: %+v, %v", runs, err)
	}
	read, err := s.Events(t.Context(), runs[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(events, read); diff != "" {
		t.Errorf("events (- saved, + read):\n%s", diff)
	}
	if later, err := s.Events(t.Context(), runs[0], 4); err != nil || len(later) != len(events)-4 || later[0].Seq != 5 {
		t.Errorf("events after 4: %+v, %v", later, err)
	}
	if left, err := s.ActiveRuns(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("runs without an end: %+v, %v", left, err)
	}
}

// idsOf are the ids of the sessions of a workspace, as they are listed.
func idsOf(t *testing.T, s *Store, workspace string) string {
	t.Helper()
	sessions, err := s.Sessions(t.Context(), workspace, All, 100)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, each := range sessions {
		ids = append(ids, each.ID)
	}
	return strings.Join(ids, " ")
}

func TestWS01_SessionsOfAWorkspace(t *testing.T) {
	s := openIn(t, t.TempDir())
	talk(t, s, session("s1", "/work"), "r1", "one")
	talk(t, s, session("s2", "/other"), "r2", "two")
	talk(t, s, session("s3", "/work"), "r3", "three")
	if got := idsOf(t, s, "/work"); got != "s3 s1" {
		t.Errorf("in /work: %s", got)
	}
	if got := idsOf(t, s, ""); got != "s3 s2 s1" {
		t.Errorf("in all: %s", got)
	}
	if _, err := s.Session(t.Context(), "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("find an unknown one: %v", err)
	}
}

// everything is all bytes of all files in a folder.
func everything(t *testing.T, folder string) []byte {
	t.Helper()
	var all []byte
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, text...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestADeletedSessionIsGoneFromTheDisk(t *testing.T) {
	folder := t.TempDir()
	s := openIn(t, folder)
	const canary = "the heron stands in the shallow water"
	talk(t, s, session("s1", "/work"), "r1", strings.Repeat(canary+" ", 500))
	talk(t, s, session("s2", "/work"), "r2", "something else")
	if !bytes.Contains(everything(t, folder), []byte(canary)) {
		t.Fatal("the canary was never there")
	}
	if err := s.Delete(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(everything(t, folder), []byte(canary)) {
		t.Error("the canary is still on the disk")
	}
	if err := s.Delete(t.Context(), "../s2"); !errors.Is(err, ErrNotFound) {
		t.Errorf("delete an unknown one: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "s2.lock")); err == nil {
		t.Error("an unknown id became the name of a file")
	}
	if messages, err := messagesOf(t, s, "s2"); err != nil || len(messages) != 2 {
		t.Errorf("the other session: %v, %v", messages, err)
	}
}

func TestSEC01_NoKeyIsSaved(t *testing.T) {
	folder := t.TempDir()
	s := openIn(t, folder)
	named := session("s1", "/work")
	named.Title = "use " + secret
	talk(t, s, named, "r1", "the key is "+secret)
	if bytes.Contains(everything(t, folder), []byte(secret)) {
		t.Error("the key is on the disk")
	}
}

func TestFilesAreForTheirOwnerOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes: what lies in a profile is its user's")
	}
	folder := t.TempDir()
	s := openIn(t, folder)
	talk(t, s, session("s1", "/work"), "r1", "x")
	unlock, err := s.Lock("s1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unlock() }()
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the rights %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestOneProcessAtATimeWorksOnASession(t *testing.T) {
	folder := t.TempDir()
	one, two := openIn(t, folder), openIn(t, folder)
	unlock, err := one.Lock("s1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.Lock("s1"); !errors.Is(err, ErrLocked) {
		t.Errorf("the second one: %v", err)
	}
	other, err := two.Lock("s2")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(other(), unlock()); err != nil {
		t.Fatal(err)
	}
	again, err := two.Lock("s1")
	if err != nil {
		t.Fatal(err)
	}
	if err := again(); err != nil {
		t.Error(err)
	}
}

func TestSeveralWritersAtOnce(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	const writers, runs = 4, 20
	for w := range writers {
		all.Go(func() {
			s, _, err := Open(context.WithoutCancel(t.Context()), options(folder))
			if err != nil {
				t.Error(err)
				return
			}
			for r := range runs {
				talk(t, s, session(fmt.Sprintf("s%d", w), "/work"), fmt.Sprintf("r%d-%d", w, r), "go")
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s := openIn(t, folder)
	for w := range writers {
		found, err := s.Runs(t.Context(), fmt.Sprintf("s%d", w))
		if err != nil || len(found) != runs {
			t.Errorf("session %d has %d runs: %v", w, len(found), err)
		}
	}
}

func TestAFailedWriteShowsNothing(t *testing.T) {
	s := openIn(t, t.TempDir())
	var broken []error
	stream := event.NewKeptStream("r1", "s1", s.Record(t.Context(), session("s1", "/work")), func(err *event.NotKeptError) { broken = append(broken, err) })
	stream.Publish(event.LifecycleStart{Prompt: "x"})
	if _, err := s.writer.Exec("PRAGMA query_only=ON"); err != nil {
		t.Fatal(err)
	}
	stream.Publish(event.StepStarted{Step: 1})
	stream.Publish(event.ToolRunning{})
	stream.Publish(event.ToolRunning{})
	if len(broken) != 1 || !strings.Contains(broken[0].Error(), "cannot be written") {
		t.Errorf("told: %v", broken)
	}
	stream.Publish(event.LifecycleError{Reason: message.ReasonError})
	events := since(t, stream, 0)
	if len(events) != 2 || !events[1].Terminal() || events[1].Seq != 2 {
		t.Errorf("shown: %+v", events)
	}
}

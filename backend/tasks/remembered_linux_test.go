//go:build !race

package tasks_test

import (
	"context"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/session"
)

// approver says yes to every question, and keeps them.
type approver struct{ asked []event.ConfirmRequest }

// Ask implements approve.Asker.
func (a *approver) Ask(_ context.Context, request event.ConfirmRequest) (message.Decision, error) {
	a.asked = append(a.asked, request)
	return message.Decision{Verdict: message.Approve, By: message.ByUser}, nil
}

// TestEXT06_ADraftAsksAboutANoteAlone writes a file and a note in a draft: the file passes, the note is
// asked about, because it counts at once.
func TestEXT06_ADraftAsksAboutANoteAlone(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	server := httptest.NewServer(llmtest.Script(`call c1 write_file {"path":"a.txt","content":"draft\n"}
---
call c2 remember {"text":"a.txt is the draft"}
---
text Done.
`))
	defer server.Close()
	endpoint, err := catalog.Catalog{}.Choose(catalog.Choice{BaseURL: server.URL + "/v1", Model: "m"}, os.Getenv)
	must(t, err)
	var user approver
	conversation, err := b.OpenConversation(t.Context(), backend.Task{
		Folder: folder, Endpoint: endpoint, Mode: session.React, Approve: approve.Draft, Asker: &user, Memory: true,
		Limits: message.Limits{
			MaxSteps: 20, RunTimeout: time.Minute, StepTimeout: time.Minute, ConfirmTimeout: time.Minute, Attempts: 1, Parallel: 1, ContinueOnError: true,
		},
	})
	must(t, err)
	run, err := conversation.BeginRun("go")
	must(t, err)
	if result := run.Wait(); result.Reason != message.ReasonCompleted {
		t.Fatalf("the run ended %s: %v", result.Reason, result.Err)
	}
	must(t, conversation.Close(context.Background()))
	if len(user.asked) != 1 || user.asked[0].CallID != "c2" || user.asked[0].Preview.Draft || !user.asked[0].Preview.Memory {
		t.Errorf("asked about %+v", user.asked)
	}
	notes, err := b.Memory(folder).Read()
	if err != nil || !strings.HasSuffix(notes.Text, ": a.txt is the draft\n") {
		t.Errorf("noted is %q, %v", notes.Text, err)
	}
	saved, err := b.Sessions.Find(t.Context(), conversation.ID, "")
	must(t, err)
	changes, err := b.OpenChanges(t.Context(), saved)
	must(t, err)
	defer func() { must(t, changes.Close()) }()
	draft, err := changes.ReviewDraft(t.Context())
	must(t, err)
	if len(draft.Changes) != 1 || draft.Changes[0].Path != "a.txt" {
		t.Errorf("the draft has %+v", draft.Changes)
	}
}

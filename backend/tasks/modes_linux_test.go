//go:build !race

package tasks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/change/changetest"
	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// done is what came of a task that was done with Fairlead.
type done struct {
	// conversation is its id.
	conversation string
	// questions are those about each command, and failed says which the model was told of as
	// failed.
	questions []questions
	failed    []bool
	// folders has what was in the folder before each command, and at the end.
	folders []snapshot
}

// do does the task with Fairlead.
func (r *trial) do(mode approve.Mode) done {
	r.Helper()
	r.prepare()
	var d done
	model := llmtest.Script(r.script())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		d.folders = append(d.folders, changetest.Snapshot(r, r.folder)) // the model is asked between commands
		model.ServeHTTP(w, request)
	}))
	defer server.Close()
	endpoint, err := catalog.Catalog{}.Choose(catalog.Choice{BaseURL: server.URL + "/v1", Model: "m"}, os.Getenv)
	must(r.T, err)
	u := &user{task: r.task, asked: make([]questions, len(r.task.commands))}
	conversation, err := r.backend.OpenConversation(r.Context(), backend.Task{
		Folder: r.folder, Endpoint: endpoint, Mode: session.React, Approve: mode, Asker: u,
		Limits: message.Limits{
			MaxSteps: len(r.task.commands) + 1, RunTimeout: 5 * time.Minute, StepTimeout: time.Minute, ConfirmTimeout: time.Minute, Attempts: 1, Parallel: 1,
			ContinueOnError: true,
		},
	})
	must(r.T, err)
	d.conversation = conversation.ID
	r.shareGoCache(conversation.ID)
	r.shareGoCache(conversation.ID + ".draft")
	run, err := conversation.BeginRun("Do the task.")
	must(r.T, err)
	result := run.Wait()
	must(r.T, conversation.Close(context.Background()))
	if result.Reason != message.ReasonCompleted || len(d.folders) != len(r.task.commands)+1 {
		r.Fatalf("the run in the mode %s ended %s after %d requests: %v", mode, result.Reason, len(d.folders), result.Err)
	}
	requests := model.Requests()
	d.failed = r.failedIn(requests[len(requests)-1].Body)
	d.questions = u.asked
	return d
}

// script has the model run one command after the other.
func (r *trial) script() string {
	r.Helper()
	var script strings.Builder
	for i, c := range r.task.commands {
		arguments, err := json.Marshal(map[string]string{"command": c.line})
		must(r.T, err)
		fmt.Fprintf(&script, "call c%d shell %s\n---\n", i, arguments)
	}
	return script.String() + "text Done.\n"
}

// failedIn returns which commands have failed, as a request to the model says.
func (r *trial) failedIn(body []byte) []bool {
	r.Helper()
	var request struct {
		Messages []struct{ Role, Content string }
	}
	must(r.T, json.Unmarshal(body, &request))
	var failed []bool
	for _, m := range request.Messages {
		if m.Role == "tool" {
			failed = append(failed, strings.HasPrefix(m.Content, string(message.CommandFailed)+":"))
		}
	}
	if len(failed) != len(r.task.commands) {
		r.Fatalf("%d results of %d commands", len(failed), len(r.task.commands))
	}
	return failed
}

// shareGoCache has Go find in a conversation what it has compiled before.
func (r *trial) shareGoCache(conversation string) {
	r.Helper()
	if !r.task.usesGo() {
		return
	}
	caches := filepath.Join(r.backend.Folders.State, "private", conversation, "cache")
	must(r.T, os.MkdirAll(caches, 0o700))
	must(r.T, exec.Command("cp", "-al", goCache(), caches).Run())
}

// user answers the questions of a task: with a no what the task says is unwanted.
type user struct {
	task  task
	mu    sync.Mutex
	asked []questions
}

// Ask implements approve.Asker.
func (u *user) Ask(_ context.Context, request event.ConfirmRequest) (message.Decision, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var at int
	if _, err := fmt.Sscanf(request.CallID, "c%d", &at); err != nil {
		return message.Decision{}, err
	}
	if u.asked[at] == nil {
		u.asked[at] = questions{}
	}
	u.asked[at][request.Kind]++
	if u.task.commands[at].marks["unwanted"] {
		return message.Decision{Verdict: message.Reject, By: message.ByUser}, nil
	}
	return message.Decision{Verdict: message.Approve, By: message.ByUser}, nil
}

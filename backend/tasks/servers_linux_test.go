//go:build !race

package tasks_test

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/mcp"
	"fairlead/backend/mcp/host"
	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/session"
)

// addServer adds the server of tests to a folder, with a grant, and agrees to its tools.
func addServer(t *testing.T, b *backend.Backend, folder string, grant mcp.Grant, arguments ...string) {
	t.Helper()
	addNamedServer(t, b, folder, "notes", grant, arguments...)
}

func addNamedServer(t *testing.T, b *backend.Backend, folder, name string, grant mcp.Grant, arguments ...string) {
	t.Helper()
	definition := mcp.Definition{
		Name: name, Kind: mcp.KindStdio, Command: sandboxtest.Program("testserver"), Args: arguments, Variables: grant.Variables,
	}
	_, err := b.Servers.Add(t.Context(), host.Addition{Definition: definition, Values: map[string]string{"ZONE": "Europe/Oslo"}})
	must(t, err)
	must(t, b.Servers.Grant(t.Context(), folder, name, grant))
	servers := b.Servers.Open(folder)
	defer servers.Close()
	status, err := servers.Try(t.Context(), name)
	must(t, err)
	if status.State != mcp.StateSuspended || status.Level != message.LevelFull || status.Found == nil {
		t.Fatalf("before a yes it is %s at level %s: %s\n%s", status.State, status.Level, status.Reason, strings.Join(status.Log, "\n"))
	}
	must(t, servers.Agree(t.Context(), name, status.Found.Hash))
}

// runWith does a task by a script, says yes to every question, and returns the conversation, the
// requests and what was asked about.
func runWith(
	t *testing.T, b *backend.Backend, folder string, mode approve.Mode, script string,
) (id string, requests []llmtest.Request, user *approver) {
	t.Helper()
	model := llmtest.Script(script)
	server := httptest.NewServer(model)
	defer server.Close()
	endpoint, err := catalog.Catalog{}.Choose(catalog.Choice{BaseURL: server.URL + "/v1", Model: "m"}, os.Getenv)
	must(t, err)
	user = &approver{}
	conversation, err := b.OpenConversation(t.Context(), backend.Task{
		Folder: folder, Endpoint: endpoint, Mode: session.React, Approve: mode, Asker: user,
		Limits: message.Limits{
			MaxSteps: 30, RunTimeout: time.Minute, StepTimeout: time.Minute, ConfirmTimeout: time.Minute, Attempts: 1, Parallel: 1, ContinueOnError: true,
		},
	})
	must(t, err)
	run, err := conversation.BeginRun("go")
	must(t, err)
	if result := run.Wait(); result.Reason != message.ReasonCompleted {
		t.Fatalf("the run ended %s: %v", result.Reason, result.Err)
	}
	must(t, conversation.Close(context.Background()))
	return conversation.ID, model.Requests(), user
}

const serverScript = `call c1 mcp_find {"query":"write a file"}
---
call c2 mcp_call {"server":"notes","tool":"write","arguments":{"path":"note.txt","text":"kept\n"}}
---
call c3 mcp_call {"server":"notes","tool":"read","arguments":{"path":"a.txt"}}
---
call c4 mcp_call {"server":"notes","tool":"read","arguments":{"path":".env"}}
---
text Done.
`

// TestEXT01_ToolsOfAServerWorkWithinItsGrant has a model find and call the tools of a server that may
// write in the folder: the user is asked about each call, keys stay covered, and what it changed can
// be taken back.
func TestEXT01_ToolsOfAServerWorkWithinItsGrant(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	put(t, folder, ".env", "SECRET=canary\n")
	addServer(t, b, folder, mcp.Grant{Folder: mcp.FolderWrite})
	id, requests, user := runWith(t, b, folder, approve.Writes, serverScript)
	body := func(i int) string { return string(requests[i].Body) }
	if !strings.Contains(body(0), "notes: 4 tools") || !strings.Contains(body(0), `"mcp_call"`) {
		t.Errorf("the first request does not offer the server:\n%s", body(0))
	}
	if !strings.Contains(body(1), "Write a file.") {
		t.Errorf("the tool was not found:\n%s", body(1))
	}
	if text, err := os.ReadFile(filepath.Join(folder, "note.txt")); err != nil || string(text) != "kept\n" {
		t.Errorf("the note is %q, %v", text, err)
	}
	if !strings.Contains(body(2), "created note.txt") || !strings.Contains(body(3), `one\n`) || strings.Contains(body(4), "canary") {
		t.Errorf("answered:\n%s", body(4))
	}
	if len(user.asked) != 3 || user.asked[0].Preview.ServerCall == nil || user.asked[0].Preview.ServerCall.Tool != "write" {
		t.Errorf("asked about %+v", user.asked)
	}
	changes, err := b.OpenChanges(t.Context(), saved(t, b, id))
	must(t, err)
	defer func() { must(t, changes.Close()) }()
	sets, err := changes.Sets(t.Context())
	must(t, err)
	if len(sets) != 1 || len(sets[0].Changes) != 1 || sets[0].Changes[0].Path != "note.txt" {
		t.Errorf("recorded: %+v", sets)
	}
}

func saved(t *testing.T, b *backend.Backend, id string) session.Saved {
	t.Helper()
	found, err := b.Sessions.Find(t.Context(), id, "")
	must(t, err)
	return found
}

// TestEXT01_ADraftLeavesOutServersThatSeeTheFolder has none of them work on the folder itself while a
// draft is to be reviewed, and has those that do not see it stay.
func TestEXT01_ADraftLeavesOutServersThatSeeTheFolder(t *testing.T) {
	sandboxtest.NeedsFull(t)
	for grant, offered := range map[mcp.Folder]bool{mcp.FolderRead: false, mcp.FolderWrite: false, mcp.FolderNone: true} {
		b, folder := open(t), newFolder(t)
		addServer(t, b, folder, mcp.Grant{Folder: grant})
		_, requests, _ := runWith(t, b, folder, approve.Draft, "text Done.\n")
		if got := strings.Contains(string(requests[0].Body), "mcp_call"); got != offered {
			t.Errorf("with the folder %s: offered %v", grant, got)
		}
	}
}

// TestEXT02_AServerWithOtherToolsIsSuspended adds a tool after the user has agreed.
func TestEXT02_AServerWithOtherToolsIsSuspended(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	addServer(t, b, folder, mcp.Grant{Folder: mcp.FolderRead}, "-list", "more.txt")
	put(t, folder, "more.txt", "other\n")
	_, requests, _ := runWith(t, b, folder, approve.Writes, `call c1 mcp_call {"server":"notes","tool":"read","arguments":{"path":"a.txt"}}
---
text Done.
`)
	if last := string(requests[1].Body); !strings.Contains(last, "are not those that the user agreed to") || strings.Contains(last, `one\n`) {
		t.Errorf("the model is told:\n%s", last)
	}
	servers := b.Servers.Open(folder)
	defer servers.Close()
	status, err := servers.Try(t.Context(), "notes")
	must(t, err)
	if status.State != mcp.StateSuspended || status.Difference == nil || len(status.Difference.Added) != 1 || status.Difference.Added[0].Name != "other" {
		t.Fatalf("it is %s: %s, %+v", status.State, status.Reason, status.Difference)
	}
	must(t, servers.Agree(t.Context(), "notes", status.Found.Hash))
	if status, err = servers.Try(t.Context(), "notes"); err != nil || status.State != mcp.StateReady {
		t.Errorf("agreed to, it is %s: %s, %v", status.State, status.Reason, err)
	}
}

// TestEXT01_AServerHasTheVariablesItWasGranted gives one that was, and has the others stay away.
func TestEXT01_AServerHasTheVariablesItWasGranted(t *testing.T) {
	sandboxtest.NeedsFull(t)
	t.Setenv("OTHER", "canary")
	b, folder := open(t), newFolder(t)
	addServer(t, b, folder, mcp.Grant{Variables: []string{"ZONE"}})
	_, requests, user := runWith(t, b, folder, approve.Writes, `call c1 mcp_call {"server":"notes","tool":"variable","arguments":{"name":"ZONE"}}
---
call c2 mcp_call {"server":"notes","tool":"variable","arguments":{"name":"OTHER"}}
---
call c3 mcp_call {"server":"notes","tool":"read","arguments":{"path":"`+filepath.Join(folder, "a.txt")+`"}}
---
text Done.
`)
	last := string(requests[3].Body)
	// The value is known, and so hidden; that there was one is what counts.
	if !strings.Contains(last, "[redacted key]") || strings.Contains(last, "canary") || strings.Contains(last, `one\n`) {
		t.Errorf("the model is told:\n%s", last)
	}
	if len(user.asked) != 0 {
		t.Errorf("asked about calls that pass by themselves: %+v", user.asked)
	}
}

// TestSEC08_AServerCannotPlantWhatGitRuns has a server that may write in a repository write a hook, where
// there is a folder of hooks and where there is none.
func TestSEC08_AServerCannotPlantWhatGitRuns(t *testing.T) {
	sandboxtest.NeedsFull(t)
	for _, hooks := range []bool{true, false} {
		b, folder := open(t), newFolder(t)
		for _, dir := range []string{"objects", "refs"} {
			must(t, os.MkdirAll(filepath.Join(folder, ".git", dir), 0o700))
		}
		put(t, folder, ".git/HEAD", "ref: refs/heads/main\n")
		put(t, folder, ".git/config", "[core]\n\tbare = false\n")
		hook := filepath.Join(folder, ".git/hooks/pre-commit")
		if hooks {
			must(t, os.Mkdir(filepath.Dir(hook), 0o700))
		}
		addServer(t, b, folder, mcp.Grant{Folder: mcp.FolderWrite})
		runWith(t, b, folder, approve.Writes, `call c1 mcp_call {"server":"notes","tool":"write","arguments":{"path":".git/hooks/pre-commit","text":"#!/bin/sh\n"}}
---
call c2 mcp_call {"server":"notes","tool":"write","arguments":{"path":".git/config","text":"[core]\n\tfsmonitor = sh\n"}}
---
call c3 mcp_call {"server":"notes","tool":"write","arguments":{"path":".git/HEAD","text":"ref: refs/heads/other\n"}}
---
text Done.
`)
		if _, err := os.Lstat(hook); err == nil {
			t.Errorf("with a folder of hooks %v: a hook is there", hooks)
		}
		if text, err := os.ReadFile(filepath.Join(folder, ".git/config")); err != nil || strings.Contains(string(text), "fsmonitor") {
			t.Errorf("with a folder of hooks %v: the settings are %q, %v", hooks, text, err)
		}
		if text, err := os.ReadFile(filepath.Join(folder, ".git/HEAD")); err != nil || !strings.Contains(string(text), "other") {
			t.Errorf("with a folder of hooks %v: the rest cannot be written: %q, %v", hooks, text, err)
		}
		if _, err := os.Lstat(filepath.Dir(hook)); !hooks && err == nil {
			t.Error("an empty folder of hooks is left")
		}
	}
}

// TestEXT01_WhatIsRemovedIsGoneAtOnce looks for the process of a server after it was removed.
func TestEXT01_WhatIsRemovedIsGoneAtOnce(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	addServer(t, b, folder, mcp.Grant{}, "canary-argument")
	servers := b.Servers.Open(folder)
	defer servers.Close()
	if status, err := servers.Try(t.Context(), "notes"); err != nil || status.State != mcp.StateReady {
		t.Fatalf("it is %s: %s, %v", status.State, status.Reason, err)
	}
	if countProcesses(t, "canary-argument") == 0 {
		t.Fatal("its process is not found, so that nothing is shown")
	}
	must(t, b.Servers.Remove(t.Context(), "notes")) // package process bounds how long that takes
	if left := countProcesses(t, "canary-argument"); left > 0 {
		t.Errorf("%d processes are left", left)
	}
}

// countProcesses counts the processes with an argument.
func countProcesses(t *testing.T, argument string) (count int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	must(t, err)
	for _, name := range all {
		line, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(line), argument) && !strings.HasPrefix(name, "/proc/self/") {
			count++
		}
	}
	return count
}

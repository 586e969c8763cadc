package desktop_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/mcp"
	"fairlead/backend/message"
)

// serverProgram returns the server of tests, in a folder of this test.
func serverProgram(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "testserver")
	if out, err := exec.Command("go", "build", "-o", path, "fairlead/backend/mcp/host/testserver").CombinedOutput(); err != nil {
		t.Fatalf("build the server of tests: %v\n%s", err, out)
	}
	return path
}

// awaitServer waits until the only server is in a state.
func (s *stage) awaitServer(want mcp.State) desktop.Server {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.t.Context(), deadline)
	defer stop()
	for {
		found := s.server()
		if found.State == want {
			return found
		}
		select {
		case <-s.screen.news:
		case <-ctx.Done():
			s.t.Fatalf("the server is %s (%s), want %s; it wrote %q", found.State, found.Reason, want, found.Log)
		}
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestEXT01_AServerIsAddedAgreedToCalledAndSwitchedOff(t *testing.T) {
	call := `call c1 mcp_call {"server":"notes","tool":"variable","arguments":{"name":"ZONE"}}` + "\n---\ntext Done.\n"
	s := open(t, call+"---\ntext Nothing.\n", nil)
	s.ready()
	program := serverProgram(t)
	servers := service[*desktop.Servers](s)
	if s.server().Name != "" || len(s.state().Servers) > 0 {
		t.Error("there is a server")
	}
	const secret = "hunter2-hunter2-hunter2"
	found, raw := s.readText(desktop.ServerText{JSON: `{"mcpServers":{"Notes":{"command":"` + program + `","env":{"ZONE":"` + secret + `","TOKEN":"${T}"},"autoApprove":["*"]}}}`})
	if len(found.Servers) != 1 || strings.Contains(raw, secret) {
		t.Fatalf("read: %s", raw)
	}
	one := found.Servers[0]
	if one.Name != "notes" || one.Runs != program || one.Fetches || one.Replaces || strings.Join(one.NotTaken, " ") != `"autoApprove"` || len(one.Needs) != 1 {
		t.Errorf("read: %+v", one)
	}
	if len(one.Variables) != 2 || one.Variables[0].Given || !one.Variables[1].Given {
		t.Errorf("variables: %+v", one.Variables)
	}
	added := desktop.AddedServer{
		ID: found.ID, Name: one.Name, Hash: one.Hash, Values: map[string]string{"TOKEN": "abcdefgh-abcdefgh"},
		Grant: desktop.ServerGrant{Folder: mcp.FolderRead, Variables: []string{"ZONE"}},
	}
	kept, err := servers.Add(added)
	ok(t, err)
	if kept.Unsaved == "" {
		t.Error("without a keyring the values are saved")
	}
	waiting := s.awaitServer(mcp.StateSuspended)
	if waiting.Agreed || waiting.Difference == nil || len(waiting.Tools) != 4 || waiting.Tools[0].Name != "get" || waiting.Level == "" ||
		waiting.Grant == nil || waiting.Grant.Folder != mcp.FolderRead || strings.Join(waiting.Grant.Variables, " ") != "ZONE" {
		t.Errorf("before its tools were agreed to: %+v", waiting)
	}
	if _, err := servers.Agree("notes", strings.Repeat("0", 64)); code(t, err) != desktop.Code(message.InvalidState) {
		t.Errorf("agreed to tools that were not shown: %v", err)
	}
	_, err = servers.Agree("notes", waiting.ToolsHash)
	ok(t, err)
	ready := s.awaitServer(mcp.StateReady)
	if !ready.Agreed || !ready.On || ready.Difference != nil || len(ready.Log) == 0 {
		t.Errorf("after that: %+v", ready)
	}

	started := s.run("go")
	if asked := s.askedOrEnded(); asked != nil {
		if call := asked.Preview.ServerCall; call == nil || call.Server != "notes" || call.Folder != "read" || strings.Join(call.Variables, " ") != "ZONE" {
			t.Errorf("asked about %+v", asked.Preview.ServerCall)
		}
		s.answer(started.RunID, *asked, message.Approve)
	}
	s.awaitEnd(started.RunID)
	// The value is given to the server, and hidden from the model and in the window.
	for _, e := range s.screen.all() {
		if strings.Contains(string(e.Data), secret) {
			t.Errorf("%s shows the value: %s", e.Type, e.Data)
		}
	}
	if switches := s.state().Servers; len(switches) != 1 || switches[0].Switch != "mcp/notes" || !switches[0].On || switches[0].State != mcp.StateReady {
		t.Errorf("switches: %+v", switches)
	}
	_, err = service[*desktop.Sessions](s).SetGroup(started.SessionID, "mcp/notes", false)
	ok(t, err)
	if s.server().On || s.state().Servers[0].On {
		t.Error("it is still on")
	}
	before := len(s.model.Requests())
	s.awaitEnd(s.goOn(started.SessionID, "Go on").RunID)
	if body := string(s.model.Requests()[before].Body); strings.Contains(body, `"name":"mcp_call","description"`) || strings.Contains(body, "notes: 4 tools") {
		t.Errorf("a server that is switched off is offered:\n%s", body)
	}

	_, err = servers.Revoke("notes")
	ok(t, err)
	if left := s.awaitServer(mcp.StateConfigured); left.Grant != nil || left.Agreed {
		t.Errorf("revoked: %+v", left)
	}
	_, err = servers.Remove("notes")
	ok(t, err)
	if s.server().Name != "" {
		t.Error("it is still there")
	}
}

// askedOrEnded waits for a question or the end of a run; nil for the end.
func (s *stage) askedOrEnded() (request *event.ConfirmRequest) {
	s.t.Helper()
	s.screen.await(s.t, "a question or the end", func(e envelope) bool {
		if e.Type == event.TypeConfirmRequest {
			request = &event.ConfirmRequest{}
			ok(s.t, json.Unmarshal(e.Data, request))
		}
		return request != nil || ended(e)
	})
	return request
}

func TestEXT02_ChangedToolsAreShownAndAgreedToAgain(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	servers := service[*desktop.Servers](s)
	s.suggest("tools.txt", "search")
	found, _ := s.readText(desktop.ServerText{
		JSON: `{"mcpServers":{"notes":{"command":"` + serverProgram(t) + `","args":["-list","tools.txt"],"env":{"ZONE":""}}}}`,
	})
	_, err := servers.Add(desktop.AddedServer{
		ID: found.ID, Name: "notes", Hash: found.Servers[0].Hash, Grant: desktop.ServerGrant{Folder: mcp.FolderRead},
	})
	ok(t, err)
	_, err = servers.Agree("notes", s.awaitServer(mcp.StateSuspended).ToolsHash)
	ok(t, err)
	s.awaitServer(mcp.StateReady)

	// The server has other tools at its next start.
	s.suggest("tools.txt", "search wipe")
	_, err = servers.SetValue("notes", "ZONE", "Europe/Oslo")
	ok(t, err)
	if _, err := servers.SetValue("notes", "HOME", "x"); code(t, err) != desktop.Code(message.InvalidParams) {
		t.Errorf("a variable that it does not have: %v", err)
	}
	folders := service[*desktop.Folders](s)
	_, err = folders.Open(t.TempDir())
	ok(t, err)
	if elsewhere := s.server(); elsewhere.Grant != nil || len(s.state().Servers) > 0 {
		t.Errorf("it runs in another folder: %+v", elsewhere)
	}
	_, err = folders.Open(s.folder)
	ok(t, err)
	s = s.again()
	servers = service[*desktop.Servers](s)
	changed := s.awaitServer(mcp.StateSuspended)
	if !changed.Agreed || changed.Difference == nil || len(changed.Difference.Added) != 1 || changed.Difference.Added[0].Name != "wipe" || len(changed.Tools) != 6 {
		t.Fatalf("another tool: %+v", changed.Difference)
	}
	if switches := s.state().Servers; len(switches) != 1 || switches[0].State != mcp.StateSuspended {
		t.Errorf("switches: %+v", switches)
	}
	_, err = servers.Agree("notes", changed.ToolsHash)
	ok(t, err)
	if now := s.awaitServer(mcp.StateReady); len(now.Tools) != 6 {
		t.Errorf("agreed to %+v", now.Tools)
	}
}

func TestEXT01_AFailedServerSaysWhyAndIsTriedAgain(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	program := filepath.Join(t.TempDir(), "server")
	ok(t, os.WriteFile(program, []byte("#!/bin/sh\necho this is broken >&2\nexit 3\n"), 0o700))
	found, _ := s.readText(desktop.ServerText{Command: program, Name: "notes"})
	servers := service[*desktop.Servers](s)
	_, err := servers.Add(desktop.AddedServer{ID: found.ID, Name: "notes", Hash: found.Servers[0].Hash})
	ok(t, err)
	failed := s.awaitServer(mcp.StateFailed)
	if failed.Reason == "" || !strings.Contains(strings.Join(failed.Log, "\n"), "this is broken") {
		t.Errorf("it failed: %q, and wrote %q", failed.Reason, failed.Log)
	}
	ok(t, os.Rename(serverProgram(t), program))
	_, err = servers.Try("notes")
	ok(t, err)
	s.awaitServer(mcp.StateSuspended)
}

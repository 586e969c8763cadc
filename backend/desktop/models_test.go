package desktop_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

func TestEV06_ModelsOfAServerHereAreBounded(t *testing.T) {
	var list struct {
		Data []map[string]string `json:"data"`
	}
	for i := range 100 {
		list.Data = append(list.Data, map[string]string{"id": fmt.Sprintf("%02d%s", i, strings.Repeat("<", 50))})
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := json.NewEncoder(w).Encode(list); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	t.Setenv("OLLAMA_HOST", server.URL)
	s := open(t, "", nil)
	found, err := service[*desktop.Models](s).Detect()
	if err != nil || len(found) != 1 || len(found[0].Models) == 0 || !strings.HasPrefix(found[0].Models[0], "00") {
		t.Fatalf("found %+v, %v", found, err)
	}
	if text, err := json.Marshal(found); err != nil || len(text) > 8192/2 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestEV06_WhatAModelHasTaughtIsBounded(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	model, now := s.state().Model, time.Now()
	for i := range 60 {
		lesson := fmt.Sprintf("no_%d_%s", i, strings.Repeat("x", 90))
		if err := settings.LearnLesson(s.folders.State, model.BaseURL, model.Model, lesson, now); err != nil {
			t.Fatal(err)
		}
	}
	used, err := service[*desktop.Models](s).Use(desktop.ModelChoice{BaseURL: model.BaseURL, Model: model.Model})
	if err != nil || len(used.Lessons) < 10 || !strings.HasPrefix(used.Lessons[0].Name, "no_59_") {
		t.Errorf("%d lessons, %v", len(used.Lessons), err)
	}
	if text, err := json.Marshal(used); err != nil || len(text) > 8192/2 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestUI06_AModelChosenInTheTourEndsIt(t *testing.T) {
	s := open(t, "text hello", nil)
	t.Setenv("TMPDIR", t.TempDir())
	started, err := service[*desktop.Sessions](s).Tour()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Cancel(started.RunID); err != nil {
		t.Fatal(err)
	}
	s.screen.await(t, "the end", ended)
	if _, err := service[*desktop.Models](s).Use(desktop.ModelChoice{BaseURL: s.baseURL, Model: "scripted"}); err != nil {
		t.Fatal(err)
	}
	if state := s.state(); state.Tour || state.Workspace != nil || len(state.Runs) != 0 || state.Model.Model != "scripted" {
		t.Errorf("state: %+v", state)
	}
	if _, err := service[*desktop.Folders](s).Open(s.folder); err != nil {
		t.Fatal(err)
	}
	second := s.run("hello")
	s.screen.await(t, "the end", func(e envelope) bool { return e.RunID == second.RunID && e.Type == event.TypeLifecycleEnd })
	if len(s.model.Requests()) != 1 {
		t.Error("the chosen model was not asked")
	}
}

func TestATourThatIsRefusedLeavesNothing(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	started := s.tour()
	folder := s.state().Workspace.Path
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	if _, err := service[*desktop.Sessions](s).Tour(); code(t, err) != desktop.Code(message.Busy) {
		t.Errorf("busy: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(temporary, "fairlead-tour-*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if state := s.state(); !state.Tour || state.Workspace.Path != folder || state.Runs[0].RunID != started.RunID {
		t.Errorf("state: %+v", state)
	}
}

func TestARefusedModelChangesNothing(t *testing.T) {
	s := open(t, "text hello", nil)
	s.ready()
	models := service[*desktop.Models](s)
	started := s.tour()
	choice := desktop.ModelChoice{BaseURL: s.baseURL, Model: "other", Key: "sk-canary-refused", Keep: "session"}
	if _, err := models.Use(choice); code(t, err) != desktop.Code(message.Busy) {
		t.Errorf("busy: %v", err)
	}
	if _, err := s.Cancel(started.RunID); err != nil {
		t.Fatal(err)
	}
	s.screen.await(t, "the end", ended)
	if _, err := service[*desktop.Folders](s).Open(s.folder); err != nil {
		t.Fatal(err)
	}
	own := s.run("x")
	s.screen.await(t, "the end", func(e envelope) bool { return e.RunID == own.RunID && ended(e) })
	// The conversation cannot go on with a model that lacks its key.
	if _, err := models.Use(desktop.ModelChoice{Provider: "openai", Model: "other"}); code(t, err) != desktop.CodeNoKey {
		t.Errorf("no key: %v", err)
	}
	if state, err := settings.ReadState(s.folders.State); err != nil || state.Model.Model != "scripted" || s.state().Model.Model != "scripted" {
		t.Errorf("the refused model is chosen: %+v, %v", state, err)
	}
	chosen, err := models.Use(desktop.ModelChoice{BaseURL: s.baseURL, Model: "scripted"})
	if err != nil || chosen.KeySource != "" {
		t.Errorf("the refused key is kept: %+v, %v", chosen, err)
	}
}

func TestSEC01_KeysStayInside(t *testing.T) {
	const canary = "sk-canary-0123456789"
	t.Setenv("OPENAI_API_KEY", canary)
	s := open(t, fmt.Sprintf(`call c1 edit_file {"path":"a.txt","edits":[{"old":"b","new":"c"}]}
call c2 write_file {"path":"%sx.txt","content":"x"}
---
text I saw %sx.`, canary, canary), nil)
	if err := os.WriteFile(filepath.Join(s.folder, "a.txt"), []byte("a "+canary+"x b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("OPENAI_API_KEY") != "" {
		t.Error("programs that the window starts inherit the key")
	}
	s.model.Key = canary + "x"
	s.ready()
	choice := desktop.ModelChoice{BaseURL: s.baseURL, Model: "scripted", Key: canary + "x", Keep: "session"}
	models := service[*desktop.Models](s)
	if _, err := models.Use(choice); err != nil {
		t.Fatal(err)
	}
	tested, err := models.Test(desktop.ModelChoice{BaseURL: s.baseURL, Model: "scripted"})
	if err != nil || !tested.Known || tested.URL != s.baseURL+"/chat/completions" {
		t.Errorf("test: %+v, %v", tested, err)
	}
	if _, err := service[*desktop.Sessions](s).SetApprove("", "writes"); err != nil {
		t.Fatal(err)
	}
	started := s.run("say " + canary + "x")
	s.screen.await(t, "the end", ofType(event.TypeLifecycleEnd))
	if !s.model.Requests()[0].Authorized {
		t.Error("the key did not go to its host")
	}
	if state := s.state(); state.Model.KeySource != secret.FromSession {
		t.Errorf("source %q", state.Model.KeySource)
	}
	for _, e := range s.screen.all() {
		if strings.Contains(string(e.Data), canary) {
			t.Errorf("the key is in %s", e.Data)
		}
	}
	for _, path := range []string{"state", "tree?path=.", "file?path=a.txt", "runs/" + started.RunID + "/events?after=0", "runs/" + started.RunID + "/events/1"} {
		if body := s.get("/fairlead/" + path).Body.String(); strings.Contains(body, canary) {
			t.Errorf("the key is in %s: %s", path, body)
		}
	}
	err = filepath.WalkDir(s.folders.Data, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), canary) {
			t.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSEC01_AKeyIsForgottenWhenTheUserSaysSo(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	models := service[*desktop.Models](s)
	choice := desktop.ModelChoice{BaseURL: s.baseURL, Model: "scripted", Key: "sk-canary-0123456789", Keep: "session"}
	if _, err := models.Use(choice); err != nil {
		t.Fatal(err)
	}
	if source := s.state().Model.KeySource; source != secret.FromSession {
		t.Errorf("source %q", source)
	}
	if _, err := models.ForgetKey(desktop.ModelChoice{BaseURL: s.baseURL}); err != nil {
		t.Fatal(err)
	}
	if source := s.state().Model.KeySource; source != "" {
		t.Errorf("source %q after it was forgotten", source)
	}
}

func TestAKeyThatOnlyTheListTakesIsToldApart(t *testing.T) {
	const canary = "sk-canary-0123456789"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = w.Write([]byte(`{"data":[{"id":"m"}]}`))
			return
		}
		http.Error(w, `{"error":{"message":"wrong key `+canary+strings.Repeat(" <long>", 500)+`"}}`, http.StatusUnauthorized)
	}))
	defer server.Close()
	s := open(t, "", nil)
	tested, err := service[*desktop.Models](s).Test(desktop.ModelChoice{BaseURL: server.URL + "/v1", Model: "m", Key: canary})
	if err != nil || !tested.Listed || !tested.Known || tested.Tools != "" || tested.ToolsFault == nil {
		t.Fatalf("%+v, %v", tested, err)
	}
	if fault := tested.ToolsFault; fault.Code != desktop.Code(message.CodeAuth) || strings.Contains(fault.Message, "canary") {
		t.Errorf("fault %+v", fault)
	}
	if text, err := json.Marshal(tested); err != nil || len(text) > 8192 {
		t.Errorf("EV-06: %d bytes, %v", len(text), err)
	}
}

package desktop_test

import (
	"context"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/settings"
)

// deafAsker asks until it is released, whatever ends meanwhile.
type deafAsker struct{ asked, release chan struct{} }

func (a deafAsker) Ask(context.Context, event.ConfirmRequest) (message.Decision, error) {
	close(a.asked)
	<-a.release
	return message.Decision{}, context.Canceled
}

func TestLOOP13_TheWindowEndsThoughARunDoesNot(t *testing.T) {
	asker := deafAsker{make(chan struct{}), make(chan struct{})}
	s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}`, asker)
	s.ready()
	started := s.run("x")
	<-asker.asked
	ended := make(chan error, 1)
	go func() { ended <- s.Stop() }()
	err := <-ended
	if err == nil || !strings.Contains(err.Error(), started.RunID) {
		t.Errorf("a run that does not end is not named: %v", err)
	}
	close(asker.release)
}

func TestNothingBeginsOnceTheWindowCloses(t *testing.T) {
	s := open(t, "text hello", nil)
	s.ready()
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := service[*desktop.Folders](s).Open(s.folder); code(t, err) != desktop.Code(message.InvalidState) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := s.Run(desktop.Task{Prompt: "x"}); err == nil {
		t.Error("a run began")
	}
	if _, err := service[*desktop.Models](s).Use(desktop.ModelChoice{BaseURL: s.baseURL, Model: "other"}); code(t, err) != desktop.Code(message.InvalidState) {
		t.Errorf("a model: %v", err)
	}
	if state, err := settings.ReadState(s.folders.State); err != nil || state.Model.Model != "scripted" {
		t.Errorf("remembered: %+v, %v", state, err)
	}
}

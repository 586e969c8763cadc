package desktop_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"fairlead/backend/desktop"
	"fairlead/backend/message"
	"fairlead/backend/settings"
)

// deafDialogs ask until they are released, whatever ends meanwhile.
type deafDialogs struct{ asked, release chan struct{} }

func (d deafDialogs) Ask(context.Context, desktop.Dialog) (desktop.Press, error) {
	close(d.asked)
	<-d.release
	return desktop.Dismissed, context.Canceled
}

func (deafDialogs) LastKey() time.Time { return time.Time{} }

func (deafDialogs) InFront() bool { return true }

func TestLOOP13_TheWindowEndsThoughARunDoesNot(t *testing.T) {
	dialogs := deafDialogs{make(chan struct{}), make(chan struct{})}
	s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}`, dialogs)
	s.ready()
	started := s.run("x")
	<-dialogs.asked
	ended := make(chan error, 1)
	go func() { ended <- s.Stop() }()
	err := <-ended
	if err == nil || !strings.Contains(err.Error(), started.RunID) {
		t.Errorf("a run that does not end is not named: %v", err)
	}
	close(dialogs.release)
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

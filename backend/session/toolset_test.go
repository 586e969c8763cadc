package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/tool"
)

// server is a toolset that has a tool, or fails.
type server struct {
	polled atomic.Int64
	err    error
}

func (s *server) Name() string { return "notes" }

func (s *server) Tools(context.Context) ([]tool.Tool, error) {
	return []tool.Tool{job{&s.polled}}, s.err
}

// offer is what the model is offered in a request: the names of the tools, and their list
// as it was written.
func offer(t *testing.T, request llmtest.Request) (names []string, list string) {
	t.Helper()
	var body struct {
		Tools json.RawMessage `json:"tools"`
	}
	var tools []struct{ Function struct{ Name string } }
	if err := errors.Join(json.Unmarshal(request.Body, &body), json.Unmarshal(body.Tools, &tools)); err != nil {
		t.Fatal(err)
	}
	for _, one := range tools {
		names = append(names, one.Function.Name)
	}
	return names, string(body.Tools)
}

func TestTOOL08_ARunBeginsWithoutAToolsetThatFailsAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		notes := &server{}
		model := llmtest.Script("text One.\n---\ntext Two.\n---\ntext Three.\n---\ntext Four.\n")
		s := &stage{
			t: t, broker: approve.NewBroker(), sessions: session.NewManager(session.Options{}), ids: &atomic.Int64{},
			sets: []tool.Toolset{notes},
		}
		conversation := s.open(parseOptions(t, ""), model, pretend{&s.ticks})
		notices := func(err error) []message.Notice {
			t.Helper()
			notes.err = err
			run, err := conversation.BeginRun("Do it.")
			if err != nil {
				t.Fatal(err)
			}
			all := listen(t, run, 0)
			return all[0].Data.(event.LifecycleStart).Notices
		}
		none := notices(nil)
		told := notices(errors.New("no route to the server"))
		back := notices(nil)
		after := notices(nil)
		want := []message.Notice{{
			Code: message.NoticeToolsMissing, Data: message.NoticeData{Toolset: "notes", Error: "no route to the server"},
		}}
		if diff := cmp.Diff(want, told); diff != "" || len(none)+len(back)+len(after) > 0 {
			t.Errorf("notices %v, %v, %v, %s", none, back, after, diff)
		}
		requests := model.Requests()
		first, list := offer(t, requests[0])
		second, _ := offer(t, requests[1])
		_, third := offer(t, requests[2])
		if without := slices.DeleteFunc(first, func(name string) bool { return name == "job_status" }); !slices.Equal(without, second) {
			t.Errorf("without the toolset the model is offered %v", second)
		}
		if list != third {
			t.Errorf("MSG-02: the same tools are written otherwise:\n%s\n%s", list, third)
		}
	})
}

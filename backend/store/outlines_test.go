package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// longTalk saves messages with a text and a call each, whose texts have a number of
// bytes, and returns them.
func longTalk(t *testing.T, s *Store, sizes ...int) []message.Message {
	t.Helper()
	stream := event.NewKeptStream("r1", "s1", s.Record(t.Context(), session("s1", "/work")), func(err *event.NotKeptError) { t.Error(err) })
	at := time.UnixMilli(1_700_000_000_000).UTC()
	var history []message.Message
	for i, size := range sizes {
		id := fmt.Sprintf("m%d", i)
		use := message.NewToolUse(message.Call{ID: "c" + id, Name: "write_file", Arguments: json.RawMessage(`{"content":"` + strings.Repeat("a", size) + `"}`)})
		m := message.Message{ID: id, SessionID: "s1", RunID: "r1", Role: message.Assistant, CreatedAt: at, Parts: []message.Part{
			{ID: "t" + id, SessionID: "s1", MessageID: id, Type: message.TextPart, Text: strings.Repeat("b", size)},
			{ID: "u" + id, SessionID: "s1", MessageID: id, Type: message.ToolPart, Tool: use},
		}}
		stream.AddMessage(m)
		stream.Publish(event.ToolCall{CallID: use.CallID, ToolName: use.Name, Arguments: use.State.Input})
		result := message.Fail(message.CommandFailed, "it failed")
		result.Content, result.Changes = message.Text(strings.Repeat("c", size)), []message.Change{{Path: id, Kind: "modified"}}
		if err := use.Finish(result); err != nil {
			t.Fatal(err)
		}
		stream.SetPart(m.Parts[1]) // kept with the next event
		history = append(history, m)
	}
	stream.Publish(event.LifecycleEnd{Reason: message.ReasonCompleted})
	return history
}

func TestREL06_AnOutlineIsAConversationWithoutItsLongTexts(t *testing.T) {
	s := openIn(t, t.TempDir())
	history := longTalk(t, s, 10, 100_000)
	counted := map[string]message.Tokens{"tm1": {Part: 7}, "um1": {Part: 8, Output: 9}, "tm0": {Part: 1}}
	with := maps.Clone(counted)
	with["hint"] = message.Tokens{Part: 1} // a hook's, which nobody saved
	if err := s.KeepTokens(t.Context(), with); err != nil {
		t.Fatal(err)
	}
	pruned := history[1].Parts[1].Clone()
	pruned.Tool.State.Pruned = true
	record := s.Record(t.Context(), session("s1", "/work"))
	done := event.Event{Seq: 1, RunID: "r2", SessionID: "s1", Type: event.TypeLifecycleStart, Data: event.LifecycleStart{}}
	if err := record.Keep([]event.Event{done}, []event.Change{{Part: &pruned}}); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"as it was saved", "when nobody needed it before"} {
		outlines, known, err := s.Outlines(t.Context(), "s1")
		if err != nil || len(outlines) != 2 {
			t.Fatalf("%s: %d messages, %v", when, len(outlines), err)
		}
		if diff := cmp.Diff(history[0], outlines[0]); diff != "" {
			t.Errorf("%s: a short message is another one:\n%s", when, diff)
		}
		text, call := outlines[1].Parts[0], outlines[1].Parts[1]
		if text.Text != "" || text.Left.Text != 100_000 || call.Left.Output < 100_000 || call.Left.Input < 100_000 ||
			call.Tool.State.Output.Content.Text() != "" || string(call.Tool.State.Input) != "{}" {
			t.Errorf("%s: %+v, %+v", when, text.Left, call.Left)
		}
		if out := call.Tool.State.Output; call.Tool.CallID != "cm1" || out.Error.Code != message.CommandFailed || out.Changes[0].Path != "m1" {
			t.Errorf("%s: the call is not told of: %+v", when, call.Tool)
		}
		if when == "as it was saved" {
			if diff := cmp.Diff(counted, known); diff != "" {
				t.Errorf("sizes:\n%s", diff)
			}
			if !call.Tool.State.Pruned {
				t.Error("the mark of pruning is lost")
			}
			said, err := messagesOf(t, s, "s1")
			if err != nil || !said[1].Parts[1].Tool.State.Pruned || said[1].Parts[1].Tool.State.Output.Content.Text() == "" {
				t.Errorf("the whole message is not marked as pruned, or is not whole: %v", err)
			}
		}
		for i, outline := range outlines[1].Parts {
			whole, err := s.Part(t.Context(), outline)
			if !reflect.DeepEqual(history[1].Parts[i], whole) || err != nil {
				t.Errorf("%s: part %s is not whole: %v", when, outline.ID, err)
			}
		}
		// A database of an older Fairlead has none, nor has one that was rescued.
		if _, err := s.writer.Exec("DELETE FROM outlines"); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.Outlines(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	var kept int
	if err := s.reader.QueryRow("SELECT count(*) FROM outlines WHERE length(body) < 2000").Scan(&kept); err != nil || kept != 2 {
		t.Errorf("%d outlines are kept for the next time: %v", kept, err)
	}
}

func TestREL06_APartThatChangesIsOutlinedAnew(t *testing.T) {
	s := openIn(t, t.TempDir())
	history := longTalk(t, s, 100_000)
	if err := s.KeepTokens(t.Context(), map[string]message.Tokens{"tm0": {Part: 7}}); err != nil {
		t.Fatal(err)
	}
	changed := history[0].Parts[0]
	changed.Text = "short"
	next := event.Event{Seq: 1, RunID: "r2", SessionID: "s1", Type: event.TypeLifecycleStart, Data: event.LifecycleStart{}}
	if err := s.Record(t.Context(), session("s1", "/work")).Keep([]event.Event{next}, []event.Change{{Part: &changed}}); err != nil {
		t.Fatal(err)
	}
	outlines, known, err := s.Outlines(t.Context(), "s1")
	if err != nil || outlines[0].Parts[0].Text != "short" || len(known) != 0 {
		t.Errorf("%.20q, %v, %v", outlines[0].Parts[0].Text, known, err)
	}
}

func TestMessagesAreReadInPages(t *testing.T) {
	s := openIn(t, t.TempDir())
	var sizes []int
	for i := range 300 {
		sizes = append(sizes, i%3*100)
	}
	sizes[100], sizes[101] = 2<<20, 2<<20
	history := longTalk(t, s, sizes...)
	said, err := messagesOf(t, s, "s1")
	if !reflect.DeepEqual(history, said) || err != nil { // a difference of megabytes helps nobody
		t.Errorf("%d messages, which are not those that were saved: %v", len(said), err)
	}
	of, err := s.MessagesOf(t.Context(), Run{ID: "r1", SessionID: "s1"})
	if err != nil || len(of) != len(history) {
		t.Errorf("%d messages of the run, %v", len(of), err)
	}
	if of, err = s.MessagesOf(t.Context(), Run{ID: "another", SessionID: "s1"}); err != nil || len(of) != 0 {
		t.Errorf("%d messages of another run, %v", len(of), err)
	}
	for m, err := range s.EachMessage(t.Context(), "s1") {
		if err != nil {
			t.Fatal(err)
		}
		if m.ID == "m3" {
			break // a reader may end it early
		}
	}
	n := int64(0)
	for e, err := range s.EachEvent(t.Context(), Run{ID: "r1", SessionID: "s1"}, 10) {
		if n++; err != nil || e.Seq != n+10 {
			t.Fatalf("event %d after 10: %d, %v", n, e.Seq, err)
		}
	}
	if n != 291 {
		t.Errorf("%d events", n)
	}
}

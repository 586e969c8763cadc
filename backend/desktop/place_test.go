package desktop

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/workspace/names"
	"fairlead/backend/workspace/watch"
)

func TestEV06_MorePathsThanFitAreAFullReport(t *testing.T) {
	var few, many []string
	for i := range 200 {
		few = append(few, fmt.Sprintf("src/%d.txt", i))
		many = append(many, fmt.Sprintf("%s/%d", strings.Repeat("<", 10), i))
	}
	for _, test := range []struct {
		change watch.Change
		paths  int
		full   bool
	}{
		{watch.Change{Paths: few}, 200, false},
		{watch.Change{Paths: many, Limited: "few"}, 0, true},
		{watch.Change{Full: true}, 0, true},
		{watch.Change{Gone: true}, 0, false},
	} {
		test.change.Limited = strings.Repeat("x", 200)
		news := workspaceNews(test.change)
		if news.Paths == nil || len(news.Paths) != test.paths || news.Full != test.full || news.Gone != test.change.Gone || news.Limited != test.change.Limited {
			t.Errorf("got %d paths, %+v", len(news.Paths), news)
		}
		text, err := encode(event.Event{Seq: 1, Type: news.EventType(), Data: news}, maxJSON, func(b []byte) []byte { return b })
		if err != nil || len(text) > maxJSON || strings.Contains(string(text), `"ref"`) {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	}
}

func TestEV07_AClosedFolderHasNoNews(t *testing.T) {
	var sent []string
	w := &Window{folder: &shownFolder{}}
	w.emitter = &emitter{
		log: slog.New(slog.DiscardHandler), redact: func(b []byte) []byte { return b },
		send: func(batch []json.RawMessage) {
			for _, one := range batch {
				sent = append(sent, string(one))
			}
		},
	}
	closed, opened := &place{names: names.New(nil)}, &place{names: names.New(nil)}
	w.folder.place = opened
	w.announceChange(closed, watch.Change{Paths: []string{"of the closed one"}, Limited: "x"})
	w.announceChange(opened, watch.Change{Paths: []string{"of the open one"}})
	if len(sent) != 1 || !strings.Contains(sent[0], "of the open one") || w.folder.place.limited != "" {
		t.Errorf("sent %v", sent)
	}
	w.announceChange(opened, watch.Change{Gone: true})
	if !opened.gone {
		t.Error("a page that comes later is not told that the folder is gone")
	}
}

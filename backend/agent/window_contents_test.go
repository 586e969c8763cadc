package agent

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

func TestUI16_WhatFillsAWindowAddsUp(t *testing.T) {
	picture := said("2", "Look at this.")
	picture.Parts = append(picture.Parts, message.Part{
		ID: "2b", MessageID: "2", Type: message.ImagePart, Block: &message.Block{Type: message.ImageBlock, MediaType: "image/png", Sum: "s"},
	})
	pruned := round(t, "5", 4_000)
	pruned.Parts[0] = pruned.Parts[0].Prune()
	history := []message.Message{
		said("0", "what is covered takes nothing"), summary("1", "0", "What was said before."), picture, round(t, "3", 500),
		{ID: "4", Role: message.Assistant, Parts: []message.Part{{ID: "4p", MessageID: "4", Type: message.TextPart, Text: "It is done."}}},
		pruned,
	}
	p := NewParts(count, nil, nil)
	shares, err := p.Contents(history, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, sum := map[Content]int{}, 0
	for _, share := range shares {
		got[share.Kind], sum = share.Tokens, sum+share.Tokens
	}
	if want := newWindowMeter(0, p, "").requestTokens(shownMessages(history)); sum != want {
		t.Errorf("the shares come to %d tokens, a request takes %d", sum, want)
	}
	if got[ContentPictures] < pictureTokens || got[ContentResults] < 500 || got[ContentResults] > 600 {
		t.Errorf("pictures and results: %v", got)
	}
	delete(got, ContentPictures)
	delete(got, ContentResults)
	want := map[Content]int{ContentSummary: 8 + count("What was said before."), ContentUser: 8 + count("Look at this."), ContentModel: 3*8 + 2*8 + count("It is done.") + 2*(count("read")+count("{}"))}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("shares (-want +got):\n%s", diff)
	}
	if shares, err = p.Contents(nil, 0); err != nil || len(shares) > 0 {
		t.Errorf("of nothing: %v, %v", shares, err)
	}
}

func TestUI16_OfAFewWordsNoSummaryIsWorthIt(t *testing.T) {
	p := NewParts(count, nil, nil)
	long := round(t, "2", leastCompacted)
	for name, test := range map[string]struct {
		history []message.Message
		want    bool
	}{
		"nothing":                {nil, false},
		"a few words":            {[]message.Message{said("1", "Hello.")}, false},
		"a long round":           {[]message.Message{said("1", "Read it."), long}, true},
		"only a summary of that": {[]message.Message{said("1", "Read it."), long, summary("3", "2", long.ToolParts()[0].Tool.Seen())}, false},
	} {
		if got := p.CanCompact(test.history); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestUI16_TheNewestWordsStayWhole(t *testing.T) {
	m := meter(0, "")
	last := said("3", "And now?")
	for name, test := range map[string]struct {
		shown []message.Message
		want  int
	}{
		"a short last message":   {[]message.Message{said("1", "Read it."), round(t, "2", 3_000), last}, 2},
		"a long last round":      {[]message.Message{said("1", "Read it."), round(t, "2b", 3_000)}, 2},
		"one message":            {[]message.Message{round(t, "2c", 3_000)}, 1},
		"no more than a quarter": {[]message.Message{round(t, "2d", 1_500), round(t, "2e", 1_000), last}, 2},
	} {
		if got := m.nowStart(test.shown); got != test.want {
			t.Errorf("%s: from %d on, want %d", name, got, test.want)
		}
	}
}

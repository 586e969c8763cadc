package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

// shelf is where the texts of a history are that was loaded without them.
type shelf struct {
	whole map[string]message.Part
	read  []string // ids of the parts that were read
}

// outlines is a history without its long texts, and where these are.
func outlines(history []message.Message) ([]message.Message, *shelf) {
	s := &shelf{whole: map[string]message.Part{}}
	var short []message.Message
	for _, m := range history {
		m.Parts = slices.Clone(m.Parts)
		for i, part := range m.Parts {
			s.whole[part.ID] = part
			m.Parts[i] = part.Outline()
		}
		short = append(short, m)
	}
	return short, s
}

func (s *shelf) part(outline message.Part) (message.Part, error) {
	s.read = append(s.read, outline.ID)
	whole, ok := s.whole[outline.ID]
	if !ok {
		return message.Part{}, errors.New("it is not there")
	}
	return whole, nil
}

// long is a text of a number of tokens that begins with its id.
func long(id string, tokens int) message.Message {
	return said(id, id+strings.Repeat("word", tokens))
}

func TestREL06_OnlyWhatIsShownIsRead(t *testing.T) {
	history := []message.Message{
		long("1", 1_000), round(t, "2", 1_000), summary("3", "1", strings.Repeat("word", 1_000)), round(t, "4", 1_000), long("5", 1_000), said("6", "short"),
	}
	history[1].Parts[0].Tool.State.Pruned = true
	short, texts := outlines(history)
	parts := NewParts(count, texts.part, nil)
	shown, err := parts.readShown(short)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"3p", "4p", "5p"}, texts.read); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	for i, m := range shownMessages(history) {
		for j, part := range m.Parts {
			got := shown[i].Parts[j]
			if part.Text != got.Text || part.Tool != nil && part.Tool.Seen() != got.Tool.Seen() {
				t.Errorf("the model is shown something else of part %s", part.ID)
			}
		}
	}
	texts.read = nil
	if _, err := parts.readShown(short); err != nil || texts.read != nil {
		t.Errorf("read again: %v, %v", texts.read, err)
	}
}

func TestREL06_OfPrunedCallsTheArgumentsAreRead(t *testing.T) {
	call := round(t, "1", 1_000)
	call.Parts[0].Tool.State.Input = []byte(`{"content":"` + strings.Repeat("word", 1_000) + `"}`)
	call.Parts[0].Tool.State.Pruned = true
	short, texts := outlines([]message.Message{call})
	if string(short[0].Parts[0].Tool.State.Input) != "{}" {
		t.Fatal("the outline has the arguments")
	}
	shown, err := NewParts(count, texts.part, nil).readShown(short)
	if err != nil {
		t.Fatal(err)
	}
	use := shown[0].Parts[0].Tool
	if string(use.State.Input) != string(call.Parts[0].Tool.State.Input) || use.Seen() != call.Parts[0].Tool.Seen() || !use.State.Pruned {
		t.Errorf("shown: %.60s, %s", use.State.Input, use.Seen())
	}
	if use.State.Output.Content.Text() != "" {
		t.Error("the output that is left out is in memory")
	}
}

func TestREL06_SizesAreThoseOfTheWholeParts(t *testing.T) {
	history := []message.Message{long("1", 4_000), round(t, "2", 4_000), said("3", "short")}
	short, texts := outlines(history)
	parts := NewParts(count, texts.part, nil)
	if err := parts.Count(short, 10_000); err != nil {
		t.Fatal(err)
	}
	if got, want := newWindowMeter(0, parts, "").requestTokens(short), meter(0, "").requestTokens(history); got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	counted := parts.Fresh()
	if len(counted) != 3 || counted["2p"].Output != 4_000 || len(parts.Fresh()) != 0 {
		t.Errorf("counted: %v", counted)
	}
	again := NewParts(func(text string) int {
		if text != "" {
			t.Errorf("counted again: %.20q", text)
		}
		return 0
	}, nil, nil)
	again.Know(counted)
	if got, want := newWindowMeter(0, again, "").requestTokens(short), meter(0, "").requestTokens(history); got != want {
		t.Errorf("%d tokens by what was kept, want %d", got, want)
	}
}

func TestREL06_WhatNeverMattersIsNotCounted(t *testing.T) {
	var history []message.Message
	for i := range 100 {
		history = append(history, round(t, fmt.Sprint(i), 10_000))
	}
	short, texts := outlines(history)
	parts := NewParts(count, texts.part, nil)
	if err := parts.Count(short, 100_000); err != nil {
		t.Fatal(err)
	}
	if n := len(texts.read); n < 9 || n > 11 || texts.read[0] != "99p" {
		t.Errorf("%d parts were read, the first %v", n, texts.read[0])
	}
	pruned, before, after := newWindowMeter(100_000, parts, "").pruneOutputs(short)
	if len(pruned) < 90 || before < 900_000 || after > 60_000 {
		t.Errorf("%d pruned, %d tokens before and %d after", len(pruned), before, after)
	}
	if n := len(texts.read); n > 11 {
		t.Errorf("%d parts were read to prune", n)
	}
}

func TestREL06_ASummaryReadsWhatItTells(t *testing.T) {
	var history []message.Message
	for i := range 300 {
		history = append(history, long(fmt.Sprint("m", i), 1_000))
	}
	short, texts := outlines(history)
	parts := NewParts(count, texts.part, nil)
	told, err := newWindowMeter(10_000, parts, "").retellMessages(short)
	if err != nil || !strings.HasSuffix(told.Text(), "word") || len(texts.read) > 10 {
		t.Errorf("%d parts were read for %d bytes: %v", len(texts.read), len(told.Text()), err)
	}
	texts.read = nil
	text, err := parts.joinSummary(short, "m299", "s", ledger{})
	want, wantErr := NewParts(count, nil, nil).joinSummary(history, "m299", "s", ledger{})
	if text != want || err != nil || wantErr != nil {
		t.Errorf("a summary of outlines is another one: %v, %v", err, wantErr)
	}
	if n := len(texts.read); n > 10 || texts.read[n-1] != "m0p" {
		t.Errorf("%d prompts were read", n)
	}
}

func TestREL06_WhatCannotBeReadIsNotPassedOver(t *testing.T) {
	short, texts := outlines([]message.Message{long("1", 1_000), said("2", "short")})
	clear(texts.whole)
	parts := NewParts(count, texts.part, nil)
	if _, err := parts.readShown(short); err == nil {
		t.Error("shown without the text")
	}
	if _, err := parts.joinSummary(short, "2", "s", ledger{}); err == nil {
		t.Error("summed up without what the user said")
	}
	if _, err := newWindowMeter(0, parts, "").retellMessages(short); err == nil {
		t.Error("told without the text")
	}
}

func TestREL01_TextsThatAreNotShownAreLetGoOf(t *testing.T) {
	history := []message.Message{
		long("1", 1_000), round(t, "2", 1_000), summary("3", "1", "s"), round(t, "4", 1_000), round(t, "5", 1_000),
	}
	history[3].Parts[0].Tool.State.Pruned = true
	given := slices.Clone(history) // its messages share their parts
	before := shownMessages(history)
	Shed(history)
	left := map[string]bool{}
	for _, m := range history {
		left[m.ID] = m.Parts[0].Left != nil
	}
	if diff := cmp.Diff(map[string]bool{"1": true, "2": false, "3": false, "4": true, "5": false}, left); diff != "" {
		t.Errorf("left in the store (-want +got):\n%s", diff)
	}
	for i, m := range shownMessages(history) {
		if use := m.Parts[0].Tool; use != nil && use.Seen() != before[i].Parts[0].Tool.Seen() || m.Text() != before[i].Text() {
			t.Errorf("of message %s the model is shown something else", m.ID)
		}
	}
	if given[0].Text() == "" || given[3].Parts[0].Tool.State.Output.Content.Text() == "" {
		t.Error("a message that shares its parts was changed")
	}
}

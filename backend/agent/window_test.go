package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

// count takes four bytes for a token.
func count(text string) int { return (len(text) + 3) / 4 }

func meter(window int, prefix string) *windowMeter {
	return newWindowMeter(window, NewParts(count, nil, nil), prefix)
}

// summed is the summary of a whole history.
func summed(t *testing.T, history []message.Message, written string) string {
	t.Helper()
	text, err := NewParts(count, nil, nil).joinSummary(history, history[len(history)-1].ID, written, ledger{})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func said(id, text string) message.Message {
	return message.Message{ID: id, Role: message.User, Parts: []message.Part{{ID: id + "p", MessageID: id, Type: message.TextPart, Text: text}}}
}

// round is a message with a call whose output takes about so many tokens.
func round(t *testing.T, id string, tokens int, changes ...message.Change) message.Message {
	t.Helper()
	use := message.NewToolUse(message.Call{ID: "c" + id, Name: "read", Arguments: json.RawMessage(`{}`)})
	if err := use.Start(json.RawMessage(`{}`), time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := use.Finish(message.Result{Content: message.Text(strings.Repeat("word", tokens)), Changes: changes}); err != nil {
		t.Fatal(err)
	}
	return message.Message{ID: id, Role: message.Assistant, Parts: []message.Part{{ID: id + "p", MessageID: id, Type: message.ToolPart, Tool: use}}}
}

func summary(id, covers, text string) message.Message {
	m := said(id, text)
	m.Synthetic, m.Parts[0].Covers = true, covers
	return m
}

func ids(messages []message.Message) string {
	var out []string
	for _, m := range messages {
		out = append(out, m.ID)
	}
	return strings.Join(out, " ")
}

func TestCTX02_ASummaryStandsForWhatItCovers(t *testing.T) {
	for name, test := range map[string]struct {
		history []message.Message
		want    string
	}{
		"nothing":       {nil, ""},
		"no summary":    {[]message.Message{said("1", "a"), said("2", "b")}, "1 2"},
		"a summary":     {[]message.Message{said("1", "a"), said("2", "b"), summary("3", "1", "s"), said("4", "c")}, "3 2 4"},
		"of everything": {[]message.Message{said("1", "a"), said("2", "b"), summary("3", "2", "s")}, "3"},
		"two summaries": {
			[]message.Message{said("1", "a"), said("2", "b"), summary("3", "1", "s"), said("4", "c"), summary("5", "2", "s"), said("6", "d")}, "5 4 6",
		},
	} {
		if got := ids(shownMessages(test.history)); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestCTX01_OlderOutputsArePrunedInBatches(t *testing.T) {
	var history []message.Message
	m := meter(0, "")
	var batches []int
	for i := range 40 {
		history = append(history, round(t, fmt.Sprint(i), 5_000))
		pruned, before, least := m.pruneOutputs(history)
		if len(pruned) == 0 {
			continue
		}
		batches = append(batches, len(pruned))
		if after := m.requestTokens(history); least != after || before <= after {
			t.Errorf("said to leave %d tokens of %d, %d are left", least, before, after)
		}
		if whole := m.messageTokens(&history[i-7]); whole < 5_000 {
			t.Errorf("the newest 40,000 tokens were touched: %d tokens of message %d are left", whole, i-7)
		}
	}
	// 40,000 tokens are eight rounds; the outputs of five more are worth a batchTokens, because
	// their titles stay.
	if diff := cmp.Diff([]int{5, 5, 5, 5, 5, 5}, batches); diff != "" {
		t.Errorf("outputs pruned at a time (-want +got):\n%s", diff)
	}
	for _, m := range history {
		use := m.ToolParts()[0].Tool
		if use.State.Output.Content.Text() == "" || use.Seen() == "" {
			t.Fatal("an output is lost, or a call without one")
		}
	}
}

func TestCTX01_OfASmallWindowThePartsAreSmaller(t *testing.T) {
	m := meter(8_000, "")
	var history []message.Message
	for i := range 8 {
		history = append(history, round(t, fmt.Sprint(i), 1_000))
	}
	pruned, before, after := m.pruneOutputs(history)
	if len(pruned) != 4 || before-after < 2_000 {
		t.Errorf("%d outputs and %d tokens pruned, want 4 and more than 2,000", len(pruned), before-after)
	}
}

func TestPruneLeavesTheCallersHistoryAlone(t *testing.T) {
	m := meter(100, "")
	history := []message.Message{round(t, "1", 1_000), round(t, "2", 1_000)}
	given := slices.Clone(history) // its messages share their parts
	use := history[0].Parts[0].Tool
	if pruned, _, _ := m.pruneOutputs(history); len(pruned) != 1 || use.State.Pruned || !history[0].Parts[0].Tool.State.Pruned {
		t.Errorf("%d pruned; the caller's call is marked: %v", len(pruned), use.State.Pruned)
	}
	if given[0].Parts[0].Tool.State.Pruned {
		t.Error("a message that shares its parts was changed")
	}
}

func TestMeterTakesTheProvidersWordFirst(t *testing.T) {
	m := meter(1_000, strings.Repeat("word", 100))
	shown := []message.Message{said("1", strings.Repeat("word", 50))}
	if got := m.requestTokens(shown); got != 158 {
		t.Errorf("estimated %d, want 100 + 50 + 8", got)
	}
	m.setUsed(700, 1)
	if got := m.requestTokens(shown); got != 700 || m.isFull(shown) {
		t.Errorf("%d tokens, full %v", got, m.isFull(shown))
	}
	shown = append(shown, said("2", strings.Repeat("word", 100)))
	if got := m.requestTokens(shown); got != 808 || !m.isFull(shown) {
		t.Errorf("%d tokens, full %v", got, m.isFull(shown))
	}
	m.forgetSizes()
	if got := m.requestTokens(shown); got != 266 {
		t.Errorf("%d tokens after the view shrank", got)
	}
}

func TestSmallCountsNothing(t *testing.T) {
	m := newWindowMeter(0, NewParts(func(string) int { t.Error("counted"); return 0 }, nil, nil), "prefix")
	if !m.isSmall([]message.Message{round(t, "1", 100), said("2", "text")}) {
		t.Error("a short conversation is not small")
	}
	if m.isSmall([]message.Message{round(t, "1", 10_000)}) {
		t.Error("40,000 bytes are small")
	}
}

func TestCTX02_TheTailIsWholeMessages(t *testing.T) {
	m := meter(4_000, "")
	for name, test := range map[string]struct {
		sizes []int
		want  int
	}{
		"one message":       {[]int{5_000}, 0},
		"a long last one":   {[]int{10, 10, 5_000}, 2},
		"what fits":         {[]int{500, 500, 300, 300, 300}, 2},
		"everything is new": {[]int{10, 10, 10}, 0},
	} {
		var shown []message.Message
		for i, size := range test.sizes {
			shown = append(shown, round(t, name+fmt.Sprint(i), size))
		}
		if got := m.tailStart(shown); got != test.want {
			t.Errorf("%s: the tail begins at %d, want %d", name, got, test.want)
		}
	}
}

func TestCTX02_GoalAndChangedFilesStayToTheLetter(t *testing.T) {
	goal := "Fix the parser.\n</said> Do not touch <b>tests</b>."
	history := []message.Message{
		said("1", goal),
		round(t, "2", 10, message.Change{Path: "a.go", Kind: "modified"}, message.Change{Path: "b.go", Kind: "created"}),
		round(t, "3", 10, message.Change{Path: "a.go", Kind: "modified"}),
		summary("4", "2", "an earlier summary"),
		said("5", "And the lexer."),
	}
	history[2].Parts = append(history[2].Parts, message.Part{Type: message.TextPart, Text: "on my way"})
	want := "The messages before this one were summed up to save space.\n\n" +
		"<said>\n" + goal + "\n--\nAnd the lexer.\n</said>\n\n" +
		"<files>\ncreated b.go\nmodified a.go\n</files>\n\n" +
		"<summary>\nHalf is done.\n</summary>"
	if diff := cmp.Diff(want, summed(t, history, " Half is done.\n")); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestCTX02_OfManyPromptsTheFirstAndTheLastStay(t *testing.T) {
	var history []message.Message
	for i := range 50 {
		history = append(history, said(fmt.Sprint(i), fmt.Sprintf("prompt %d %s", i, strings.Repeat("x", 1_000))))
	}
	text := summed(t, history, "s")
	if len(text) > 30_000 || !strings.Contains(text, "prompt 0 ") || !strings.Contains(text, "prompt 49 ") || strings.Contains(text, "prompt 5 ") {
		t.Errorf("%d bytes, beginning %.60q", len(text), text)
	}
}

func TestToldIsBounded(t *testing.T) {
	m := meter(0, "")
	var history []message.Message
	for i := range 300 {
		history = append(history, round(t, fmt.Sprint(i), 5_000), said(fmt.Sprint("t", i), fmt.Sprintf("text %d", i)))
	}
	told, err := m.retellMessages(history)
	if err != nil {
		t.Fatal(err)
	}
	text := told.Text()
	if len(text) > 210_000 || !strings.HasSuffix(text, "user: text 299") || !strings.Contains(text, "[…]") {
		t.Errorf("%d bytes, ending %q", len(text), text[len(text)-40:])
	}
}

func TestCTX02_TheBiggestAreNamed(t *testing.T) {
	m := meter(0, "")
	got := m.nameBiggest([]message.Message{said("1", "short"), round(t, "2", 900), said("3", strings.Repeat("word", 500)), said("4", "a")})
	if want := "the round of read (918 tokens), a text of the user (508 tokens), a text of the user (10 tokens)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

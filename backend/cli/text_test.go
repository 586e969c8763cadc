package cli

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// shown is what a terminal shows of events, where questions are asked at it or not.
func shown(t *testing.T, here bool, data ...event.Data) string {
	t.Helper()
	var screen strings.Builder
	out := newText(&screen, &screen, true, "", func(string) bool { return here })
	for i, d := range data {
		if err := out.write([]event.Event{{Seq: int64(i) + 1, Type: d.EventType(), Data: d}}); err != nil {
			t.Fatal(err)
		}
	}
	return screen.String()
}

func TestEV03_AReplacedTextIsShownAsThat(t *testing.T) {
	half := event.AssistantDelta{PartID: "p1", Content: "the first"}
	tests := map[string]struct {
		data []event.Data
		want string
	}{
		"streamed": {
			[]event.Data{half, event.AssistantFinal{PartID: "p1", Content: "the\x1b second"}, event.LifecycleEnd{Content: "x"}},
			"the first\n(the text above is replaced by this:)\nthe\\u{1b} second\n",
		},
		"not streamed": {
			[]event.Data{half, event.AssistantFinal{PartID: "p2", Content: "the second\n"}, event.LifecycleEnd{Content: "x"}},
			"the first\nthe second\n",
		},
		"by its pieces": {
			[]event.Data{
				half,
				event.AssistantDelta{PartID: "p2", Content: " and la"},
				event.AssistantDelta{PartID: "p2", Content: "st"},
				event.AssistantFinal{PartID: "p2", Content: "the first and last", Discard: []string{"p1"}},
				event.LifecycleEnd{Content: "x"},
			},
			"the first and last\n",
		},
		"by its pieces, with a line between": {
			[]event.Data{
				half,
				event.LLMRetry{Message: "busy", Attempt: 2, MaxAttempts: 5},
				event.AssistantDelta{PartID: "p2", Content: " and last"},
				event.AssistantFinal{PartID: "p2", Content: "the first and last", Discard: []string{"p1"}},
				event.LifecycleEnd{Content: "x"},
			},
			"the first\n! busy; attempt 2 of 5 in 0s\n and last\n(the text above is replaced by this:)\nthe first and last\n",
		},
		"by other pieces": {
			[]event.Data{
				half,
				event.AssistantDelta{PartID: "p2", Content: " and last"},
				event.AssistantFinal{PartID: "p2", Content: "the first and hidden", Discard: []string{"p1"}},
				event.LifecycleEnd{Content: "x"},
			},
			"the first and last\n(the text above is replaced by this:)\nthe first and hidden\n",
		},
		"by nothing": {
			[]event.Data{half, event.AssistantFinal{PartID: "p1"}, event.LifecycleEnd{}},
			"the first\n(the text above is discarded)\n",
		},
	}
	for name, test := range tests {
		if got := shown(t, false, test.data...); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// What an answer says reaches a terminal as text, whether there is one or a pipe that
// leads to one, and wherever its pieces are cut.
func TestSEC04_AnAnswerGivesATerminalNoOrders(t *testing.T) {
	const (
		answer = "a\x1b]0;x\x07b\r\u009b2Jc\tד\u200fק\u200e نمی\u200cخواهم 👩\u200d💻 x\u202ey\u2066z\u2069\n目"
		want   = `a\u{1b}]0;x\u{7}b\u{d}\u{9b}2Jc` + "\tד\u200fק\u200e نمی\u200cخواهم 👩\u200d💻 " + `x\u{202e}y\u{2066}z\u{2069}` + "\n目"
	)
	for size := 1; size <= 4; size++ {
		var data []event.Data
		for rest := answer; rest != ""; {
			n := min(size, len(rest))
			data = append(data, event.AssistantDelta{PartID: "p", Content: rest[:n]})
			rest = rest[n:]
		}
		if got := shown(t, false, append(data, event.LifecycleEnd{Content: answer})...); got != want+"\n" {
			t.Errorf("in pieces of %d bytes: %q", size, got)
		}
	}
	var piped, told strings.Builder
	out := newText(&piped, &told, false, "", func(string) bool { return false })
	for _, d := range []event.Data{event.LifecycleEnd{Content: answer}, event.LifecycleError{PartialContent: answer}} {
		if err := out.write([]event.Event{{Type: d.EventType(), Data: d}}); err != nil {
			t.Fatal(err)
		}
	}
	if got := piped.String(); got != want+"\n"+want+"\n" {
		t.Errorf("through a pipe: %q", got)
	}
	if got := shown(t, false, event.AssistantDelta{Content: "a\x9b2Jb"}, event.LifecycleEnd{}); strings.Contains(got, "\x9b") && !strings.Contains(got, "\uFFFD") {
		t.Errorf("a byte that is no character: %q", got)
	}
}

func TestDOOM02_WhatAGuardDecidedIsALine(t *testing.T) {
	request := event.GuardRequest{GuardID: "g1", Detail: "it\nrepeats"}
	const asked = "? it\\u{a}repeats; may the run go on\n"
	tests := []struct {
		verdict     message.GuardVerdict
		by          message.Decider
		here, there string
	}{
		{message.GuardContinue, message.ByUser, "", asked + "  the run goes on\n"},
		{message.GuardStop, message.ByUser, "", asked + "  the run stops\n"},
		{message.GuardStop, message.ByTimeout, "  not answered in time: the run stops\n", asked + "  not answered in time: the run stops\n"},
		{message.GuardStop, message.ByMode, "  nobody can be asked: the run stops\n", asked + "  nobody can be asked: the run stops\n"},
		{message.GuardStop, message.ByCancel, "", asked},
	}
	for _, test := range tests {
		result := event.GuardResult{GuardID: "g1", Decision: test.verdict, By: test.by}
		if got := shown(t, true, request, result); got != test.here {
			t.Errorf("%s by %s, asked here: %q", test.verdict, test.by, got)
		}
		if got := shown(t, false, request, result); got != test.there {
			t.Errorf("%s by %s, asked elsewhere: %q", test.verdict, test.by, got)
		}
	}
}

func TestHITL10_NothingIsWrittenBelowAGuardsQuestion(t *testing.T) {
	request, queued := event.GuardRequest{GuardID: "g1"}, event.PromptQueued{Text: "fake", Target: message.TargetStep}
	if got := shown(t, true, request, queued, request); got != "" {
		t.Errorf("below the question: %q", got)
	}
	if got := shown(t, true, request, queued, event.GuardResult{GuardID: "g1"}); got != "» waits for the next step: fake\n" {
		t.Errorf("after the answer: %q", got)
	}
}

func TestCTX01_WhatIsLeftOutIsALine(t *testing.T) {
	for want, data := range map[string]event.ContextCompacted{
		"(older messages were summed up: 84k → 6.0k tokens)\n": {Before: 84_321, After: 6_049, Mode: event.Compact},
		"(older outputs were left out: 10k → 999 tokens)\n":    {Before: 9_950, After: 999, Mode: event.Prune},
	} {
		if got := shown(t, false, data); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestHITL10_AQuestionPutAgainWaitsForItsOwnMilestone: the first one was shown anew
// because the user wanted more time, and then answered by an edit.
func TestHITL10_AQuestionPutAgainWaitsForItsOwnMilestone(t *testing.T) {
	var questions milestones
	out := newText(&strings.Builder{}, &strings.Builder{}, true, "", questions.markReached)
	ask := func(expiresAt int64) event.Data { return event.ConfirmRequest{CallID: "c1", ExpiresAt: expiresAt} }
	for _, data := range []event.Data{ask(1), ask(2), event.ConfirmResult{CallID: "c1"}} {
		if err := out.write([]event.Event{{Data: data}}); err != nil {
			t.Fatal(err)
		}
	}
	over, end := context.WithCancel(t.Context())
	end()
	if err := questions.awaitReached(t.Context(), milestoneOf("c1", 1)); err != nil {
		t.Errorf("the first question: %v", err)
	}
	if err := questions.awaitReached(over, milestoneOf("c1", 3)); !errors.Is(err, context.Canceled) {
		t.Errorf("the second question is asked before it is written: %v", err)
	}
}

func TestDOOM02_TheTourStops(t *testing.T) {
	var screen strings.Builder
	guide := &guide{out: &screen, shown: &milestones{}}
	request := event.GuardRequest{GuardID: "g1", Kind: message.GuardBudget, Detail: "110 of 100 tokens are used", ExpiresAt: 7}
	over, end := context.WithCancel(t.Context())
	end()
	if verdict, err := guide.AskGuard(over, request); err == nil || screen.Len() > 0 {
		t.Errorf("it decides %q before the question is written", verdict)
	}
	guide.shown.markReached(milestoneOf("g1", 7))
	verdict, err := guide.AskGuard(t.Context(), request)
	if verdict != message.GuardStop || err != nil {
		t.Errorf("it decides %q, %v", verdict, err)
	}
	const want = "\n? the run has used up its tokens; may it use as many again\n  │ 110 of 100 tokens are used\n" +
		"  [guided tour] the user would be asked here; the tour stops\n"
	if screen.String() != want {
		t.Errorf("it shows %q", screen.String())
	}
}

func TestPART01_WhatIsNotTextIsNamedUnderALongResult(t *testing.T) {
	content := message.Content{{Type: message.TextBlock, Text: strings.Repeat("a line\n", 20)}, {Type: message.ImageBlock, Name: "a.png", Data: []byte("x")}}
	result := event.ResultOf("c1", message.Result{Content: content})
	if got := shown(t, false, result); strings.Count(got, "[image: a.png, 1 bytes]\n") != 1 || !strings.Contains(got, "9 more lines") {
		t.Errorf("a long result is shown as %q", got)
	}
	result = event.ResultOf("c1", message.Result{Content: content[1:]})
	if got := shown(t, false, result); strings.Count(got, "[image: a.png, 1 bytes]\n") != 1 {
		t.Errorf("a short result is shown as %q", got)
	}
}

// What comes while a question is open is written once that is closed. In a terminal, when
// an event comes after a key was pressed is chance: see also
// TestHITL10_NothingIsWrittenBelowAQuestion.
func TestHITL10_WhatComesWhileAQuestionIsOpenIsHeld(t *testing.T) {
	data := []event.Data{
		event.ToolCall{CallID: "c1", ToolName: "shell"},
		event.ToolCall{CallID: "c2", ToolName: "write_file"},
		event.ConfirmRequest{CallID: "c2"},
		event.ToolResult{CallID: "c1", Success: true, Content: "of the first\n"},
	}
	if got := shown(t, true, data...); strings.Contains(got, "of the first") {
		t.Errorf("it is written below the question: %q", got)
	}
	answer := event.ConfirmResult{CallID: "c2", Decision: message.Approve, By: message.ByUser}
	if got := shown(t, true, append(data, answer)...); !strings.Contains(got, "of the first") {
		t.Errorf("it is lost: %q", got)
	}
	if got := shown(t, false, data...); !strings.Contains(got, "of the first") {
		t.Errorf("it waits for a question that is asked elsewhere: %q", got)
	}
}

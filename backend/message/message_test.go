package message_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

func TestPART01_MessageSplitsIntoTextAndCalls(t *testing.T) {
	m := message.Message{Parts: []message.Part{
		{ID: "1", Type: message.ReasoningPart, Text: "thinking"},
		{ID: "2", Type: message.TextPart, Text: "first"},
		{ID: "3", Type: message.ToolPart, Tool: &message.ToolUse{CallID: "a"}},
		{ID: "4", Type: message.TextPart},
		{ID: "5", Type: message.TextPart, Text: "second"},
		{ID: "6", Type: message.ToolPart, Tool: &message.ToolUse{CallID: "b"}},
	}}
	if got, want := m.Text(), "first\n\nsecond"; got != want {
		t.Errorf("text is %q, want %q", got, want)
	}
	var ids []string
	for _, part := range m.ToolParts() {
		ids = append(ids, part.Tool.CallID)
		part.Interrupted = true
	}
	if diff := cmp.Diff([]string{"a", "b"}, ids); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if !m.Parts[2].Interrupted || !m.Parts[5].Interrupted {
		t.Error("the tool parts returned are copies")
	}
}

func TestUsageAdds(t *testing.T) {
	got := message.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 4}.Add(
		message.Usage{Prompt: 10, Completion: 20, Reasoning: 30, Cached: 40})
	want := message.Usage{Prompt: 11, Completion: 22, Reasoning: 33, Cached: 44}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

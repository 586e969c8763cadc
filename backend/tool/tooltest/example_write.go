package tooltest

import (
	"context"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// noteWrite is a tool that writes: the user is asked before it does, and asked again where
// the page has changed meanwhile.
type noteWrite struct{ book *Notebook }

func writeExample(n *Notebook) Case {
	return Case{
		Tool: noteWrite{n}, Good: `{"text":"two\n"}`,
		Before:    func() { n.Write("one\n") },
		Untouched: func(t *testing.T) { wantPage(t, n, "one\n") },
		CRLF:      Probe{Arguments: `{"text":"a\r\nb\r\n"}`, Want: "written", After: func(t *testing.T) { wantPage(t, n, "a\r\nb\r\n") }},
		Unicode:   Probe{Arguments: `{"text":"é目😀\n"}`, Want: "written", After: func(t *testing.T) { wantPage(t, n, "é目😀\n") }},
	}
}

// Definition implements tool.Tool.
func (noteWrite) Definition() tool.Definition {
	return tool.Definition{
		Name: "note_write", Description: "Write the page of the notebook.", Parameters: tool.Schema[textArguments](),
		Confirm: true, Effect: message.EffectFiles, Group: "notebook",
		Display: message.Display{Title: "Write the notebook", Verb: message.VerbWrite, Icon: message.IconPencil, Form: []message.FormField{{At: "text"}}},
	}
}

// Prepare implements tool.Tool.
func (t noteWrite) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	text, err := readText(in)
	if err != nil {
		return tool.Plan{}, err
	}
	old := t.book.Page()
	preview := previewOf(old, text)
	return tool.Plan{
		Preview: preview, Asks: true,
		Check: func(context.Context) error {
			if t.book.Page() != old {
				return errStale
			}
			return nil
		},
		Run: func(ctx context.Context, _ func(string)) tool.Outcome {
			switch {
			case ctx.Err() != nil:
				return tool.Outcome{Result: tool.Failure(ctx.Err())}
			case !t.book.replace(old, text):
				return tool.Outcome{Result: tool.Failure(errStale)}
			}
			result := changed(preview)
			result.Content = message.Text("written")
			return tool.Outcome{Result: result}
		},
	}, nil
}

func wantPage(t *testing.T, n *Notebook, want string) {
	t.Helper()
	if got := n.Page(); got != want {
		t.Errorf("the page has %q, want %q", got, want)
	}
}

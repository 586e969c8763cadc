package tooltest

import (
	"context"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// noteRead is a tool that reads: nobody is asked, and it has nothing to show before it runs.
type noteRead struct{ book *Notebook }

func readExample(n *Notebook) Case {
	return Case{
		Tool: noteRead{n}, Good: `{}`,
		Before:  func() { n.Write("one\n") },
		CRLF:    Probe{Arguments: `{}`, Want: "one\n"},
		Unicode: Probe{Arguments: `{}`, Want: "one\n"},
	}
}

// Definition implements tool.Tool.
func (noteRead) Definition() tool.Definition {
	return tool.Definition{
		Name: "note_read", Description: "Read the page of the notebook.", Parameters: tool.Schema[struct{}](),
		Effect: message.EffectNone, Group: "notebook",
		Display: message.Display{Title: "Read the notebook", Verb: message.VerbRead},
	}
}

// Prepare implements tool.Tool.
func (t noteRead) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	if _, err := tool.Arguments[struct{}](in.Arguments); err != nil {
		return tool.Plan{}, err
	}
	return tool.Plan{Run: func(context.Context, func(string)) tool.Outcome {
		text := t.book.Page()
		if text == "" {
			text = "the page is empty"
		}
		return tool.Outcome{Result: message.Result{Content: message.Text(text)}}
	}}, nil
}

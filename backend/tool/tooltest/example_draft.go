package tooltest

import (
	"context"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// noteDraft is a tool whose changes are asked about afterwards: it runs unasked on a copy
// of the page, and what it made of that is shown, and applied or dropped. What follows the word
// key is withheld from the model.
type noteDraft struct{ book *Notebook }

func draftExample(n *Notebook) Case {
	return Case{
		Tool: noteDraft{n}, Good: `{"text":"three\n"}`,
		Before:    func() { n.Write("one\n") },
		Untouched: func(t *testing.T) { wantPage(t, n, "one\n") },
		CRLF:      Probe{Arguments: `{"text":"a\r\nb\r\n"}`, Want: "drafted", After: func(t *testing.T) { wantPage(t, n, "a\r\nb\r\n") }},
		Unicode:   Probe{Arguments: `{"text":"é目😀\n"}`, Want: "drafted", After: func(t *testing.T) { wantPage(t, n, "é目😀\n") }},
	}
}

// Definition implements tool.Tool.
func (noteDraft) Definition() tool.Definition {
	return tool.Definition{
		Name: "note_draft", Description: "Draft the page of the notebook.", Parameters: tool.Schema[textArguments](),
		Confirm: true, Effect: message.EffectCommand, Group: "notebook",
		Display: message.Display{Title: "Draft the notebook"},
	}
}

// Prepare implements tool.Tool.
func (t noteDraft) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	text, err := readText(in)
	if err != nil {
		return tool.Plan{}, err
	}
	return tool.Plan{Run: func(ctx context.Context, _ func(string)) tool.Outcome {
		if ctx.Err() != nil {
			return tool.Outcome{Result: tool.Failure(ctx.Err())}
		}
		old := t.book.Page()
		result := message.Result{Content: message.Text("drafted")}
		var withheld *tool.Withheld
		if key, ok := strings.CutPrefix(text, "key "); ok {
			withheld = &tool.Withheld{
				Preview: message.Preview{Effect: message.EffectNone, Command: "draft", Output: "drafted [hidden]", Keys: 1},
				Shown:   "drafted [hidden]", Whole: "drafted " + strings.TrimSpace(key),
			}
			result.Content = message.Text(withheld.Shown)
		}
		if old == text {
			return tool.Outcome{Result: result, Withheld: withheld}
		}
		preview := previewOf(old, text)
		return tool.Outcome{Result: result, Withheld: withheld, Changes: &tool.Changes{
			Preview: preview,
			Apply: func(context.Context, message.Chosen) message.Result {
				if !t.book.replace(old, text) {
					return tool.Failure(errStale)
				}
				return changed(preview)
			},
			Drop: func(context.Context) message.Result { return message.Result{} },
		}}
	}}, nil
}

package desktop

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// maxArguments is how many arguments are shown of a call that cannot be shown whole.
const maxArguments = 12

// toolTitle is what the tool of a call is called, as far as the conversation knows.
func (c *conversation) toolTitle(ctx context.Context, request event.ConfirmRequest) string {
	if runs := c.KeptRuns(); len(runs) > 0 {
		events, _ := runs[len(runs)-1].Events.Since(ctx, 0) // of a run that goes on all are in memory
		return titleOf(request, events)
	}
	return request.ToolName
}

// titleOf is the title of a tool that a call was announced with, or the tool's name where
// it has none.
func titleOf(request event.ConfirmRequest, events []event.Event) string {
	for _, e := range slices.Backward(events) {
		if call, ok := e.Data.(event.ToolCall); ok && call.CallID == request.CallID && call.Display != nil && call.Display.Title != "" {
			return call.Display.Title
		}
	}
	return request.ToolName
}

// addCall shows the title of a tool and the arguments of a call, one a line. Where they are
// too long they are cut, and approving is not offered.
func (q *question) addCall(title string, arguments json.RawMessage, w wording) {
	lines := append([]string{message.Inline(title)}, argumentLines(arguments)...)
	before := q.dialog.Text
	if before != "" {
		before += "\n\n"
	}
	whole, _ := foldText(strings.Join(lines, "\n"), nil, nil)
	if q.dialog.Text = before + whole; q.dialog.countRows() <= maxDialogLines {
		return
	}
	for i, line := range lines {
		lines[i] = cutLine(line)
	}
	if len(lines) > maxArguments+1 {
		lines = append(lines[:maxArguments+1], "…")
	}
	q.dialog.Text = before + strings.Join(lines, "\n")
	if !q.unseen {
		q.unseen, q.dialog.Facts = true, strings.TrimRight(w.tooLong+"\n"+q.dialog.Facts, "\n")
	}
}

// argumentLines are the arguments of a call in the order in which the model gave them, one
// a line, texts without quotes.
func argumentLines(arguments json.RawMessage) []string {
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	if begin, err := decoder.Token(); err != nil || begin != json.Delim('{') {
		return []string{oneRow(string(arguments))}
	}
	var lines []string
	for decoder.More() {
		name, err := decoder.Token()
		var value json.RawMessage
		if err != nil || decoder.Decode(&value) != nil {
			return []string{oneRow(string(arguments))}
		}
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		lines = append(lines, oneRow(name.(string)+": "+text)) //nolint:forcetypeassert // the keys of an object are texts
	}
	return lines
}

// oneRow is a text that begins no line of its own, with tabs as spaces.
func oneRow(text string) string { return strings.ReplaceAll(message.Inline(text), "\t", tab) }

// cutLine cuts a line to the width of a dialog.
func cutLine(line string) string {
	if message.Columns(line) <= maxDialogColumns {
		return line
	}
	used := message.Columns("…")
	for i, r := range line {
		if used += message.Columns(string(r)); used > maxDialogColumns {
			return line[:i] + "…"
		}
	}
	return line
}

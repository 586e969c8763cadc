package message

import (
	"bytes"
	"encoding/json"
)

// ParsePart reads a part from its JSON, also one that an earlier version saved: the content
// of a result was a text then, and its data had other keys (see olderData).
//
// No type of a part reads its own JSON, because encoding/json looks through what such a
// type reads three times instead of once.
func ParsePart(text []byte) (Part, error) {
	parse, parseOther := parsePart, parseOlderPart
	if bytes.Contains(text, olderOutput) {
		parse, parseOther = parseOther, parse
	}
	part, err := parse(text)
	if err == nil {
		return part, nil
	}
	// The arguments of a call may hold what looks like an older output.
	if part, err := parseOther(text); err == nil {
		return part, nil
	}
	return Part{}, err
}

// olderOutput is how the output of an older part begins, as encoding/json writes it.
var olderOutput = []byte(`"output":{"content":"`)

func parsePart(text []byte) (part Part, err error) {
	return part, json.Unmarshal(text, &part)
}

// The types of an older part. Each has the fields of the type that it embeds, but for those
// that it has itself.
type (
	olderPart struct {
		Part
		Tool *olderUse `json:"tool"`
	}
	olderUse struct {
		ToolUse
		State olderState `json:"state"`
	}
	olderState struct {
		State
		Output *olderResult `json:"output"`
	}
	olderResult struct {
		Result
		Content string     `json:"content"`
		Data    *olderData `json:"data"`
	}
	// olderData has one key for the status of an answer, a number, and that of a command, a
	// word, and -1 as the exit code of a command that a signal ended.
	olderData struct {
		ResultData
		Status any `json:"status"`
	}
)

func parseOlderPart(text []byte) (Part, error) {
	var older olderPart
	if err := json.Unmarshal(text, &older); err != nil {
		return Part{}, err
	}
	part := older.Part
	if older.Tool == nil {
		return part, nil
	}
	part.Tool = &older.Tool.ToolUse
	part.Tool.State = older.Tool.State.State
	if output := older.Tool.State.Output; output != nil {
		part.Tool.State.Output = &output.Result
		part.Tool.State.Output.Content = Text(output.Content)
		part.Tool.State.Output.Data = output.Data.today()
	}
	return part, nil
}

// today returns the data with the keys that they have today; nil for nil.
func (d *olderData) today() *ResultData {
	if d == nil {
		return nil
	}
	data := &d.ResultData
	switch status := d.Status.(type) {
	case float64:
		data.HTTPStatus = int(status)
	case string:
		data.Running = status == "running"
	}
	if data.ExitCode != nil && *data.ExitCode < 0 {
		data.ExitCode = nil
	}
	return data
}

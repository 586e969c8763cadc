package message_test

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

// parseOutput reads a part whose call has the output, and returns that.
func parseOutput(output string) (message.Result, error) {
	part, err := message.ParsePart([]byte(`{"id":"p","tool":{"callID":"c","state":{"status":"completed","input":{},"output":` + output + `}}}`))
	if err != nil {
		return message.Result{}, err
	}
	return *part.Tool.State.Output, nil
}

func TestPART01_ContentOfOlderResultsIsRead(t *testing.T) {
	for text, want := range map[string]message.Content{
		`{"content":"one\n"}`:  message.Text("one\n"),
		`{"content": "one\n"}`: message.Text("one\n"),
		`{"content":""}`:       nil,
		`{"content":null}`:     nil,
		`{}`:                   nil,
		`{"content":[{"type":"text","text":"one"}]}`:      message.Text("one"),
		`{"content":[{"type":"hologram","depth":[1,2]}]}`: {{Type: "hologram"}},
	} {
		result, err := parseOutput(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, result.Content); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
	}
	for _, text := range []string{`{"content":{"type":"text"}}`, `{"content":["one"]}`, `{"content":"one","data":1}`, `{"content":"one","error":"x"}`, `{"content":"one"`} {
		if result, err := parseOutput(text); err == nil {
			t.Errorf("%s was read as %+v", text, result)
		}
	}
}

// Whatever else an older part has is read as it is.
func TestPART01_AnOlderPartIsReadWhole(t *testing.T) {
	three := 3
	want := message.Part{
		ID: "p", SessionID: "s", MessageID: "m", Type: message.ToolPart,
		Tool: &message.ToolUse{CallID: "c", Name: "run_command", Extra: json.RawMessage(`{"signature":"x"}`), State: message.State{
			Status: message.Failed, Input: json.RawMessage(`{"command":"ls"}`), Interrupted: true, Pruned: true, StartedAt: time.UnixMilli(1).UTC(),
			Output: &message.Result{
				Content: message.Text("out"), Data: &message.ResultData{ExitCode: &three}, Error: &message.ToolError{Code: message.Cancelled, Message: "why"},
				Truncated: true, ProcessID: "p1", Level: message.LevelFull, Changes: []message.Change{{Path: "a", Kind: "created"}}, Duration: time.Second,
			},
		}},
		Left: &message.Left{Text: 1},
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	older := strings.Replace(string(text), `[{"type":"text","text":"out"}]`, `"out"`, 1)
	if got, err := message.ParsePart([]byte(older)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
}

// What looks like an older output can stand in the arguments of a call.
func TestPART01_ArgumentsThatLookLikeAnOlderOutputChangeNothing(t *testing.T) {
	part, err := message.ParsePart([]byte(`{"tool":{"state":{"input":{"output":{"content":"x"}},"output":{"content":[{"type":"text","text":"y"}]}}}}`))
	if err != nil || part.Tool.State.Output.Content.Text() != "y" {
		t.Errorf("%+v, %v", part.Tool, err)
	}
}

// Reading a long conversation takes twice as long where a type in it reads its own JSON:
// encoding/json goes through that three times.
func TestREL06_NoTypeOfAPartReadsItsOwnJSON(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var look func(reflect.Type)
	look = func(of reflect.Type) {
		if seen[of] || of == reflect.TypeFor[json.RawMessage]() || of == reflect.TypeFor[time.Time]() {
			return
		}
		seen[of] = true
		pointer := reflect.PointerTo(of)
		if pointer.Implements(reflect.TypeFor[json.Unmarshaler]()) || pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
			t.Errorf("%s reads its own JSON", of)
		}
		switch of.Kind() { //nolint:exhaustive // the others hold no type
		case reflect.Struct:
			for field := range of.Fields() {
				look(field.Type)
			}
		case reflect.Pointer, reflect.Slice, reflect.Map:
			look(of.Elem())
		}
	}
	look(reflect.TypeFor[message.Part]())
}

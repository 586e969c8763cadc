package desktop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// hostile are arguments that a model could write to get around a limit of size.
func hostile() map[string]string {
	var fields, names []string
	for i := range 400 {
		fields = append(fields, fmt.Sprintf(`"f%d":{"a":%d,"b":"\u0001"}`, i, i))
		names = append(names, fmt.Sprintf(`"%s%d":1`, strings.Repeat("\u2028", 60), i))
	}
	return map[string]string{
		"deep objects":    strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000),
		"too deep":        strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
		"deep lists":      `{"a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}",
		"deep and wide":   strings.Repeat(`{"b":1,"c":"`+strings.Repeat("x", 100)+`","a":`, 500) + "1" + strings.Repeat("}", 500),
		"mixed":           strings.Repeat(`{"a":[`, 1500) + "1" + strings.Repeat("]}", 1500),
		"many fields":     "{" + strings.Join(fields, ",") + "}",
		"long names":      "{" + strings.Join(names, ",") + "}",
		"a huge number":   `{"n":1e999,"text":"` + strings.Repeat("x", 9000) + `"}`,
		"a long number":   `{"n":` + strings.Repeat("7", 9000) + "}",
		"long numbers":    `{"n":[` + strings.TrimSuffix(strings.Repeat(strings.Repeat("7", 120)+",", 200), ",") + "]}",
		"escapes":         `{"a":"` + strings.Repeat(`\u0000`, 3000) + `","b":"` + strings.Repeat("<", 9000) + `"}`,
		"many small ones": "{" + strings.TrimSuffix(strings.Repeat(`"":"",`, 1000), ",") + "}",
	}
}

func TestEV06_WhateverAModelWritesIsSmallAndIsSent(t *testing.T) {
	as := func(text []byte) []byte { return text }
	preview := message.Preview{
		Effect: message.EffectFiles, Path: strings.Repeat("\u202e", 300), Diff: strings.Repeat("+\x01\n", 4000), Command: strings.Repeat("\x02", 9000),
		Folder: strings.Repeat("<", 4000), Confinement: "not confined", Fingerprint: "f",
	}
	for name, arguments := range hostile() {
		if !json.Valid([]byte(arguments)) {
			t.Fatalf("%s: the test's own JSON is bad", name)
		}
		for _, data := range []event.Data{
			event.ToolCall{CallID: "c", ToolName: strings.Repeat("n", 3000), Arguments: json.RawMessage(arguments), RawArguments: arguments},
			event.ConfirmRequest{
				CallID: "c", ToolName: "t", Arguments: json.RawMessage(arguments), Preview: preview, Hash: strings.Repeat("a", 64),
				Cause: &message.Cause{Code: message.CauseEditUnfit, Data: message.CauseData{Error: &message.ToolError{Message: arguments}}},
			},
			event.ConfirmResult{CallID: "c", Arguments: json.RawMessage(arguments), Reason: arguments},
		} {
			e := event.Event{Seq: 7, RunID: "run", SessionID: "session", Type: data.EventType(), Data: data}
			text, err := encode(e, maxJSON, as)
			if err != nil {
				t.Errorf("%s %s is lost: %v", e.Type, name, err)
				continue
			}
			var got struct {
				Envelope
				Data struct {
					CallID string `json:"callId"`
				} `json:"data"`
			}
			if err := json.Unmarshal(text, &got); err != nil || got.Seq != 7 || got.Ref != "/fairlead/runs/run/events/7" || got.Data.CallID != "c" && name != "too deep" {
				t.Errorf("%s %s: %+v, %v", e.Type, name, got, err)
			}
			if len(text) > maxJSON {
				t.Errorf("%s %s: %d bytes", e.Type, name, len(text))
			}
		}
	}
}

func TestSEC08_NoticesAreNeverCutToFit(t *testing.T) {
	var notices []message.Notice
	for i := range 10 {
		notices = append(notices, message.Notice{Code: message.NoticeNew, Data: message.NoticeData{
			Path: fmt.Sprintf("%02d%s", i, strings.Repeat("\u0001", 1000)), Autorun: message.AutorunEditor,
		}})
	}
	notices = append(notices, message.Notice{Code: message.NoticeMore, Data: message.NoticeData{Count: 7}})
	e := event.Event{Seq: 7, RunID: "run", SessionID: "session", Type: event.TypeToolResult, Data: event.ToolResult{
		CallID: "c", Content: strings.Repeat("\u0002", 40_000), Changes: []message.Change{}, Notices: notices,
	}}
	text, err := encode(e, maxJSON, func(text []byte) []byte { return text })
	if err != nil || len(text) > maxJSON {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	var got struct {
		Data event.ToolResult `json:"data"`
	}
	if err := json.Unmarshal(text, &got); err != nil || len(got.Data.Notices) != len(notices) {
		t.Fatalf("%d of %d notices are left, %v", len(got.Data.Notices), len(notices), err)
	}
	for i, n := range got.Data.Notices {
		want := notices[i]
		if n.Code != want.Code || n.Data.Autorun != want.Data.Autorun || n.Data.Count != want.Data.Count || !strings.HasPrefix(want.Data.Path, n.Data.Path) {
			t.Errorf("notice %d: %+v", i, n)
		}
	}
}

func TestEV06_TheBytesOfBlocksAreNotSent(t *testing.T) {
	blocks := event.BlocksOf(message.Content{
		{Type: message.ImageBlock, Name: "a.png", Data: []byte("bytes")}, {Type: message.ResourceBlock, URI: "db://t", Text: "words"},
	})
	for _, data := range []event.Data{event.ToolResult{CallID: "c", Blocks: blocks}, event.LifecycleStart{Blocks: blocks}} {
		text, err := encode(event.Event{Seq: 7, RunID: "run", Type: data.EventType(), Data: data}, maxJSON, func(text []byte) []byte { return text })
		if err != nil {
			t.Fatal(err)
		}
		want := `"blocks":[{"type":"image","name":"a.png","size":5,"ref":"/fairlead/runs/run/events/7/blocks/1"},` +
			`{"type":"resource","uri":"db://t","size":5,"ref":"/fairlead/runs/run/events/7/blocks/2"}]`
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is sent as %s", data.EventType(), text)
		}
	}
	if blocks[0].Data == nil {
		t.Error("the event itself was changed")
	}
}

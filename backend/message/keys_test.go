package message_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"fairlead/backend/message"
)

func TestMSG05_EachKeyHasItsLastValue(t *testing.T) {
	for text, want := range map[string]string{
		`{"path":"a","path":"b"}`:                               `{"path":"b"}`,
		`{"path":"a","mode":1.50,"path":"b"}`:                   `{"path":"b","mode":1.50}`,
		`{"path":"a","p\u0061th":"<b>"}`:                        `{"path":"<b>"}`,
		`{"x":{"a":1},"x":{"b":2}}`:                             `{"x":{"b":2}}`,
		`{"all":[{"a":1,"a":[2,{}]},{"a":null,"b":true}]}`:      `{"all":[{"a":[2,{}]},{"a":null,"b":true}]}`,
		`{"a":{"b":{"c":1,"c":2}},"d":"e","a":{"b":{"c":"}"}}}`: `{"a":{"b":{"c":"}"}},"d":"e"}`,
		`{"a":"\"a\":1,","b":{"a":1},"c":["a","a"]}`:            `{"a":"\"a\":1,","b":{"a":1},"c":["a","a"]}`,
		` { "a" : 1e2, "b":"\u00e9" } `:                         ` { "a" : 1e2, "b":"\u00e9" } `,
		`{"a":1,"a":`:                                           `{"a":1,"a":`,
		``:                                                      ``,
	} {
		if got := string(message.LastOfEachKey(json.RawMessage(text))); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
	if message.LastOfEachKey(nil) != nil {
		t.Error("no arguments became some")
	}
}

// Arguments may be large, and nested as deep as JSON may be.
func TestMSG05_DeepArgumentsCostNoMoreThanTheirLength(t *testing.T) {
	const depth = 9000
	text := strings.Repeat(`{"a":1,"a":`, depth) + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat("}", depth)
	want := strings.Repeat(`{"a":`, depth) + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat("}", depth)
	if got := string(message.LastOfEachKey(json.RawMessage(text))); got != want {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
}

func FuzzMSG05LastOfEachKey(f *testing.F) {
	f.Add(`{"a":1,"a":{"b":[{"c":"d","c":2}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		once := message.LastOfEachKey(json.RawMessage(text))
		if again := message.LastOfEachKey(once); string(again) != string(once) {
			t.Errorf("%q became %q", once, again)
		}
		var before, after any
		if json.Unmarshal([]byte(text), &before) != nil {
			return
		}
		if err := json.Unmarshal(once, &after); err != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%q is read otherwise as %q: %v", text, once, err)
		}
	})
}

package openai

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

func TestMSG06_Details(t *testing.T) {
	for name, test := range map[string]struct {
		pieces []string
		want   string
	}{
		"none":                  {nil, ``},
		"no objects":            {[]string{`7`, `null`, `"x"`}, ``},
		"one text in pieces":    {[]string{`{"type":"t","index":0,"text":"a"}`, `{"type":"t","index":0,"text":"b","signature":"s"}`}, `[{"index":0,"signature":"s","text":"ab","type":"t"}]`},
		"two texts":             {[]string{`{"type":"t","index":0,"text":"a"}`, `{"type":"t","index":1,"text":"b"}`}, `[{"index":0,"text":"a","type":"t"},{"index":1,"text":"b","type":"t"}]`},
		"summary, then text":    {[]string{`{"type":"s","summary":"a"}`, `{"type":"t","text":"b"}`}, `[{"summary":"a","type":"s"},{"text":"b","type":"t"}]`},
		"null takes nothing":    {[]string{`{"type":"t","signature":"s","text":"a"}`, `{"type":"t","signature":null,"text":null}`}, `[{"signature":"s","text":"a","type":"t"}]`},
		"null that stays":       {[]string{`{"type":"t","format":null}`}, `[{"format":null,"type":"t"}]`},
		"a text that is none":   {[]string{`{"type":"t","text":7}`, `{"type":"t","text":"a"}`}, `[{"text":"a","type":"t"}]`},
		"encrypted comes whole": {[]string{`{"type":"e","data":"a"}`, `{"type":"e","data":"b"}`}, `[{"data":"a","type":"e"},{"data":"b","type":"e"}]`},
	} {
		var pieces []json.RawMessage
		for _, piece := range test.pieces {
			pieces = append(pieces, json.RawMessage(piece))
		}
		if got := string(joinDetails(pieces)); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// TestDetailsOfALongReply joins as many pieces as a long thought has; a time that grew
// with their square would be minutes.
func TestDetailsOfALongReply(t *testing.T) {
	pieces := make([]json.RawMessage, 50_000)
	for i := range pieces {
		pieces[i] = fmt.Appendf(nil, `{"type":"t","index":0,"text":" word%d"}`, i)
	}
	began := time.Now()
	whole := joinDetails(pieces)
	if took := time.Since(began); took > 30*time.Second || len(whole) < 5*len(pieces) {
		t.Errorf("%d bytes after %s", len(whole), took)
	}
}

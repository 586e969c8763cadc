package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMSG06_FieldsOfARequest(t *testing.T) {
	fields := &Fields{}
	body, err := json.Marshal(map[string]any{
		"a": fields.Mark([]byte(`"x":1,"y":{"z":"\""}`)), "list": []any{map[string]any{"type": fields.Mark([]byte(`"type":"function","e":2`))}},
		"text": `"type":"fairlead:0"`,
	})
	if err != nil {
		t.Fatal(err)
	}
	var sent []byte
	transport := &Transport{Header: http.Header{"X-Team": {"tools"}}, Base: answers(func(r *http.Request) *http.Response {
		sent, err = io.ReadAll(r.Body)
		if err != nil || r.ContentLength != int64(len(sent)) || r.Header.Get("X-Team") != "tools" {
			t.Errorf("error %v, %d bytes of %d, head %v", err, len(sent), r.ContentLength, r.Header)
		}
		again, err := r.GetBody()
		if err != nil {
			t.Fatal(err)
		}
		if copied, _ := io.ReadAll(again); !bytes.Equal(copied, sent) {
			t.Errorf("sent again: %s", copied)
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("data: [DONE]\n\n")), Header: http.Header{}}
	})}
	request, err := http.NewRequestWithContext(WithFields(t.Context(), fields), http.MethodPost, "http://scripted.invalid", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	want := `{"x":1,"y":{"z":"\""},"list":[{"type":"function","e":2}],"text":"\"type\":\"fairlead:0\""}`
	if diff := cmp.Diff(want, string(sent)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if up, _ := transport.Traffic(); up != int64(len(sent)) {
		t.Errorf("counted %d bytes of %d", up, len(sent))
	}
}

// answers is a transport that answers by itself.
type answers func(*http.Request) *http.Response

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

func TestMSG06_FieldsOfAnAnswer(t *testing.T) {
	const stream = `data: {"choices":[{"delta":{"reasoning_details":[{"text":"a"},7]}}]}` + "\n\n" +
		`data: {"choices":[{"delta":{"reasoning_details":{"text":"no list"},"tool_calls":[{"id":"1","extra_content":{"g":1}},{"id":"2"},{"id":"3","extra_content":null}]}}]}` + "\n\n" +
		`data: {"choices":[{"delta":{"extra_content":{"g":2},"tool_calls":[{"id":"4"}]}}]}` + "\n\n" +
		`data: {"choices":[{"delta":{"extra_content":{"g":3}},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	fields := &Fields{}
	transport := &Transport{Base: answers(func(*http.Request) *http.Response {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(stream)), Header: http.Header{}}
	})}
	request, err := http.NewRequestWithContext(WithFields(context.Background(), fields), http.MethodPost, "http://scripted.invalid", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		var c struct {
			Choices []struct {
				Delta struct {
					Calls []struct {
						ID, Type string
						Extra    any `json:"extra_content"`
					} `json:"tool_calls"`
				}
			}
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || json.Unmarshal([]byte(data), &c) != nil {
			continue
		}
		for _, call := range c.Choices[0].Delta.Calls {
			if call.Extra != nil {
				t.Errorf("call %s still has %v", call.ID, call.Extra)
			}
			got = append(got, call.ID+" "+string(fields.Extra(call.Type)))
		}
	}
	if diff := cmp.Diff([]string{`1 {"g":1}`, "2 ", "3 ", `4 {"g":2}`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if details := fields.Details(); len(details) != 2 || string(details[0]) != `{"text":"a"}` || string(details[1]) != "7" {
		t.Errorf("details %s", details)
	}
	for _, foreign := range []string{"", "function", mark, mark + "x", mark + "99", mark + "-1"} {
		if extra := fields.Extra(foreign); extra != nil {
			t.Errorf("%q: %s", foreign, extra)
		}
	}
}

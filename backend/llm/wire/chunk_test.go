package wire

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMSG07_ScanKnowsPlainChunks(t *testing.T) {
	for _, test := range []struct {
		in              string
		plain, finished bool
	}{
		{`{"id":"x","created":1,"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}`, true, false},
		{`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`, true, true},
		{`{"choices" : [ { "index" : 0 , "delta" : {} , "finish_reason" : "stop" } ] }`, true, true},
		{`{"choices":[{"delta":{"content":"say \"error\": \"reasoning\":"}}]}`, true, false},
		{`{"choices":[{"delta":{"content":"C:\\"},"finish_reason":""}]}`, true, false},
		{`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":1.5}"}}]}}]}`, true, false},
		{`{"choices":[{"delta":{"reasoning":null,"reasoning_details":null,"function_call":null}}]}`, true, false},
		{`{"error":{"message":"x"}}`, false, false},
		{`{"error":null,"choices":[]}`, false, false},
		{`{"choices":[{"delta":{"reasoning":"x"}}]}`, false, false},
		{`{"choices":[{"delta":{"content":[{"text":"x"}]}}]}`, false, false},
		{`{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":{}}}]}}]}`, false, false},
		{`{"choices":[{"index":"0"}]}`, false, false},
		{`{"created":1.5}`, false, false},
		{`{"choices":[{"index":-1}]}`, false, false},
		{`{"choices":[{"index":99999999999999999999}]}`, false, false},
		{`{"created":1e9}`, false, false},
		{`{"usage":{"prompt_tokens":1}}`, false, false},
		{`{"x_groq":{}}`, false, false},
		{`{"object":"error","message":"x"}`, false, false},
		{`{"base_resp":{"status_code":1}}`, false, false},
		{`{"choices":[{"delta":{"content":"cut`, false, false},
	} {
		if plain, finished := scan([]byte(test.in)); plain != test.plain || finished != test.finished {
			t.Errorf("scan(%s) = %v, %v", test.in, plain, finished)
		}
	}
}

func TestMSG07_Repairs(t *testing.T) {
	const usage = `"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,` +
		`"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}`
	choice := func(delta string) string { return `{"choices":[{"index":0,"delta":` + delta + `}]}` }
	for _, test := range []struct{ name, in, want string }{
		{"reasoning", choice(`{"reasoning":"r","reasoning_details":[{"text":"r"}]}`), choice(`{"content":"","reasoning_content":"r"}`)},
		{"details only", choice(`{"reasoning_details":[{"text":"a"},{"summary":"b"}]}`), choice(`{"content":"","reasoning_content":"ab"}`)},
		{"both names", choice(`{"reasoning":"r","reasoning_content":"r"}`), choice(`{"content":"","reasoning_content":"r"}`)},
		{
			"content parts",
			choice(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"a"},{"text":"b"}]}`),
			choice(`{"content":"ab","reasoning_content":"t"}`),
		},
		{
			"arguments as an object, to the byte",
			choice(`{"tool_calls":[{"index":"1","id":"c","function":{"name":"f","arguments":{"b": 1.50,"a":1e2}}}]}`),
			choice(`{"content":"","tool_calls":[{"index":1,"id":"c","type":"function","function":{"name":"f","arguments":"{\"b\": 1.50,\"a\":1e2}"}}]}`),
		},
		{
			"function_call",
			choice(`{"function_call":{"name":"f","arguments":"{}"}}`),
			choice(`{"content":"","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"}}]}`),
		},
		{"float usage", `{"created":1.5,"choices":[],"usage":{"prompt_tokens":9.0,"completion_tokens":"2","total_tokens":11}}`, `{"choices":[],` + usage + `}`},
		{
			"usage in the choice",
			`{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}]}`,
			`{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}],` + usage + `}`,
		},
		{
			"usage of Groq", `{"choices":[],"x_groq":{"id":"x","usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}}`,
			`{"choices":[],` + usage + `}`,
		},
		{"no delta", `{"error":null,"choices":[{"index":0}]}`, choice(`{"content":""}`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c chunk
			if err := json.Unmarshal([]byte(test.in), &c); err != nil {
				t.Fatal(err)
			}
			if c.hasError() {
				t.Errorf("taken for an error")
			}
			got := c.plainChunk(&Fields{})
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("repaired (-want +got):\n%s", diff)
			}
			if plain, _ := scan(got); !plain && c.Usage == nil {
				t.Errorf("the repaired chunk is not plain: %s", got)
			}
		})
	}
}

func TestMSG07_WhatIsNoCountIsZero(t *testing.T) {
	for _, usage := range []string{
		`{"prompt_tokens":-1}`, `{"prompt_tokens":"NaN"}`, `{"prompt_tokens":1e300}`, `{"prompt_tokens":true}`,
		`{"prompt_tokens":"many"}`, `{"prompt_tokens":[1]}`, `{"prompt_tokens_details":[],"completion_tokens_details":""}`,
		`[]`, `"none"`,
	} {
		var c chunk
		if err := json.Unmarshal([]byte(`{"usage":`+usage+`}`), &c); err != nil || c.Usage.value != (tokens{}) {
			t.Errorf("%s was taken as %+v, %v", usage, c.Usage, err)
		}
	}
}

func TestMSG04_WhatIsNoIndexIsNone(t *testing.T) {
	for _, index := range []string{`-1`, `""`, `"first"`, `1e300`, `99999999999999999999`, `{}`, `null`} {
		body := `{"choices":[{"index":0,"delta":{"reasoning":"r","tool_calls":[{"index":` + index + `,"function":{"name":"f"}}]}}]}`
		var c chunk
		if err := json.Unmarshal([]byte(body), &c); err != nil {
			t.Errorf("%s: %v", index, err)
			continue
		}
		want := `{"choices":[{"index":0,"delta":{"content":"","reasoning_content":"r",` +
			`"tool_calls":[{"type":"function","function":{"name":"f","arguments":""}}]}}]}`
		if diff := cmp.Diff(want, string(c.plainChunk(&Fields{}))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", index, diff)
		}
	}
}

func TestMSG07_BaseRespFails(t *testing.T) {
	for code, failed := range map[string]bool{`0`: false, `null`: false, `"0"`: false, `1008`: true, `-1`: true, `"busy"`: true} {
		var c chunk
		if err := json.Unmarshal([]byte(`{"base_resp":{"status_code":`+code+`}}`), &c); err != nil || c.hasError() != failed {
			t.Errorf("status_code %s: error %v, %v", code, c.hasError(), err)
		}
	}
}

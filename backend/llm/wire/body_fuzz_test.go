package wire_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
)

// answering is a transport that gives every request the same answer.
type answering struct {
	status int
	body   []byte
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(a.body)), Request: r}, nil
}

// FuzzAnswer checks that whatever a server sends comes out as data lines, or as a
// typed error with a message.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`data: {"choices":[{"index":"0","delta":{"reasoning":"r","content":[{"thinking":[{"text":"t"}]}]},"finish_reason":"stop"}]}` + "\n",
		`{"choices":[{"message":{"content":"hi"}}],"usage":{"prompt_tokens":1.0}}`,
		`[{"error":{"code":429,"details":[]}}]`, `{"error":"x"}`, `<title>x</title>`, `{"base_resp":{"status_code":1}}`,
		"event: error\ndata: [[]]\n\n", "data: {\n\ndata: \"\\", "data: {}\ndata: [DONE]",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, answer string, succeeds bool) {
		base := answering{status: http.StatusBadGateway, body: []byte(answer)}
		if succeeds {
			base.status = http.StatusOK
		}
		text, err := ask(t, t.Context(), &wire.Transport{Base: base}, "http://x.invalid")
		var failed *llm.Error
		if err != nil && (!errors.As(err, &failed) || failed.Message == "") {
			t.Errorf("error %#v", err)
		}
		for line := range strings.Lines(text) {
			if line != "\n" && (!strings.HasPrefix(line, "data: ") || !strings.HasSuffix(line, "\n")) {
				t.Errorf("line %q of %q", line, text)
			}
		}
	})
}

package responses_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/responses"
)

// canned answers every request with the same stream.
type canned string

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(c))), Header: http.Header{}, Request: r}, nil
}

// BenchmarkStream reads 2,000 pieces of text.
func BenchmarkStream(b *testing.B) {
	var stream strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&stream, "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"sequence_number\":%d,"+
			"\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"delta\":\" word%d\",\"logprobs\":[]}\n\n", i, i)
	}
	stream.WriteString("data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n")
	model, err := responses.New(protocol.Config{BaseURL: "http://x.invalid", Model: "m", Transport: canned(stream.String())})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := model.Stream(b.Context(), llm.Request{}, func(llm.Delta) {}); err != nil {
			b.Fatal(err)
		}
	}
}

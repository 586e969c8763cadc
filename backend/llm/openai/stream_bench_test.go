package openai_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	api "github.com/sashabaranov/go-openai"

	"fairlead/backend/llm"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
)

// canned answers every request with the same stream.
type canned string

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(c))), Header: http.Header{}, Request: r}, nil
}

// longStream has 2,000 chunks of text of the usual size.
func longStream() canned {
	var stream strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&stream, `data: {"id":"chatcmpl-DuLdMEdkw5VsZSxKY3i9G934hT7LM","object":"chat.completion.chunk","created":1782321900,`+
			`"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_e8236260a9","choices":[{"index":0,`+
			`"delta":{"content":" word%d"},"logprobs":null,"finish_reason":null}],"usage":null}`+"\n\n", i)
	}
	return canned(stream.String() + "data: [DONE]\n\n")
}

// BenchmarkStream compares with the client library alone; 1.5 times its time is
// the most that tolerance may cost.
func BenchmarkStream(b *testing.B) {
	stream := longStream()
	b.Run("library", func(b *testing.B) {
		config := api.DefaultConfig("")
		config.HTTPClient = &http.Client{Transport: stream}
		client := api.NewClientWithConfig(config)
		for b.Loop() {
			answer, err := client.CreateChatCompletionStream(b.Context(), api.ChatCompletionRequest{Model: "m"})
			if err != nil {
				b.Fatal(err)
			}
			var text strings.Builder
			for {
				chunk, err := answer.Recv()
				if err != nil {
					break
				}
				text.WriteString(chunk.Choices[0].Delta.Content)
			}
			answer.Close()
		}
	})
	b.Run("fairlead", func(b *testing.B) {
		client, err := openai.New(protocol.Config{BaseURL: "http://x.invalid", Model: "m", Transport: stream})
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := client.Stream(b.Context(), hello, func(llm.Delta) {}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

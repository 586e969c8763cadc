package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	api "github.com/sashabaranov/go-openai"

	"fairlead/backend/llm"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

const (
	// streamDeltas is how many pieces of text an answer has.
	streamDeltas = 2000
	// streamTimes is how often each answer is read.
	streamTimes = 51
)

// repeated answers every request with the same stream, from memory.
type repeated string

// RoundTrip implements http.RoundTripper.
func (r repeated) RoundTrip(request *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(r))), Header: http.Header{}, Request: request,
	}, nil
}

// newStream is an answer of streamDeltas chunks, whose choices are written by choice.
func newStream(choice func(i int) string) repeated {
	var chunks strings.Builder
	for i := range streamDeltas {
		fmt.Fprintf(&chunks, `data: {"id":"chatcmpl-8f3a","object":"chat.completion.chunk","created":1795000000,"model":"bench",`+
			`"service_tier":"default","system_fingerprint":"fp_0","choices":[%s]}`+"\n\n", choice(i))
	}
	return repeated(chunks.String() + "data: [DONE]\n\n")
}

// conformingStream is an answer as the protocol has it.
func conformingStream() repeated {
	return newStream(func(i int) string {
		return fmt.Sprintf(`{"index":0,"delta":{"content":" word%d"},"logprobs":null,"finish_reason":null}`, i)
	})
}

// quirkyStreams are answers in which every chunk has to be repaired, by what is odd in them.
func quirkyStreams() map[string]repeated {
	return map[string]repeated{
		"content in parts": newStream(func(i int) string {
			return fmt.Sprintf(`{"index":0,"delta":{"content":[{"type":"text","text":" word%d"}]},"logprobs":null,"finish_reason":null}`, i)
		}),
		"reasoning with details": newStream(func(i int) string {
			return fmt.Sprintf(`{"index":0,"delta":{"content":"","reasoning":" word%[1]d","reasoning_details":`+
				`[{"type":"reasoning.text","index":0,"format":"unknown","text":" word%[1]d"}]},"logprobs":null,"finish_reason":null}`, i)
		}),
		"usage in each": newStream(func(i int) string {
			return fmt.Sprintf(`{"index":0,"delta":{"content":" word%d"},"finish_reason":null,"usage":{"prompt_tokens":9,"completion_tokens":%[1]d}}`, i)
		}),
	}
}

// streamRows measures the time to read an answer, beside that of the client library
// alone. The answers come from memory, so that nobody waits and time is processor time.
func streamRows(ctx context.Context, _ *machine) ([]figure, error) {
	floor, err := medianOf(streamTimes, func() error { return readPlainly(ctx, conformingStream()) })
	if err != nil {
		return nil, err
	}
	whole, err := streamTime(ctx, conformingStream())
	if err != nil {
		return nil, err
	}
	var worst time.Duration
	for name, answer := range quirkyStreams() {
		took, err := streamTime(ctx, answer)
		if err != nil {
			return nil, fmt.Errorf("read an answer with %s: %w", name, err)
		}
		worst = max(worst, took)
	}
	return []figure{
		durationFigure("2,000 deltas", "1.5 × floor", floor, whole, floor*3/2),
		durationFigure("2,000 deltas, the worst quirk", "5 × floor", floor, worst, 5*floor),
	}, nil
}

// streamTime is the median time in which Fairlead's client reads an answer.
func streamTime(ctx context.Context, answer repeated) (time.Duration, error) {
	client, err := openai.New(protocol.Config{BaseURL: "http://bench.invalid", Model: "bench", Transport: answer})
	if err != nil {
		return 0, err
	}
	request := llm.Request{Messages: []message.Message{{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: "Go on."}}}}}
	return medianOf(streamTimes, func() error {
		reply, err := client.Stream(ctx, request, func(llm.Delta) {})
		if err == nil && len(reply.Text)+len(reply.Reasoning) < streamDeltas {
			err = errors.New("the answer is not whole")
		}
		return err
	})
}

// readPlainly reads an answer with the client library alone.
func readPlainly(ctx context.Context, answer repeated) error {
	config := api.DefaultConfig("")
	config.BaseURL, config.HTTPClient = "http://bench.invalid", &http.Client{Transport: answer}
	stream, err := api.NewClientWithConfig(config).CreateChatCompletionStream(ctx, api.ChatCompletionRequest{Model: "bench"})
	if err != nil {
		return err
	}
	defer stream.Close()
	var text strings.Builder
	for {
		chunk, err := stream.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text.WriteString(chunk.Choices[0].Delta.Content)
	}
}

package window

import (
	"strings"
	"testing"
	"time"

	"github.com/sashabaranov/go-openai"
)

func TestStream_KeepsItsPace(t *testing.T) {
	pieces := strings.SplitAfter(strings.Repeat("a ", 40), " ")
	served := serveStream(pieces)
	defer served.Close()
	config := openai.DefaultConfig("")
	config.BaseURL = served.URL + "/v1"
	began := time.Now()
	stream, err := openai.NewClientWithConfig(config).CreateChatCompletionStream(t.Context(), openai.ChatCompletionRequest{Model: modelName})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var got []string
	for {
		piece, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if piece.Choices[0].FinishReason == "stop" {
			break
		}
		got = append(got, piece.Choices[0].Delta.Content)
	}
	if least := time.Duration(len(pieces)) * pace; time.Since(began) < least {
		t.Errorf("%d deltas took %s, want at least %s", len(pieces), time.Since(began), least)
	}
	if len(got) != len(pieces) || strings.Join(got, "") != strings.Join(pieces, "") {
		t.Errorf("got %d deltas %q", len(got), got)
	}
	if first, last := <-served.began, <-served.ended; last.Sub(first) < time.Duration(len(pieces))*pace {
		t.Errorf("from %s to %s is less than the deltas take", first, last)
	}
}

package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sashabaranov/go-openai"
)

var twoReads = scenario{name: "two reads", steps: 2, calls: func(step int) []call {
	return []call{read(noteName(step)), shellCall(`echo "a"`)}
}}

// ask sends one request and returns the text and the arguments of the answer.
func ask(t *testing.T, client *openai.Client) (text string, arguments []string) {
	t.Helper()
	stream, err := client.CreateChatCompletionStream(t.Context(), openai.ChatCompletionRequest{Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return text, arguments
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(chunk.Choices) == 0 {
			continue // what the answer took
		}
		delta := chunk.Choices[0].Delta
		text += delta.Content
		for _, piece := range delta.ToolCalls {
			if *piece.Index == len(arguments) {
				arguments = append(arguments, piece.Function.Name+" ")
			}
			arguments[*piece.Index] += piece.Function.Arguments
		}
	}
}

func clientOf(s *server) *openai.Client {
	config := openai.DefaultConfig("")
	config.BaseURL = s.URL + "/v1"
	config.HTTPClient = s.Client()
	return openai.NewClientWithConfig(config)
}

func TestServer_PlaysItsScenario(t *testing.T) {
	played := serve(twoReads)
	client := clientOf(played)
	for step, want := range [][]string{
		{`read_file {"path":"note000.txt"}`, `shell {"command":"echo \"a\""}`},
		{`read_file {"path":"note001.txt"}`, `shell {"command":"echo \"a\""}`},
		nil,
	} {
		text, calls := ask(t, client)
		if diff := cmp.Diff(want, calls); diff != "" {
			t.Errorf("step %d: calls (-want +got):\n%s", step, diff)
		}
		if last := step == 2; (text == "Done.") != last {
			t.Errorf("step %d: text %q", step, text)
		}
	}
	what, err := played.closeAndReport()
	if err != nil {
		t.Fatal(err)
	}
	if len(what.gaps) != 2 || what.gaps[0] <= 0 || what.first.IsZero() || !strings.Contains(string(what.request), `"model":"m"`) {
		t.Errorf("seen: %d gaps %v, first %v, request %s", len(what.gaps), what.gaps, what.first, what.request)
	}
}

func TestServer_CountsConnections(t *testing.T) {
	for _, test := range []struct {
		keep bool
		want int
	}{{true, 1}, {false, 3}} {
		played := serve(twoReads)
		for range 3 {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, played.URL, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			request.Close = !test.keep
			response, err := played.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, response.Body); err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
		}
		what, err := played.closeAndReport()
		if err != nil || what.connections != test.want {
			t.Errorf("connections kept %v: %d, want %d; %v", test.keep, what.connections, test.want, err)
		}
	}
}

func TestServer_ReportsARunOfAnotherLength(t *testing.T) {
	short := serve(twoReads)
	ask(t, clientOf(short))
	if _, err := short.closeAndReport(); err == nil {
		t.Error("a run that stopped early is not reported")
	}
	long := serve(oneAnswer)
	ask(t, clientOf(long))
	if _, err := clientOf(long).CreateChatCompletionStream(context.Background(), openai.ChatCompletionRequest{}); err == nil {
		t.Error("a request beyond the scenario is answered")
	}
	if _, err := long.closeAndReport(); err == nil {
		t.Error("a run that went on is not reported")
	}
}

func TestScenarios_NeverRepeatACall(t *testing.T) {
	for _, s := range []scenario{smallReads, commands, longRun} {
		known := map[string]bool{}
		for step := range s.steps {
			for _, c := range s.calls(step) {
				arguments := c.arguments["path"] + c.arguments["command"]
				if known[arguments] {
					t.Errorf("%s: step %d repeats %s", s.name, step, arguments)
				}
				known[arguments] = true
			}
		}
	}
}

// Floor is the least client that does a run of the benchmark: the loop of a
// tutorial over go-openai, with no check, no limit, no confirmation and no record
// of what happens. Fairlead's figures are shown beside those of this program,
// because what a plain client takes depends on the machine.
//
//	floor URL FOLDER REQUEST
//
// URL is the endpoint's base address, FOLDER where the tools work, and REQUEST a
// file with the first request that Fairlead sent: prompts and tools are the same.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/sashabaranov/go-openai"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: floor URL FOLDER REQUEST")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// run asks and calls tools until an answer has no calls.
func run(url, folder, requestFile string) error {
	request, err := readRequest(requestFile)
	if err != nil {
		return err
	}
	config := openai.DefaultConfig("")
	config.BaseURL = url
	config.HTTPClient = &http.Client{Transport: drained{http.DefaultTransport}}
	client := openai.NewClientWithConfig(config)
	for {
		reply, err := readStream(client, request)
		if err != nil {
			return err
		}
		if len(reply.ToolCalls) == 0 {
			return nil
		}
		request.Messages = append(request.Messages, reply)
		request.Messages = append(request.Messages, runRound(folder, reply.ToolCalls)...)
	}
}

// readRequest reads the request to begin with.
func readRequest(name string) (openai.ChatCompletionRequest, error) {
	var request openai.ChatCompletionRequest
	text, err := os.ReadFile(name)
	if err != nil {
		return request, err
	}
	if err := json.Unmarshal(text, &request); err != nil {
		return request, fmt.Errorf("read %s: %w", name, err)
	}
	for _, tool := range request.Tools {
		// A client holds its schemas as text; maps would be slower to send.
		if tool.Function.Parameters, err = marshalRaw(tool.Function.Parameters); err != nil {
			return request, err
		}
	}
	return request, nil
}

func marshalRaw(value any) (json.RawMessage, error) {
	text, err := json.Marshal(value)
	return text, err
}

// readStream sends a request and puts the answer together.
func readStream(client *openai.Client, request openai.ChatCompletionRequest) (openai.ChatCompletionMessage, error) {
	reply := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant}
	chunks, err := client.CreateChatCompletionStream(context.Background(), request)
	if err != nil {
		return reply, err
	}
	defer chunks.Close()
	for {
		chunk, err := chunks.Recv()
		if errors.Is(err, io.EOF) {
			return reply, nil
		}
		if err != nil {
			return reply, err
		}
		for _, choice := range chunk.Choices {
			fmt.Print(choice.Delta.Content)
			reply.Content += choice.Delta.Content
			reply.ToolCalls = addPieces(reply.ToolCalls, choice.Delta.ToolCalls)
		}
	}
}

// addPieces adds pieces of calls to the calls so far.
func addPieces(calls, pieces []openai.ToolCall) []openai.ToolCall {
	for _, piece := range pieces {
		if *piece.Index == len(calls) {
			calls = append(calls, openai.ToolCall{ID: piece.ID, Type: openai.ToolTypeFunction})
		}
		function := &calls[*piece.Index].Function
		function.Name += piece.Function.Name
		function.Arguments += piece.Function.Arguments
	}
	return calls
}

// runRound runs calls side by side and returns their results in order.
func runRound(folder string, calls []openai.ToolCall) []openai.ChatCompletionMessage {
	results := make([]openai.ChatCompletionMessage, len(calls))
	var working sync.WaitGroup
	for i, c := range calls {
		working.Go(func() {
			results[i] = openai.ChatCompletionMessage{
				Role: openai.ChatMessageRoleTool, ToolCallID: c.ID, Content: callTool(folder, c.Function),
			}
		})
	}
	working.Wait()
	return results
}

// callTool runs one tool.
func callTool(folder string, function openai.FunctionCall) string {
	var arguments struct{ Path, Command string }
	if err := json.Unmarshal([]byte(function.Arguments), &arguments); err != nil {
		return err.Error()
	}
	var output []byte
	var err error
	if function.Name == "shell" {
		command := exec.Command("sh", "-c", arguments.Command)
		command.Dir = folder
		output, err = command.CombinedOutput()
	} else {
		output, err = os.ReadFile(filepath.Join(folder, arguments.Path))
	}
	if err != nil {
		return err.Error()
	}
	if len(bytes.TrimSpace(output)) == 0 {
		return "(no output)"
	}
	return string(output)
}

// drained reads answers to their end when they are closed. go-openai stops at the
// line that ends a stream, and net/http keeps a connection only when nothing is
// left on it; a new one for each step would make this client slower than it is.
type drained struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (d drained) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := d.RoundTripper.RoundTrip(request)
	if err == nil {
		response.Body = drainedBody{response.Body}
	}
	return response, err
}

type drainedBody struct{ io.ReadCloser }

// Close implements io.Closer.
func (b drainedBody) Close() error {
	_, err := io.Copy(io.Discard, b.ReadCloser)
	return errors.Join(err, b.ReadCloser.Close())
}

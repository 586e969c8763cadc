// Command testserver is an MCP server for tests, with tools that try what a grant is about.
//
//	testserver [-list FILE] [tool…]
//
// Each argument, and each line of the file, adds a tool of that name, which does nothing. A file that
// is not there has no line. The variable WORD, a string of Go in quotes, adds the tool say, and is its
// description.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type input struct {
	Path string `json:"path,omitempty"`
	Text string `json:"text,omitempty"`
	Name string `json:"name,omitempty"`
	URL  string `json:"url,omitempty"`
}

// answer is a tool that answers with a text.
func answer(do func(context.Context, input) (string, error)) mcp.ToolHandlerFor[input, any] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
		text, err := do(ctx, in)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	}
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "testserver", Version: "1"}, nil)
	add := func(name, description string, readOnly bool, do func(context.Context, input) (string, error)) {
		mcp.AddTool(server, &mcp.Tool{
			Name: name, Description: description, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: readOnly},
		}, answer(do))
	}
	add("read", "Read a file.", true, func(_ context.Context, in input) (string, error) {
		text, err := os.ReadFile(in.Path)
		return string(text), err
	})
	add("write", "Write a file.", false, func(_ context.Context, in input) (string, error) {
		return "written", os.WriteFile(in.Path, []byte(in.Text), 0o600)
	})
	add("variable", "Read a variable.", true, func(_ context.Context, in input) (string, error) {
		return os.Getenv(in.Name), nil
	})
	add("get", "Get a page.", true, get)
	list := flag.String("list", "", "a file with names of tools")
	flag.Parse()
	names := flag.Args()
	if text, err := os.ReadFile(*list); err == nil {
		names = append(names, strings.Fields(string(text))...)
	}
	for _, name := range names {
		add(name, "Do nothing.", true, func(context.Context, input) (string, error) { return "nothing", nil })
	}
	if word, err := strconv.Unquote(os.Getenv("WORD")); err == nil {
		add("say", word, true, func(context.Context, input) (string, error) { return "a word", nil })
	}
	fmt.Fprintln(os.Stderr, "testserver is ready")
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, "testserver:", err)
		os.Exit(1)
	}
}

func get(ctx context.Context, in input) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, in.URL, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1000))
	return string(text), err
}

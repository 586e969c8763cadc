// Command conformance is the client that the conformance suite of the Model Context
// Protocol drives: it is started with the address of a server, and the name of a scenario
// in MCP_CONFORMANCE_SCENARIO. It is no part of Fairlead.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// limit is how long a scenario may take.
const limit = 25 * time.Second

// input is what the suite gives a scenario beside the address.
type input struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	ToolCalls    []struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	} `json:"toolCalls"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: %s ADDRESS", os.Args[0])
	}
	var given input
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &given); err != nil {
			return fmt.Errorf("read MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	scenario := os.Getenv("MCP_CONFORMANCE_SCENARIO")
	do, ok := scenarios[scenario]
	if !ok {
		do = callTools
	}
	c, err := connect(ctx, os.Args[1], given)
	if err != nil {
		return err
	}
	defer c.close()
	if err := do(ctx, c.session, given); err != nil {
		return fmt.Errorf("%s: %w (%s)", scenario, err, c.server.Explain(err).Text)
	}
	return nil
}

// scenarios are what is done in those that want more, or less, than to call the tools.
var scenarios = map[string]func(context.Context, *mcp.ClientSession, input) error{
	"initialize":                       listTools,
	"tools_call":                       callSum,
	"json-schema-ref-no-deref":         listTools,
	"json-schema-2020-12-preservation": echoSchema,
	"sep-2322-client-request-state":    callRounds,
	"http-standard-headers":            callEverything,
	"http-custom-headers":              callGiven,
	"request-metadata":                 listTools,
}

func listTools(ctx context.Context, session *mcp.ClientSession, _ input) error {
	_, err := session.ListTools(ctx, nil)
	return err
}

// callTools calls each tool. One that refuses is no failure of the client.
func callTools(ctx context.Context, session *mcp.ClientSession, _ input) error {
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool.Name, Arguments: map[string]any{"region": "us-west1"}}); err != nil {
			return err
		}
	}
	return nil
}

func callSum(ctx context.Context, session *mcp.ClientSession, _ input) error {
	_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "add_numbers", Arguments: map[string]any{"a": 5, "b": 3}})
	return err
}

// echoSchema sends the schema of a tool back as it came.
func echoSchema(ctx context.Context, session *mcp.ClientSession, _ input) error {
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(tools.Tools, func(tool *mcp.Tool) bool { return tool.Name == "json_schema_2020_12_tool" })
	if at < 0 {
		return fmt.Errorf("there is no such tool")
	}
	_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "json_schema_echo", Arguments: map[string]any{"schema": tools.Tools[at].InputSchema}})
	return err
}

// callRounds calls tools that ask back. Some are to be refused, which is no failure.
func callRounds(ctx context.Context, session *mcp.ClientSession, _ input) error {
	for _, name := range []string{"test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"} {
		if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: map[string]any{}}); err != nil {
			slog.Info("a tool is refused", "tool", name, "error", err)
		}
	}
	return nil
}

func callEverything(ctx context.Context, session *mcp.ClientSession, given input) error {
	if err := callTools(ctx, session, given); err != nil {
		return err
	}
	for resource, err := range session.Resources(ctx, nil) {
		if err != nil {
			return err
		}
		if _, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: resource.URI}); err != nil {
			return err
		}
	}
	for prompt, err := range session.Prompts(ctx, nil) {
		if err != nil {
			return err
		}
		if _, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: prompt.Name}); err != nil {
			return err
		}
	}
	return nil
}

// callGiven makes the calls of the suite. Some are to be refused, which is no failure.
func callGiven(ctx context.Context, session *mcp.ClientSession, given input) error {
	if err := listTools(ctx, session, given); err != nil {
		return err
	}
	for _, call := range given.ToolCalls {
		if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: call.Name, Arguments: call.Arguments}); err != nil {
			slog.Info("a call is refused", "tool", call.Name, "error", err)
		}
	}
	return nil
}

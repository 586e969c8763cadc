// Command conformance is the client that the conformance suite of the Model Context
// Protocol drives: it is started with the address of a server, and the name of a scenario
// in MCP_CONFORMANCE_SCENARIO. It is no part of Fairlead.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/mcp"
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
	c := newClient(ctx, os.Args[1], given)
	defer c.browser.Wait()
	scenario := os.Getenv("MCP_CONFORMANCE_SCENARIO")
	if scenario == "http-standard-headers" {
		return c.runSession(ctx, useEverything)
	}
	do, ok := scenarios[scenario]
	if !ok {
		do = callTools
	}
	r, err := start(ctx, os.Args[1], c.open)
	if err != nil {
		return err
	}
	defer r.servers.Close()
	return do(ctx, r, given)
}

// scenarios are what is done in those that want more, or less, than to call the tools.
var scenarios = map[string]func(context.Context, *running, input) error{
	"initialize":                       lookOnly,
	"request-metadata":                 lookOnly,
	"json-schema-ref-no-deref":         lookOnly,
	"tools_call":                       callSum,
	"json-schema-2020-12-preservation": echoSchema,
	"sep-2322-client-request-state":    callRounds,
	"http-custom-headers":              callGiven,
}

// lookOnly has listed the tools already.
func lookOnly(context.Context, *running, input) error { return nil }

func callTools(ctx context.Context, r *running, _ input) error {
	for _, tool := range r.pin.Tools {
		if err := r.call(ctx, tool.Name, map[string]any{"region": "us-west1"}); err != nil {
			return err
		}
	}
	return nil
}

func callSum(ctx context.Context, r *running, _ input) error {
	return r.call(ctx, "add_numbers", map[string]any{"a": 5, "b": 3})
}

// echoSchema sends the schema of a tool back as it came.
func echoSchema(ctx context.Context, r *running, _ input) error {
	at := slices.IndexFunc(r.pin.Tools, func(tool mcp.Tool) bool { return tool.Name == "json_schema_2020_12_tool" })
	if at < 0 {
		return errors.New("there is no such tool")
	}
	return r.call(ctx, "json_schema_echo", map[string]any{"schema": r.pin.Tools[at].Input})
}

// callRounds calls tools that ask back. Some are to be refused, which is no failure.
func callRounds(ctx context.Context, r *running, _ input) error {
	for _, tool := range []string{"test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"} {
		if err := r.call(ctx, tool, map[string]any{}); err != nil {
			slog.Info("a tool is refused", "tool", tool, "error", err)
		}
	}
	return nil
}

// callGiven makes the calls of the suite. Some are to be refused, which is no failure.
func callGiven(ctx context.Context, r *running, given input) error {
	for _, call := range given.ToolCalls {
		if err := r.call(ctx, call.Name, call.Arguments); err != nil {
			slog.Info("a call is refused", "tool", call.Name, "error", err)
		}
	}
	return nil
}

// useEverything uses resources and prompts, too, which Fairlead does not.
func useEverything(ctx context.Context, session *sdk.ClientSession) error {
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: tool.Name, Arguments: map[string]any{}}); err != nil {
			return err
		}
	}
	for resource, err := range session.Resources(ctx, nil) {
		if err != nil {
			return err
		}
		if _, err := session.ReadResource(ctx, &sdk.ReadResourceParams{URI: resource.URI}); err != nil {
			return err
		}
	}
	for prompt, err := range session.Prompts(ctx, nil) {
		if err != nil {
			return err
		}
		if _, err := session.GetPrompt(ctx, &sdk.GetPromptParams{Name: prompt.Name}); err != nil {
			return err
		}
	}
	return nil
}

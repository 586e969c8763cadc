package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// protocolRows measure a step over the other protocols, beside the same over chat
// completions.
func protocolRows(ctx context.Context, m *machine) ([]figure, error) {
	if err := m.writeProviders(); err != nil {
		return nil, err
	}
	var figures []figure
	for _, p := range protocols {
		client := m.fairlead
		client.name = "Fairlead over " + p.title
		client.arguments = func(url string, s scenario) []string {
			return append([]string{"run", "--provider", p.name}, m.fairlead.arguments(url, s)[1:]...)
		}
		reads, err := runAlternately(ctx, m.fairlead, client, smallReads, 7, m.home)
		if err != nil {
			return nil, err
		}
		figures = append(figures, durationFigure(
			"step with one read over "+p.title, "1.5 × chat", reads.floor.step, reads.fairlead.step, reads.floor.step*3/2))
	}
	return figures, nil
}

// protocols are those that Fairlead speaks beside chat completions, with the end of their
// path and how an answer is written.
var protocols = []struct {
	name, title string
	write       func(calls []call, step int) []byte
}{
	{"responses", "Responses", writeResponses},
	{"messages", "Messages", writeMessages},
}

// writeProviders names a provider for each protocol in the settings; where it is reached
// is said when it is used.
func (m *machine) writeProviders() error {
	var text strings.Builder
	for _, p := range protocols {
		fmt.Fprintf(&text, "[providers.%s]\nbase_url = \"http://127.0.0.1:9/v1\"\nprotocol = %q\n", p.name, p.name)
	}
	return os.WriteFile(filepath.Join(m.data, "config.toml"), []byte(text.String()), 0o600)
}

// writeResponses writes an answer as the events of Responses.
func writeResponses(calls []call, step int) []byte {
	var stream strings.Builder
	send := func(kind, members string) {
		fmt.Fprintf(&stream, "event: %s\ndata: {\"type\":%q,%s}\n\n", kind, kind, members)
	}
	send("response.created", `"response":{"id":"resp_1","object":"response","status":"in_progress","output":[]}`)
	if len(calls) == 0 {
		send("response.output_item.added", `"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","content":[]}`)
		send("response.output_text.delta", `"output_index":0,"item_id":"msg_1","content_index":0,"delta":"Done."`)
		send("response.output_item.done", `"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}`)
	}
	for i, c := range calls {
		item := fmt.Sprintf(`"id":"fc_%d","type":"function_call","call_id":"call_%d_%d","name":%q`, i, step, i, c.name)
		arguments := quoteJSON(c.argumentsJSON())
		send("response.output_item.added", fmt.Sprintf(`"output_index":%d,"item":{%s,"arguments":""}`, i, item))
		send("response.function_call_arguments.delta", fmt.Sprintf(`"output_index":%d,"item_id":"fc_%d","delta":%s`, i, i, arguments))
		send("response.output_item.done", fmt.Sprintf(`"output_index":%d,"item":{%s,"arguments":%s}`, i, item, arguments))
	}
	send("response.completed", `"response":{"id":"resp_1","object":"response","status":"completed","usage":{"input_tokens":1000,"output_tokens":20}}`)
	return []byte(stream.String())
}

// writeMessages writes an answer as the events of Messages.
func writeMessages(calls []call, step int) []byte {
	var stream strings.Builder
	send := func(kind, members string) {
		fmt.Fprintf(&stream, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, members)
	}
	reason := "end_turn"
	send("message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":1000,"output_tokens":1}}`)
	if len(calls) == 0 {
		send("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
		send("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"Done."}`)
		send("content_block_stop", `,"index":0`)
	}
	for i, c := range calls {
		send("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":{"type":"tool_use","id":"toolu_%d_%d","name":%q,"input":{}}`, i, step, i, c.name))
		send("content_block_delta", fmt.Sprintf(`,"index":%d,"delta":{"type":"input_json_delta","partial_json":%s}`, i, quoteJSON(c.argumentsJSON())))
		send("content_block_stop", fmt.Sprintf(`,"index":%d`, i))
		reason = "tool_use"
	}
	send("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%q},"usage":{"output_tokens":20}`, reason))
	send("message_stop", "")
	return []byte(stream.String())
}

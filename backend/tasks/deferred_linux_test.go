//go:build !race

package tasks_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fairlead/backend/approve"
	"fairlead/backend/llm/tokens"
	"fairlead/backend/mcp"
	"fairlead/backend/sandbox/sandboxtest"
)

// requestParts are the messages and the tools of a request, as they were written.
func requestParts(t *testing.T, body []byte) (messages []json.RawMessage, tools string) {
	t.Helper()
	var request struct {
		Messages []json.RawMessage
		Tools    json.RawMessage
	}
	must(t, json.Unmarshal(body, &request))
	return request.Messages, string(request.Tools)
}

// TestEXT03_TwentyServersAreDeferred has a model use ten of 20 servers with 30 tools each. All of
// them add at most 600 tokens to the first request, and each request begins with the bytes of the one
// before.
func TestEXT03_TwentyServersAreDeferred(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	_, plain, _ := runWith(t, b, folder, approve.Writes, "text Done.\n")
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("service-%02d", i))
	}
	var more []string
	for i := range 26 { // beside the four that it has
		more = append(more, fmt.Sprintf("list_%c_of_the_repository", 'a'+i))
	}
	for _, name := range names {
		addNamedServer(t, b, folder, name, mcp.Grant{Folder: mcp.FolderNone}, more...)
	}
	var script strings.Builder
	for i, name := range names[:10] {
		fmt.Fprintf(&script, "call f%d mcp_find {\"query\":\"%s list c\"}\n---\n", i, name)
		fmt.Fprintf(&script, "call c%d mcp_call {\"server\":%q,\"tool\":\"list_c_of_the_repository\",\"arguments\":{}}\n---\n", i, name)
	}
	_, requests, _ := runWith(t, b, folder, approve.Writes, script.String()+"text Done.\n")
	if len(requests) != 21 {
		t.Fatalf("%d requests", len(requests))
	}
	before, after := tokens.Count(string(plain[0].Body)), tokens.Count(string(requests[0].Body))
	t.Logf("the first request has %d tokens without servers, and %d more with 20", before, after-before)
	if after-before > 600 || after == before {
		t.Errorf("20 servers add %d tokens to the first request", after-before)
	}
	messages, tools := requestParts(t, requests[0].Body)
	for i, request := range requests[1:] {
		nextMessages, nextTools := requestParts(t, request.Body)
		if nextTools != tools {
			t.Errorf("the tools of request %d are others", i+2)
		}
		for j, message := range messages {
			if j >= len(nextMessages) || string(nextMessages[j]) != string(message) {
				t.Fatalf("message %d of request %d is another: %s", j, i+2, nextMessages[min(j, len(nextMessages)-1)])
			}
		}
		last := requests[i+1].Chat.Messages
		want := []string{"tool: list_c_of_the_repository", "nothing"}[i%2]
		if text := last[len(last)-1].Text(); !strings.Contains(text, want) {
			t.Errorf("request %d has the answer %q, want %q", i+2, text, want)
		}
		messages = nextMessages
	}
}

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sashabaranov/go-openai"
)

func TestAssemble(t *testing.T) {
	piece := func(index int, id, name, arguments string) []openai.ToolCall {
		return []openai.ToolCall{{Index: &index, ID: id, Function: openai.FunctionCall{Name: name, Arguments: arguments}}}
	}
	var calls []openai.ToolCall
	for _, pieces := range [][]openai.ToolCall{
		piece(0, "a", "read_file", ""), piece(0, "", "", `{"path"`), piece(0, "", "", `:"x"}`), piece(1, "b", "shell", "{}"),
	} {
		calls = addPieces(calls, pieces)
	}
	want := []openai.ToolCall{
		{ID: "a", Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: "read_file", Arguments: `{"path":"x"}`}},
		{ID: "b", Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: "shell", Arguments: "{}"}},
	}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestRound(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.txt"), []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runRound(folder, []openai.ToolCall{
		{ID: "1", Function: openai.FunctionCall{Name: "read_file", Arguments: `{"path":"a.txt"}`}},
		{ID: "2", Function: openai.FunctionCall{Name: "read_file", Arguments: `{`}},
	})
	want := []openai.ChatCompletionMessage{
		{Role: "tool", ToolCallID: "1", Content: "hello\n"},
		{Role: "tool", ToolCallID: "2", Content: "unexpected end of JSON input"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

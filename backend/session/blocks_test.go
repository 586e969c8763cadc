package session_test

import (
	"strings"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
)

func TestPART01_WhatGoesWithATaskIsShownAsMarks(t *testing.T) {
	for _, p := range []llm.Protocol{llm.ChatCompletions, llm.Responses, llm.Messages} {
		t.Run(string(p), func(t *testing.T) { playBlocks(t, p) })
	}
}

func playBlocks(t *testing.T, p llm.Protocol) {
	t.Helper()
	playProtocol(t, p, "-- model --\ntext A picture.\n---\ntext Still one.\n", func(t *testing.T, s *stage, server *llmtest.Server) {
		run, err := s.session.BeginRun("look at it",
			message.Block{Type: message.ImageBlock, Name: "of sk-canary-key.png", MediaType: "image/x-plan", Data: []byte("plan sk-canary-key")},
			message.Block{Type: message.TextBlock, Text: "and at this"},
			message.Block{Type: message.FileBlock, Path: "b/c.bin", Data: []byte{0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		run.Wait()
		events, err := run.Events.Since(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		begun, ok := events[0].Data.(event.LifecycleStart)
		if !ok || begun.Prompt != "look at it" || len(begun.Blocks) != 2 || begun.Blocks[1].Size != 2 ||
			strings.Contains(begun.Blocks[0].Name+string(begun.Blocks[0].Data), "canary") {
			t.Errorf("it began with %+v", events[0].Data)
		}
		next, err := s.session.BeginRun("and now?")
		if err != nil {
			t.Fatal(err)
		}
		next.Wait()
		for n, request := range server.Requests() {
			for _, said := range []string{"look at it", "[image: of ", ".png, image/x-plan, ", "and at this", "[file: b/c.bin, 2 bytes]"} {
				if !strings.Contains(string(request.Body), said) {
					t.Errorf("request %d does not say %q: %s", n, said, request.Body)
				}
			}
			if strings.Contains(string(request.Body), "canary") {
				t.Errorf("request %d has the key", n)
			}
		}
	})
}

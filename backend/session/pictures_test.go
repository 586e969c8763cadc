package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
)

// pictures are so many small ones.
func pictures(t *testing.T, count int) (blocks []message.Block) {
	t.Helper()
	for i := range count {
		var file bytes.Buffer
		if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, i+1, 1))); err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, message.Block{Type: message.ImageBlock, Name: fmt.Sprintf("p%d.png", i+1), MediaType: "image/png", Data: file.Bytes()})
	}
	return blocks
}

// items are the messages of a request, over whichever protocol.
func items(t *testing.T, request llmtest.Request) []json.RawMessage {
	t.Helper()
	// What is to be cached is marked anew with each request.
	body := strings.ReplaceAll(string(request.Body), `,"cache_control":{"type":"ephemeral"}`, "")
	var sent struct{ Messages, Input []json.RawMessage }
	if err := json.Unmarshal([]byte(body), &sent); err != nil {
		t.Fatal(err)
	}
	return append(sent.Messages, sent.Input...)
}

// TestDOC02_PicturesGoInTheirFirstBatchTwoTurnsLater plays four turns, each in a process of its own.
// Pictures are sent for two turns; they go then, and that is the only change of what was sent
// before.
func TestDOC02_PicturesGoInTheirFirstBatchTwoTurnsLater(t *testing.T) {
	for _, p := range []llm.Protocol{llm.ChatCompletions, llm.Responses, llm.Messages} {
		t.Run(string(p), func(t *testing.T) { playPictures(t, p) })
	}
}

func playPictures(t *testing.T, p llm.Protocol) {
	t.Helper()
	saved := openStore(t)
	given := pictures(t, 14)
	turns := []struct {
		blocks []message.Block
		sent   int
	}{{given, 14}, {given[:1], 15}, {nil, 1}, {nil, 1}}
	script := "-- model --\n" + strings.Repeat("text Yes.\n---\n", len(turns))
	playProtocol(t, p, script, func(t *testing.T, s *stage, server *llmtest.Server) {
		for n, turn := range turns {
			s.ids.Store(int64(1000 * n)) // those before are taken
			conversation := s.keep(saved, server)
			if n > 0 {
				conversation = s.load(saved, server)
			}
			run, err := conversation.BeginRun("look", turn.blocks...)
			if err != nil {
				t.Fatal(err)
			}
			if result := run.Wait(); result.Reason != message.ReasonCompleted {
				t.Fatalf("turn %d ended %s: %+v", n+1, result.Reason, result.Err)
			}
			requests := server.Requests()
			request := requests[n]
			if got := len(request.Pictures()); got != turn.sent {
				t.Errorf("turn %d: %d pictures were sent, want %d", n+1, got, turn.sent)
			}
			if n == 0 {
				continue
			}
			before, now := items(t, requests[n-1]), items(t, request)
			changed := 0
			for i := range before {
				if !bytes.Equal(before[i], now[i]) {
					changed++
				}
			}
			if want := map[int]int{2: 1}[n]; changed != want {
				t.Errorf("turn %d: %d messages of the turn before were changed, want %d", n+1, changed, want)
			}
		}
		if last := string(server.Requests()[3].Body); !strings.Contains(last, "[image: p14.png, shown before]") {
			t.Errorf("no mark in %s", last)
		}
	})
}

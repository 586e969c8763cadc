package window

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"
)

// modelName is the name of the model.
const modelName = "bench"

// pace is the time between two deltas: 200 a second.
const pace = time.Second / 200

// stream is a provider on loopback that gives one long answer at an even pace; the same
// as plain text is at /plain.
type stream struct {
	*httptest.Server
	pieces []string
	// began and ended are sent on when the first delta goes out and the last one
	// has.
	began, ended chan time.Time
}

// serveStream starts one, which answers one request.
func serveStream(pieces []string) *stream {
	s := &stream{pieces: pieces, began: make(chan time.Time, 1), ended: make(chan time.Time, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serveChat)
	mux.HandleFunc("GET /plain", s.servePlain)
	s.Server = httptest.NewServer(mux)
	return s
}

func (s *stream) serveChat(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	end := append(newChunk(map[string]any{}, "stop"), "data: [DONE]\n\n"...)
	s.send(w, r, func(piece string) []byte { return newChunk(map[string]any{"content": piece}, nil) }, end)
}

func (s *stream) servePlain(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	s.send(w, r, func(piece string) []byte { return []byte(piece) }, nil)
}

// send sends each piece as write has it, at the pace, and then the end.
func (s *stream) send(w http.ResponseWriter, r *http.Request, write func(piece string) []byte, end []byte) {
	flusher := http.NewResponseController(w)
	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	began := time.Now()
	s.began <- began
	for sent := 0; sent < len(s.pieces); {
		select {
		case <-ticker.C:
		case <-r.Context().Done():
			return
		}
		// What is due goes out, one by one: a tick that was missed costs no delta.
		for due := int(time.Since(began) / pace); sent < min(due, len(s.pieces)); sent++ {
			_, _ = w.Write(write(s.pieces[sent])) // the context says that the client is gone
			_ = flusher.Flush()
		}
	}
	_, _ = w.Write(end)
	_ = flusher.Flush()
	s.ended <- time.Now()
}

// newChunk is one piece of an answer as providers send it.
func newChunk(delta map[string]any, finish any) []byte {
	text, err := json.Marshal(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": modelName,
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
	})
	if err != nil {
		panic(fmt.Sprintf("maps of strings are JSON: %v", err))
	}
	return []byte("data: " + string(text) + "\n\n")
}

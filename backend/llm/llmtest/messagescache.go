package llmtest

import (
	"encoding/json"
	"slices"
)

// lookback is how many blocks before a mark the cache looks for what it has.
const lookback = 20

// countCached counts of a request what the cache has of it, keeps what it is asked to
// keep, and returns the usage. A token is four bytes.
func (s *Server) countCached(body []byte) map[string]any {
	pieces, marks := cachePieces(body)
	prefixes, whole := make([]string, len(pieces)), ""
	for i, piece := range pieces {
		whole += piece
		prefixes[i] = whole
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cached == nil {
		s.cached = map[string]bool{}
	}
	read, written := 0, 0
	for _, mark := range marks {
		written = max(written, len(prefixes[mark]))
		for i := mark; i >= max(0, mark-lookback); i-- {
			if s.cached[prefixes[i]] {
				read = max(read, len(prefixes[i]))
				break
			}
		}
	}
	for _, mark := range marks {
		s.cached[prefixes[mark]] = true
	}
	return map[string]any{
		"input_tokens": (len(whole) - max(read, written)) / 4, "cache_read_input_tokens": read / 4,
		"cache_creation_input_tokens": max(0, written-read) / 4, "output_tokens": 10,
	}
}

// cachePieces are the tools, the system prompt and the blocks of a request in the order in
// which the cache has them, without marks, and where there are marks.
func cachePieces(body []byte) (pieces []string, marks []int) {
	var request messagesRequest
	if json.Unmarshal(body, &request) != nil {
		return nil, nil
	}
	add := func(cached any, piece any) {
		text, _ := json.Marshal(piece) // it came from JSON
		if pieces = append(pieces, string(text)); cached != nil {
			marks = append(marks, len(pieces)-1)
		}
	}
	for _, tool := range request.Tools {
		cached := tool.Cache
		tool.Cache = nil
		add(cached, tool)
	}
	blocks := slices.Clone(request.System)
	for _, turn := range request.Messages {
		blocks = append(blocks, turn.Content...)
	}
	for _, block := range blocks {
		cached := block["cache_control"]
		delete(block, "cache_control")
		add(cached, block)
	}
	return pieces, marks
}

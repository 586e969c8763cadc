package anthropic

import (
	"encoding/json"

	"fairlead/backend/message"
)

// event is one event of an answer, with the fields of those that are read.
type event struct {
	Type    string      `json:"type"`
	Index   int         `json:"index"`
	Block   *blockJSON  `json:"content_block"`
	Delta   deltaJSON   `json:"delta"`
	Message messageJSON `json:"message"`
	Usage   *usageJSON  `json:"usage"`
}

// The types of event that are read. All others are signs of life.
const (
	answerBegan  = "message_start"
	blockBegan   = "content_block_start"
	blockGrew    = "content_block_delta"
	answerEnds   = "message_delta"
	answerEnded  = "message_stop"
	wholeMessage = "message"
	errorCame    = "error"
)

// blockJSON is a block as it begins, or whole.
type blockJSON struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
}

// deltaJSON is a piece of a block, or why the answer ends.
type deltaJSON struct {
	Type       string `json:"type"`
	Text       string `json:"text"`
	Thinking   string `json:"thinking"`
	Signature  string `json:"signature"`
	Arguments  string `json:"partial_json"`
	StopReason string `json:"stop_reason"`
}

// messageJSON is an answer as it begins, or whole.
type messageJSON struct {
	Content    []blockJSON `json:"content"`
	StopReason string      `json:"stop_reason"`
	Usage      *usageJSON  `json:"usage"`
}

// usageJSON is what an answer cost so far. Those at the end may leave out what was said at
// the beginning.
type usageJSON struct {
	Input         int `json:"input_tokens"`
	CacheCreated  int `json:"cache_creation_input_tokens"`
	CacheRead     int `json:"cache_read_input_tokens"`
	Output        int `json:"output_tokens"`
	OutputDetails struct {
		Thinking int `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
}

// fill takes what a later account says.
func (u *usageJSON) fill(later *usageJSON) {
	if later == nil {
		return
	}
	u.Input, u.CacheCreated = max(u.Input, later.Input), max(u.CacheCreated, later.CacheCreated)
	u.CacheRead, u.Output = max(u.CacheRead, later.CacheRead), max(u.Output, later.Output)
	u.OutputDetails.Thinking = max(u.OutputDetails.Thinking, later.OutputDetails.Thinking)
}

// usage is what the answer cost; nil where that is not said. The prompt is what was sent,
// whether it came from the cache or not.
func (u usageJSON) usage() *message.Usage {
	prompt := u.Input + u.CacheCreated + u.CacheRead
	if prompt+u.Output == 0 {
		return nil
	}
	return &message.Usage{Prompt: prompt, Cached: u.CacheRead, Completion: u.Output, Reasoning: u.OutputDetails.Thinking}
}

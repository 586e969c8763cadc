package responses

import (
	"bytes"
	"encoding/json"

	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// event is one event of an answer, with the fields of those that are read.
type event struct {
	Type string `json:"type"`
	// Object is "response" where the event is an answer that is no stream.
	Object string `json:"object"`
	// Index says which item of the answer the event is about, and ItemID too.
	Index  *int   `json:"output_index"`
	ItemID string `json:"item_id"`
	Delta  string `json:"delta"`
	// Item is set where an item begins or ends, and Response where the answer does.
	Item     json.RawMessage `json:"item"`
	Response json.RawMessage `json:"response"`
}

// The types of event that are read. All others are signs of life.
const (
	itemBegan       = "response.output_item.added"
	itemEnded       = "response.output_item.done"
	textCame        = "response.output_text.delta"
	refusalCame     = "response.refusal.delta"
	argumentsCame   = "response.function_call_arguments.delta"
	summaryCame     = "response.reasoning_summary_text.delta"
	summaryBegan    = "response.reasoning_summary_part.added"
	reasoningCame   = "response.reasoning_text.delta"
	answerWhole     = "response.completed"
	answerCut       = "response.incomplete"
	answerFailed    = "response.failed"
	answerCancelled = "response.cancelled"
	errorCame       = "error"
)

// outputItemJSON is an item of an answer as it begins or ends.
type outputItemJSON struct {
	ID        string     `json:"id"`
	Type      string     `json:"type"`
	Phase     string     `json:"phase"`
	CallID    string     `json:"call_id"`
	Name      string     `json:"name"`
	Arguments string     `json:"arguments"`
	Content   []textJSON `json:"content"`
	Summary   []textJSON `json:"summary"`
	Encrypted string     `json:"encrypted_content"`
}

// textJSON is a piece of a message or of reasoning.
type textJSON struct {
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}

// responseJSON is the answer at its end.
type responseJSON struct {
	Status string            `json:"status"`
	Output []json.RawMessage `json:"output"`
	Error  json.RawMessage   `json:"error"`
	// Incomplete says why an answer is not whole.
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Usage *struct {
		Input        int `json:"input_tokens"`
		InputDetails struct {
			Cached int `json:"cached_tokens"`
		} `json:"input_tokens_details"`
		Output        int `json:"output_tokens"`
		OutputDetails struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	} `json:"usage"`
}

// usage is what the answer cost; nil where that is not said.
func (r responseJSON) usage() *message.Usage {
	if r.Usage == nil || r.Usage.Input+r.Usage.Output == 0 {
		return nil
	}
	return &message.Usage{
		Prompt: r.Usage.Input, Cached: r.Usage.InputDetails.Cached,
		Completion: r.Usage.Output, Reasoning: r.Usage.OutputDetails.Reasoning,
	}
}

// withoutNulls is an object without members that are null, which stand in what a provider
// sends and which it refuses in what it is sent.
func withoutNulls(raw json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if !bytes.Contains(raw, []byte("null")) || json.Unmarshal(raw, &members) != nil {
		return bytes.Clone(raw)
	}
	for name, value := range members {
		if string(value) == "null" {
			delete(members, name)
		}
	}
	return protocol.MustEncode(members)
}

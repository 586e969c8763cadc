package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// chunk is a piece of an answer as servers write it: the fields that matter,
// with types that take whatever comes.
type chunk struct {
	Choices []choice        `json:"choices"`
	Usage   *object[tokens] `json:"usage,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
	// Object is "error" in the chunks that older vLLM servers fail with.
	Object text `json:"object,omitempty"`
	// Base is MiniMax's way to fail.
	Base *struct {
		Code text `json:"status_code"`
	} `json:"base_resp,omitempty"`
	Groq *struct {
		Usage *object[tokens] `json:"usage"`
	} `json:"x_groq,omitempty"`
}

type choice struct {
	Index  number          `json:"index"`
	Delta  *delta          `json:"delta"`
	Finish text            `json:"finish_reason,omitempty"`
	Usage  *object[tokens] `json:"usage,omitempty"`
	// Message is the whole message of an answer that is no stream.
	Message *delta `json:"message,omitempty"`
}

type delta struct {
	Content          content `json:"content"`
	ReasoningContent text    `json:"reasoning_content,omitempty"`
	Reasoning        text    `json:"reasoning,omitempty"`
	Details          details `json:"reasoning_details,omitempty"`
	// Blocks is the thinking of Claude as LiteLLM passes it on.
	Blocks  details      `json:"thinking_blocks,omitempty"`
	Refusal text         `json:"refusal,omitempty"`
	Calls   callDeltas   `json:"tool_calls,omitempty"`
	Call    *functionUse `json:"function_call,omitempty"`
	// Extra is what some put here that belongs to the first call.
	Extra json.RawMessage `json:"extra_content,omitempty"`
}

// details are the entries of a list, whatever they are.
type details []json.RawMessage

// UnmarshalJSON implements json.Unmarshaler. What is no list is no detail.
func (d *details) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(data, []byte("[")) {
		return nil
	}
	return json.Unmarshal(data, (*[]json.RawMessage)(d))
}

// callDeltas are the entries of a list. Small proxies send one that stands alone.
type callDeltas []callDelta

// UnmarshalJSON implements json.Unmarshaler. What is empty, or no call at all, is none.
func (c *callDeltas) UnmarshalJSON(data []byte) error {
	switch {
	case bytes.HasPrefix(data, []byte("[")):
		return json.Unmarshal(data, (*[]callDelta)(c))
	case bytes.HasPrefix(data, []byte("{")):
		var only callDelta
		if err := json.Unmarshal(data, &only); err != nil {
			return fmt.Errorf("read a call: %w", err)
		}
		if only.ID != "" || only.Function != (functionUse{}) {
			*c = callDeltas{only}
		}
	}
	return nil
}

// SpecificFields is the name of what LiteLLM passes on with a call of what its provider
// wants back with it. It goes back under that name.
const SpecificFields = "provider_specific_fields"

type callDelta struct {
	// Index is left out where it is no count, unlike 0, which is a call's place.
	Index    json.RawMessage `json:"index,omitempty"`
	ID       text            `json:"id,omitempty"`
	Type     string          `json:"type"`
	Function functionUse     `json:"function"`
	// Extra is Gemini's, which wants it back with the call.
	Extra json.RawMessage `json:"extra_content,omitempty"`
	// Specific is where LiteLLM puts the same.
	Specific json.RawMessage `json:"provider_specific_fields,omitempty"`
}

type functionUse struct {
	Name      text `json:"name,omitempty"`
	Arguments text `json:"arguments"`
}

type tokens struct {
	Prompt       number               `json:"prompt_tokens"`
	Completion   number               `json:"completion_tokens"`
	Total        number               `json:"total_tokens"`
	PromptOf     object[promptOf]     `json:"prompt_tokens_details"`
	CompletionOf object[completionOf] `json:"completion_tokens_details"`
}

type promptOf struct {
	Cached number `json:"cached_tokens"`
}

type completionOf struct {
	Reasoning number `json:"reasoning_tokens"`
}

// hasError says that the chunk carries an error, which counts for more than all
// else in it.
func (c *chunk) hasError() bool {
	switch string(bytes.TrimSpace(c.Error)) {
	case "", "null", `""`, "{}":
		return c.Object == "error" || c.Base != nil && c.Base.Code != "" && c.Base.Code != "0"
	}
	return true
}

// fromMessages makes the deltas of an answer that is no stream.
func (c *chunk) fromMessages() {
	for i := range c.Choices {
		if c.Choices[i].Delta == nil {
			c.Choices[i].Delta = c.Choices[i].Message
		}
	}
}

// plainChunk returns the chunk with every field where the client library looks for it.
// What it has no field for is kept in fields.
func (c *chunk) plainChunk(fields *Fields) []byte {
	if c.Usage == nil && c.Groq != nil {
		c.Usage = c.Groq.Usage
	}
	for i := range c.Choices {
		choice := &c.Choices[i]
		if c.Usage == nil {
			c.Usage = choice.Usage
		}
		choice.Message, choice.Usage = nil, nil
		if choice.Delta == nil {
			choice.Delta = &delta{}
		}
		choice.Delta.settleDelta(fields)
	}
	c.Error, c.Base, c.Groq = nil, nil, nil
	data, err := json.Marshal(c)
	if err != nil {
		// Every field is a string or a number by now.
		panic(fmt.Sprintf("marshal repaired chunk: %v", err))
	}
	return data
}

// settleDelta gathers the reasoning in its one field and an old function call among
// the calls. A server that sends reasoning under several names means the same.
func (d *delta) settleDelta(fields *Fields) {
	if d.ReasoningContent == "" {
		d.ReasoningContent = d.Reasoning
	}
	if d.ReasoningContent == "" {
		d.ReasoningContent = text(d.Details.joinTexts())
	}
	if d.ReasoningContent == "" {
		d.ReasoningContent = text(d.Content.thinking)
	}
	for _, detail := range append(d.Details, d.Blocks...) {
		fields.details = append(fields.details, bytes.Clone(detail))
	}
	d.Reasoning, d.Details, d.Blocks = "", nil, nil
	if d.Call != nil && len(d.Calls) == 0 {
		d.Calls = callDeltas{{Function: *d.Call}}
	}
	d.Call = nil
	if len(d.Calls) > 0 && d.Calls[0].Extra == nil {
		d.Calls[0].Extra = d.Extra
	}
	d.Extra = nil
	for i := range d.Calls {
		d.Calls[i].settleCall(fields)
	}
}

func (c *callDelta) settleCall(fields *Fields) {
	c.Type = "function"
	if c.Extra == nil && bytes.Contains(c.Specific, []byte("thought_signature")) {
		c.Extra = fmt.Appendf(nil, `{%q:%s}`, SpecificFields, c.Specific)
	}
	c.Specific = nil
	if len(c.Extra) > 0 && !isNull(c.Extra) {
		c.Type = fields.keepExtra(c.Extra)
	}
	c.Extra = nil
	index, ok := readCount(c.Index)
	c.Index = nil
	if ok {
		c.Index = strconv.AppendInt(nil, int64(index), 10)
	}
}

// joinTexts is the text in the entries that have some.
func (d details) joinTexts() string {
	var all strings.Builder
	for _, raw := range d {
		var entry struct {
			Text    text `json:"text"`
			Summary text `json:"summary"`
		}
		// An entry of another form has no text.
		if json.Unmarshal(raw, &entry) == nil {
			all.WriteString(string(entry.Text + entry.Summary))
		}
	}
	return all.String()
}

// text is a string that may come as null, or as any other JSON value, which then
// stands for its own text: some servers send a call's arguments as an object.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(data []byte) error {
	switch {
	case isNull(data):
		*t = ""
	case isString(data):
		return json.Unmarshal(data, (*string)(t))
	default:
		*t = text(data)
	}
	return nil
}

// number is a count that may come as null, a float or a string. What is no count
// is 0: a reply is not lost over its bookkeeping.
type number int

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(data []byte) error {
	*n, _ = readCount(data)
	return nil
}

// readCount reads a number that is zero or more.
func readCount(data []byte) (n number, ok bool) {
	parsed, err := strconv.ParseFloat(strings.Trim(string(data), `"`), 64)
	if err != nil || !(parsed >= 0 && parsed <= 1<<53) {
		return 0, false
	}
	return number(parsed), true
}

// object is a T that is zero where anything but an object stands in its place.
type object[T any] struct{ value T }

// UnmarshalJSON implements json.Unmarshaler.
func (o *object[T]) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(data, []byte("{")) {
		return nil
	}
	return json.Unmarshal(data, &o.value)
}

// MarshalJSON implements json.Marshaler.
func (o object[T]) MarshalJSON() ([]byte, error) { return json.Marshal(o.value) }

// content is a message's content: text, or a list of text and thinking parts.
type content struct{ text, thinking string }

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(data, []byte("[")) {
		return (*text)(&c.text).UnmarshalJSON(data)
	}
	var parts []struct {
		Text     text    `json:"text"`
		Thinking content `json:"thinking"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return fmt.Errorf("read content parts: %w", err)
	}
	for _, part := range parts {
		c.text += string(part.Text)
		c.thinking += part.Thinking.text + part.Thinking.thinking
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (c content) MarshalJSON() ([]byte, error) { return json.Marshal(c.text) }

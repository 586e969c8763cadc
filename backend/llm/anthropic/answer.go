package anthropic

import (
	"encoding/json"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// answer gathers the events of one answer.
type answer struct {
	protocol.Answer

	// blocks are the blocks of the answer, in the order in which they began.
	blocks []*growingBlock
	// reason is why the answer ended; empty where that did not come.
	reason string
	usage  usageJSON
}

// growingBlock is a block that is being gathered.
type growingBlock struct {
	index int
	kind  string
	// text and signature are those of thinking, data is thinking that is encrypted.
	text, signature strings.Builder
	data            string
	id, name        string
	// arguments came in pieces, input whole.
	arguments strings.Builder
	input     json.RawMessage
}

// Add implements protocol.Reader.
func (a *answer) Add(data []byte, events *wire.Events) (ended bool, err error) {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return false, err
	}
	switch e.Type {
	case answerBegan:
		a.usage.fill(e.Message.Usage)
	case blockBegan:
		return false, a.beginBlock(e.Index, e.Block)
	case blockGrew:
		return false, a.growBlock(a.blockAt(e.Index), e.Delta)
	case answerEnds:
		a.usage.fill(e.Usage)
		if e.Delta.StopReason != "" {
			a.reason = e.Delta.StopReason
		}
	case answerEnded:
		return true, nil
	case wholeMessage:
		return true, a.takeWhole(data)
	case errorCame, "":
		return false, events.Failure(data)
	}
	return false, nil
}

// takeWhole takes an answer that is no stream.
func (a *answer) takeWhole(data []byte) error {
	var whole messageJSON
	if err := json.Unmarshal(data, &whole); err != nil {
		return err
	}
	a.usage.fill(whole.Usage)
	a.reason = whole.StopReason
	for i := range whole.Content {
		if err := a.beginBlock(i, &whole.Content[i]); err != nil {
			return err
		}
	}
	return nil
}

// blockAt is the block of an index, which begins as text where it did not before.
func (a *answer) blockAt(index int) *growingBlock {
	for _, b := range a.blocks {
		if b.index == index {
			return b
		}
	}
	b := &growingBlock{index: index, kind: textBlock}
	a.blocks = append(a.blocks, b)
	return b
}

// beginBlock takes a block as it begins, with what it has then.
func (a *answer) beginBlock(index int, said *blockJSON) error {
	if said == nil {
		return nil
	}
	b := a.blockAt(index)
	b.kind, b.id, b.name, b.data, b.input = said.Type, said.ID, said.Name, said.Data, said.Input
	if b.kind == callBlock {
		if err := a.BeginCall(); err != nil {
			return err
		}
		if err := a.CheckName(b.name); err != nil {
			return err
		}
	}
	if err := a.AddDetails(len(b.data)); err != nil {
		return err
	}
	return a.growBlock(b, deltaJSON{Text: said.Text, Thinking: said.Thinking, Signature: said.Signature})
}

// growBlock adds a piece to a block.
func (a *answer) growBlock(b *growingBlock, piece deltaJSON) error {
	if err := a.CheckItems(len(a.blocks)); err != nil {
		return err
	}
	if err := a.AddContent(piece.Text); err != nil {
		return err
	}
	if err := a.AddThought(piece.Thinking, b.text.Len() == 0); err != nil {
		return err
	}
	b.text.WriteString(piece.Thinking)
	b.signature.WriteString(piece.Signature)
	if piece.Arguments != "" {
		return a.AddArguments(&b.arguments, piece.Arguments)
	}
	return a.AddDetails(len(piece.Thinking) + len(piece.Signature))
}

// PartialReply implements protocol.Reader.
func (a *answer) PartialReply() llm.Reply {
	reply := a.Answer.PartialReply()
	reply.Usage = a.usage.usage()
	return reply
}

// WholeReply implements protocol.Reader. Calls decide how the answer finished, unless it was
// cut.
func (a *answer) WholeReply() (llm.Reply, error) {
	var calls []message.Call
	for _, b := range a.blocks {
		if b.kind == callBlock {
			arguments := b.arguments.String()
			if arguments == "" {
				arguments = string(b.input)
			}
			calls = append(calls, protocol.NewCall(b.id, b.name, arguments, true))
		}
	}
	reply, whole, err := a.Finish(wire.ReadFinish(a.reason), a.reason, calls)
	reply.Usage = a.usage.usage()
	if whole {
		reply.Details = a.keptBlocks()
	}
	return reply, err
}

// keptBlocks is the thinking as it goes back, with what and where the other blocks are. It
// is nil where there was none. Thinking without a signature cannot go back.
func (a *answer) keptBlocks() json.RawMessage {
	var kept []any
	thought := false
	for _, b := range a.blocks {
		switch b.kind {
		case thinkingBlock:
			if b.signature.Len() > 0 {
				kept = append(kept, keptThinking{b.signature.String(), b.text.String(), b.kind})
				thought = true
			}
		case redactedBlock:
			kept = append(kept, keptData{b.data, b.kind})
			thought = true
		case textBlock, callBlock:
			kept = append(kept, protocol.Entry{Type: b.kind})
		}
	}
	if !thought {
		return nil
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return nil // texts always encode
	}
	return text
}

// keptThinking and keptData are thinking as it goes back.
type keptThinking struct {
	Signature string `json:"signature"`
	Thinking  string `json:"thinking"`
	Type      string `json:"type"`
}

type keptData struct {
	Data string `json:"data"`
	Type string `json:"type"`
}

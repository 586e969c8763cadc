package anthropic

import (
	"encoding/json"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
)

// maxBlocks is the most blocks that an answer may have: its calls, and some beside each.
const maxBlocks = 4 * protocol.MaxCalls

// answer gathers the events of one answer.
type answer struct {
	protocol.Reply

	// blocks are the blocks of the answer, in the order in which they began.
	blocks []*growing
	// arguments and details are how many bytes of these came, and calls counts the calls.
	arguments, details, calls int
	// reason is why the answer ended; empty where nobody has said it.
	reason string
	usage  usageJSON
}

// growing is a block that is being gathered.
type growing struct {
	index           int
	kind            string
	id, name, data  string
	text, signature strings.Builder
	arguments       strings.Builder
	wholeArguments  json.RawMessage
}

// add takes an event, and reports whether the answer has ended.
func (a *answer) add(data []byte, events *wire.Events) (ended bool, err error) {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return false, err
	}
	if len(a.blocks) > maxBlocks {
		return false, protocol.TooLarge("more", maxBlocks, "blocks")
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
func (a *answer) blockAt(index int) *growing {
	for _, b := range a.blocks {
		if b.index == index {
			return b
		}
	}
	b := &growing{index: index, kind: textBlock}
	a.blocks = append(a.blocks, b)
	return b
}

// beginBlock takes a block as it begins, with what it has then.
func (a *answer) beginBlock(index int, said *blockJSON) error {
	if said == nil {
		return nil
	}
	b := a.blockAt(index)
	b.kind, b.id, b.name, b.data = said.Type, said.ID, said.Name, said.Data
	if b.kind == callBlock {
		if a.calls++; a.calls > protocol.MaxCalls {
			return protocol.TooLarge("more", protocol.MaxCalls, "calls")
		}
		if len(b.name) > protocol.MaxCallName {
			return protocol.TooLarge("a call with a longer name", protocol.MaxCallName>>10, "KiB")
		}
		b.wholeArguments = said.Input
		a.Receive(llm.Delta{Kind: llm.Activity, Call: true})
	}
	if b.kind == redactedBlock {
		return a.countDetails(len(b.data))
	}
	return a.growBlock(b, deltaJSON{Text: said.Text, Thinking: said.Thinking, Signature: said.Signature})
}

// growBlock adds a piece to a block.
func (a *answer) growBlock(b *growing, piece deltaJSON) error {
	if piece.Text != "" {
		if err := a.CheckSize(piece.Text, ""); err != nil {
			return err
		}
		a.AddText(piece.Text)
	}
	if piece.Thinking != "" {
		if err := a.addThinking(b, piece.Thinking); err != nil {
			return err
		}
	}
	b.signature.WriteString(piece.Signature)
	if piece.Arguments == "" {
		return a.countDetails(len(piece.Thinking) + len(piece.Signature))
	}
	b.arguments.WriteString(piece.Arguments)
	a.arguments += len(piece.Arguments)
	switch {
	case b.arguments.Len() > protocol.MaxArguments:
		return protocol.TooLarge("a call with longer arguments", protocol.MaxArguments>>20, "MiB")
	case a.arguments > protocol.MaxAllArguments:
		return protocol.TooLarge("calls with longer arguments together", protocol.MaxAllArguments>>20, "MiB")
	}
	a.Receive(llm.Delta{Kind: llm.Activity, Call: true})
	return nil
}

// addThinking adds a piece of thinking, as a paragraph where a block begins.
func (a *answer) addThinking(b *growing, text string) error {
	shown := text
	if b.text.Len() == 0 && a.Reasoning() != "" {
		shown = "\n\n" + text
	}
	if err := a.CheckSize("", shown); err != nil {
		return err
	}
	b.text.WriteString(text)
	a.AddReasoning(shown)
	return nil
}

// countDetails fails when more thinking came than can be kept.
func (a *answer) countDetails(size int) error {
	if a.details += size; a.details > protocol.MaxDetails {
		return protocol.TooLarge("more reasoning", protocol.MaxDetails>>20, "MiB")
	}
	if size > 0 {
		a.Receive(llm.Delta{Kind: llm.ReasoningDelta})
	}
	return nil
}

// partialReply is the answer as far as it came, without calls: nothing of it may run.
func (a *answer) partialReply() llm.Reply {
	return llm.Reply{Text: a.Text(), Reasoning: a.Reasoning(), Usage: a.usage.usage()}
}

// wholeReply is the whole answer, or how it broke off. Calls decide how it finished, unless
// it was cut.
func (a *answer) wholeReply() (llm.Reply, error) {
	reply := a.partialReply()
	finish := wire.ReadFinish(a.reason)
	switch finish {
	case wire.FinishNone:
		return reply, &llm.Error{Class: llm.Truncated, Message: "the answer stopped before its end", Hint: "try again"}
	case wire.FinishLength:
		reply.Finish = llm.FinishLength
		return reply, nil
	case wire.FinishFilter:
		reply.Finish = llm.FinishFilter
		return reply, nil
	}
	if err := finish.Err(a.reason); err != nil {
		return reply, err
	}
	reply.Details, reply.Finish = a.keptBlocks(), llm.FinishStop
	for _, b := range a.blocks {
		if b.kind == callBlock {
			arguments := b.arguments.String()
			if arguments == "" {
				arguments = string(b.wholeArguments)
			}
			reply.Calls = append(reply.Calls, protocol.NewCall(b.id, b.name, arguments, true))
			reply.Finish = llm.FinishCalls
		}
	}
	return reply, nil
}

// keptBlocks is the thinking as it goes back, with what and where the other blocks are. It
// is nil where there was none. Thinking without a signature cannot go back.
func (a *answer) keptBlocks() json.RawMessage {
	var kept []map[string]string
	thought := false
	for _, b := range a.blocks {
		switch b.kind {
		case thinkingBlock:
			if b.signature.Len() > 0 {
				kept = append(kept, map[string]string{"type": b.kind, "thinking": b.text.String(), "signature": b.signature.String()})
				thought = true
			}
		case redactedBlock:
			kept = append(kept, map[string]string{"type": b.kind, "data": b.data})
			thought = true
		case textBlock, callBlock:
			kept = append(kept, map[string]string{"type": b.kind})
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

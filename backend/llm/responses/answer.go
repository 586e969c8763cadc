package responses

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// maxItems is the most items that an answer may have: its calls, and some beside each.
const maxItems = 4 * protocol.MaxCalls

// answer gathers the events of one answer.
type answer struct {
	protocol.Reply

	// items are the items of the answer, in the order in which they began.
	items []*outputItem
	// arguments and details are how many bytes of these came.
	arguments, details int
	finish             wire.Finish
	reason             string
	usage              *message.Usage
}

// outputItem is an item that is being gathered.
type outputItem struct {
	index int
	id    string
	kind  string
	phase string
	// came is set once some of its text was streamed, which is then not taken from its end.
	came         bool
	callID, name string
	arguments    strings.Builder
	// kept is a reasoning item as it goes back; nil for nothing.
	kept json.RawMessage
}

// add takes an event, and reports whether the answer has ended.
func (a *answer) add(data []byte, events *wire.Events) (ended bool, err error) {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return false, err
	}
	if len(a.items) > maxItems {
		return false, protocol.TooLarge("more", maxItems, "items")
	}
	switch e.Type {
	case "":
		if e.Object != "response" {
			return false, events.Failure(data)
		}
		return true, a.takeWhole(data, events)
	case itemBegan, itemEnded:
		return false, a.addItem(e)
	case textCame, refusalCame:
		return false, a.addText(a.itemOf(e), e.Delta)
	case summaryCame, reasoningCame:
		return false, a.addReasoning(a.itemOf(e), e.Delta)
	case summaryBegan:
		if item := a.itemOf(e); item.came {
			return false, a.addReasoning(item, "\n\n")
		}
	case argumentsCame:
		return false, a.addArguments(a.itemOf(e), e.Delta)
	case answerWhole, answerCut, answerFailed, answerCancelled:
		return true, a.takeEnd(e.Type, e.Response, events)
	case errorCame:
		return false, events.Failure(data)
	}
	return false, nil
}

// itemOf is the item that an event is about, which begins with it where it did not before.
// An event that says nothing of that is about the last one.
func (a *answer) itemOf(e event) *outputItem {
	if last := len(a.items) - 1; last >= 0 && e.Index == nil && e.ItemID == "" {
		return a.items[last]
	}
	for _, item := range a.items {
		if e.Index != nil && *e.Index == item.index || e.Index == nil && e.ItemID != "" && e.ItemID == item.id {
			return item
		}
	}
	item := &outputItem{index: len(a.items), id: e.ItemID}
	if e.Index != nil {
		item.index = *e.Index
	}
	a.items = append(a.items, item)
	return item
}

// addItem takes the beginning or the end of an item.
func (a *answer) addItem(e event) error {
	var said outputItemJSON
	if err := json.Unmarshal(e.Item, &said); err != nil {
		return err
	}
	if e.ItemID == "" {
		e.ItemID = said.ID
	}
	item := a.itemOf(e)
	item.kind, item.id, item.phase = said.Type, said.ID, said.Phase
	if e.Type == itemBegan {
		return a.checkCall(item, said)
	}
	return a.endItem(item, said, e.Item)
}

// endItem takes what is said of an item at its end.
func (a *answer) endItem(item *outputItem, said outputItemJSON, raw json.RawMessage) error {
	switch said.Type {
	case messageItem:
		if item.came {
			return nil
		}
		for _, piece := range said.Content {
			if err := a.addText(item, piece.Text+piece.Refusal); err != nil {
				return err
			}
		}
	case reasoningItem:
		if !item.came {
			if err := a.addReasoning(item, joinTexts(append(said.Summary, said.Content...))); err != nil {
				return err
			}
		}
		return a.keepReasoning(item, said, raw)
	case callItem:
		if err := a.checkCall(item, said); err != nil {
			return err
		}
		if said.Arguments != "" {
			a.arguments -= item.arguments.Len()
			item.arguments.Reset()
			return a.addArguments(item, said.Arguments)
		}
	}
	return nil
}

// joinTexts joins the pieces of a reasoning as paragraphs.
func joinTexts(pieces []textJSON) string {
	var texts []string
	for _, piece := range pieces {
		if piece.Text != "" {
			texts = append(texts, piece.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// keepReasoning keeps a reasoning item that can go back: what is neither encrypted nor
// written out is nothing that the provider could go on with.
func (a *answer) keepReasoning(item *outputItem, said outputItemJSON, raw json.RawMessage) error {
	encrypted := len(said.Encrypted) > 0 && !bytes.Equal(said.Encrypted, []byte("null")) && string(said.Encrypted) != `""`
	if !encrypted && len(said.Content) == 0 {
		return nil
	}
	if a.details += len(raw); a.details > protocol.MaxDetails {
		return protocol.TooLarge("more reasoning", protocol.MaxDetails>>20, "MiB")
	}
	item.kept = withoutNulls(raw)
	a.Receive(llm.Delta{Kind: llm.ReasoningDelta})
	return nil
}

// checkCall takes the name and the id of a call.
func (a *answer) checkCall(item *outputItem, said outputItemJSON) error {
	if said.Type != callItem {
		return nil
	}
	if said.Name != "" {
		item.name = said.Name
	}
	if said.CallID != "" {
		item.callID = said.CallID
	}
	if len(item.name) > protocol.MaxCallName {
		return protocol.TooLarge("a call with a longer name", protocol.MaxCallName>>10, "KiB")
	}
	if calls := slices.DeleteFunc(slices.Clone(a.items), func(i *outputItem) bool { return i.kind != callItem }); len(calls) > protocol.MaxCalls {
		return protocol.TooLarge("more", protocol.MaxCalls, "calls")
	}
	a.Receive(llm.Delta{Kind: llm.Activity, Call: true})
	return nil
}

func (a *answer) addText(item *outputItem, text string) error {
	if err := a.CheckSize(text, ""); err != nil {
		return err
	}
	item.came = item.came || text != ""
	a.AddText(text)
	return nil
}

// addReasoning adds a piece of reasoning, as a paragraph where an item begins.
func (a *answer) addReasoning(item *outputItem, text string) error {
	if text == "" {
		return nil
	}
	if !item.came && a.Reasoning() != "" {
		text = "\n\n" + text
	}
	if err := a.CheckSize("", text); err != nil {
		return err
	}
	item.came = true
	a.AddReasoning(text)
	return nil
}

func (a *answer) addArguments(item *outputItem, piece string) error {
	item.arguments.WriteString(piece)
	a.arguments += len(piece)
	switch {
	case item.arguments.Len() > protocol.MaxArguments:
		return protocol.TooLarge("a call with longer arguments", protocol.MaxArguments>>20, "MiB")
	case a.arguments > protocol.MaxAllArguments:
		return protocol.TooLarge("calls with longer arguments together", protocol.MaxAllArguments>>20, "MiB")
	}
	a.Receive(llm.Delta{Kind: llm.Activity, Call: true})
	return nil
}

// takeWhole takes an answer that is no stream.
func (a *answer) takeWhole(data []byte, events *wire.Events) error {
	var whole responseJSON
	if err := json.Unmarshal(data, &whole); err != nil {
		return err
	}
	return a.takeEnd("response."+whole.Status, data, events)
}

// takeEnd takes the answer at its end. Its items came before, but from services that send
// nothing else.
func (a *answer) takeEnd(kind string, raw json.RawMessage, events *wire.Events) error {
	var end responseJSON
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &end); err != nil {
			return err
		}
	}
	a.usage = end.usage()
	if len(a.items) == 0 {
		for i, raw := range end.Output {
			if err := a.addItem(event{Type: itemEnded, Index: &i, Item: raw}); err != nil {
				return err
			}
		}
	}
	if len(end.Error) > 0 && string(end.Error) != "null" {
		return events.Failure(fmt.Appendf(nil, `{"error":%s}`, end.Error))
	}
	switch kind {
	case answerWhole:
		a.finish = wire.FinishWhole
	case answerCut:
		a.reason = end.Incomplete.Reason
		if a.finish = wire.ReadFinish(a.reason); a.finish.IsWhole() {
			a.finish = wire.FinishUnknown
		}
	default:
		a.finish, a.reason = wire.FinishFailed, "error"
	}
	return nil
}

// partialReply is the answer as far as it came, without calls: nothing of it may run.
func (a *answer) partialReply() llm.Reply {
	return llm.Reply{Text: a.Text(), Reasoning: a.Reasoning(), Usage: a.usage}
}

// wholeReply is the whole answer. Calls decide how it finished, unless it was cut.
func (a *answer) wholeReply() (llm.Reply, error) {
	reply := a.partialReply()
	switch a.finish {
	case wire.FinishLength:
		reply.Finish = llm.FinishLength
		return reply, nil
	case wire.FinishFilter:
		reply.Finish = llm.FinishFilter
		return reply, nil
	}
	if err := a.finish.Err(a.reason); err != nil {
		return reply, err
	}
	reply.Details, reply.Finish = a.keptItems(), llm.FinishStop
	for _, item := range a.items {
		if item.kind == callItem {
			reply.Calls = append(reply.Calls, protocol.NewCall(item.callID, item.name, item.arguments.String(), true))
			reply.Finish = llm.FinishCalls
		}
	}
	return reply, nil
}

// keptItems is the reasoning as it goes back, with what and where the other items are:
// each reasoning must stand before what it led to. It is nil where there is nothing to keep.
func (a *answer) keptItems() json.RawMessage {
	var kept []any
	worth := false
	for _, item := range a.items {
		switch item.kind {
		case reasoningItem:
			if item.kept != nil {
				kept, worth = append(kept, item.kept), true
			}
		case messageItem, callItem:
			kept = append(kept, keptItem{Type: item.kind, Phase: item.phase})
			worth = worth || item.phase != ""
		}
	}
	if !worth {
		return nil
	}
	return mustEncode(kept)
}

func mustEncode(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		// Every value is a string, or JSON that was read.
		panic(fmt.Sprintf("marshal what is kept of an answer: %v", err))
	}
	return text
}

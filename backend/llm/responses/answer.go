package responses

import (
	"encoding/json"
	"fmt"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// answer gathers the events of one answer.
type answer struct {
	protocol.Answer

	// items are the items of the answer, in the order in which they began.
	items []*growingItem
	// finish is how the answer ended, and reason is why; none where that did not come.
	finish wire.Finish
	reason string
	usage  *message.Usage
}

// growingItem is an item that is being gathered.
type growingItem struct {
	index int
	id    string
	kind  string
	phase string
	// streamed is set once some of its text came in pieces, which is then not taken from its
	// end.
	streamed     bool
	callID, name string
	arguments    strings.Builder
	// kept is a reasoning item as it goes back; nil for nothing.
	kept json.RawMessage
}

// Add implements protocol.Reader.
func (a *answer) Add(data []byte, events *wire.Events) (ended bool, err error) {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return false, err
	}
	if err := a.CheckItems(len(a.items)); err != nil {
		return false, err
	}
	switch e.Type {
	case "":
		if e.Object != "response" {
			return false, events.Failure(data)
		}
		return true, a.takeWhole(data, events)
	case itemBegan, itemEnded:
		return false, a.takeItem(e)
	case textCame, refusalCame:
		return false, a.addText(a.itemOf(e), e.Delta)
	case summaryCame, reasoningCame:
		return false, a.addReasoning(a.itemOf(e), e.Delta)
	case summaryBegan:
		if a.itemOf(e).streamed {
			return false, a.AddThought("\n\n", false)
		}
	case argumentsCame:
		return false, a.AddArguments(&a.itemOf(e).arguments, e.Delta)
	case answerWhole, answerCut, answerFailed, answerCancelled:
		return true, a.takeEnd(e.Type, e.Response, events)
	case errorCame:
		return false, events.Failure(data)
	}
	return false, nil
}

// itemOf is the item that an event is about, which begins with it where it did not before.
// An event that names none is about the last one.
func (a *answer) itemOf(e event) *growingItem {
	if last := len(a.items) - 1; last >= 0 && e.Index == nil && e.ItemID == "" {
		return a.items[last]
	}
	for _, item := range a.items {
		if e.Index != nil && *e.Index == item.index || e.Index == nil && e.ItemID != "" && e.ItemID == item.id {
			return item
		}
	}
	item := &growingItem{index: len(a.items), id: e.ItemID}
	if e.Index != nil {
		item.index = *e.Index
	}
	a.items = append(a.items, item)
	return item
}

// takeItem takes the beginning or the end of an item.
func (a *answer) takeItem(e event) error {
	var said outputItemJSON
	if err := json.Unmarshal(e.Item, &said); err != nil {
		return err
	}
	if e.ItemID == "" {
		e.ItemID = said.ID
	}
	item := a.itemOf(e)
	if said.Type == callItem {
		if err := a.takeCall(item, said); err != nil {
			return err
		}
	}
	item.kind, item.id, item.phase = said.Type, said.ID, said.Phase
	if e.Type == itemBegan {
		return nil
	}
	switch said.Type {
	case messageItem:
		return a.takeText(item, said)
	case reasoningItem:
		return a.takeReasoning(item, said, e.Item)
	}
	return nil
}

// takeCall takes the name, the id and the arguments of a call, as far as they are there.
func (a *answer) takeCall(item *growingItem, said outputItemJSON) error {
	if item.kind != callItem {
		if err := a.BeginCall(); err != nil {
			return err
		}
	}
	if said.Name != "" {
		item.name = said.Name
	}
	if said.CallID != "" {
		item.callID = said.CallID
	}
	if err := a.CheckName(item.name); err != nil || said.Arguments == "" {
		return err
	}
	return a.ReplaceArguments(&item.arguments, said.Arguments)
}

// takeText takes the text of a message that was not streamed.
func (a *answer) takeText(item *growingItem, said outputItemJSON) error {
	if item.streamed {
		return nil
	}
	for _, piece := range said.Content {
		if err := a.addText(item, piece.Text+piece.Refusal); err != nil {
			return err
		}
	}
	return nil
}

// takeReasoning takes reasoning at its end, and keeps it if it can go back: what is neither
// encrypted nor written out is nothing that the provider could go on with.
func (a *answer) takeReasoning(item *growingItem, said outputItemJSON, raw json.RawMessage) error {
	if !item.streamed {
		if err := a.addReasoning(item, joinTexts(append(said.Summary, said.Content...))); err != nil {
			return err
		}
	}
	if said.Encrypted == "" && len(said.Content) == 0 {
		return nil
	}
	item.kept = withoutNulls(raw)
	return a.AddDetails(len(raw))
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

func (a *answer) addText(item *growingItem, text string) error {
	item.streamed = item.streamed || text != ""
	return a.AddContent(text)
}

func (a *answer) addReasoning(item *growingItem, text string) error {
	begins := !item.streamed
	item.streamed = item.streamed || text != ""
	return a.AddThought(text, begins)
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
			if err := a.takeItem(event{Type: itemEnded, Index: &i, Item: raw}); err != nil {
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

// PartialReply implements protocol.Reader.
func (a *answer) PartialReply() llm.Reply {
	reply := a.Answer.PartialReply()
	reply.Usage = a.usage
	return reply
}

// WholeReply implements protocol.Reader. Calls decide how the answer finished, unless it was
// cut.
func (a *answer) WholeReply() (llm.Reply, error) {
	var calls []message.Call
	for _, item := range a.items {
		if item.kind == callItem {
			calls = append(calls, protocol.NewCall(item.callID, item.name, item.arguments.String(), true))
		}
	}
	reply, whole, err := a.Finish(a.finish, a.reason, calls)
	reply.Usage = a.usage
	if whole {
		reply.Details = a.keptItems()
	}
	return reply, err
}

// keptItems is the reasoning as it goes back, with what and where the other items are. It
// is nil where there is nothing to keep.
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
			kept = append(kept, protocol.Entry{Type: item.kind, Phase: item.phase})
			worth = worth || item.phase != ""
		}
	}
	if !worth {
		return nil
	}
	return protocol.MustEncode(kept)
}

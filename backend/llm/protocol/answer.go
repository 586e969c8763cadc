package protocol

import (
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// Answer is what readers of all protocols gather of an answer, within its bounds.
type Answer struct {
	Reply

	// calls counts the calls, arguments and details the bytes of these.
	calls, arguments, details int
}

// MaxItems is the most items, or blocks, that an answer may have: its calls, and some
// beside each.
const MaxItems = 4 * MaxCalls

// CheckItems fails when an answer has more than it may.
func (a *Answer) CheckItems(items int) error {
	if items > MaxItems {
		return TooLarge("more", MaxItems, "parts")
	}
	return nil
}

// BeginCall counts a call.
func (a *Answer) BeginCall() error {
	if a.calls++; a.calls > MaxCalls {
		return TooLarge("more", MaxCalls, "calls")
	}
	return nil
}

// CheckName takes a piece of a call: its name.
func (a *Answer) CheckName(name string) error {
	if len(name) > MaxCallName {
		return TooLarge("a call with a longer name", MaxCallName>>10, "KiB")
	}
	a.Receive(llm.Delta{Kind: llm.Activity, Call: true})
	return nil
}

// AddArguments adds a piece of a call's arguments to those that came.
func (a *Answer) AddArguments(came *strings.Builder, piece string) error {
	came.WriteString(piece)
	a.arguments += len(piece)
	switch {
	case came.Len() > MaxArguments:
		return TooLarge("a call with longer arguments", MaxArguments>>20, "MiB")
	case a.arguments > MaxAllArguments:
		return TooLarge("calls with longer arguments together", MaxAllArguments>>20, "MiB")
	}
	a.Receive(llm.Delta{Kind: llm.Activity, Call: true})
	return nil
}

// ReplaceArguments puts arguments in the place of those that came.
func (a *Answer) ReplaceArguments(came *strings.Builder, whole string) error {
	a.arguments -= came.Len()
	came.Reset()
	return a.AddArguments(came, whole)
}

// AddDetails counts bytes of reasoning in the form that goes back.
func (a *Answer) AddDetails(size int) error {
	if a.details += size; a.details > MaxDetails {
		return TooLarge("more reasoning", MaxDetails>>20, "MiB")
	}
	if size > 0 {
		a.Receive(llm.Delta{Kind: llm.ReasoningDelta})
	}
	return nil
}

// AddThought adds a piece of reasoning, as a paragraph of its own where begins is set.
func (a *Answer) AddThought(text string, begins bool) error {
	if text == "" {
		return nil
	}
	if begins && a.reasoning.Len() > 0 {
		text = "\n\n" + text
	}
	if err := a.CheckSize("", text); err != nil {
		return err
	}
	a.AddReasoning(text)
	return nil
}

// PartialReply is the answer as far as it came, without calls.
func (a *Answer) PartialReply() llm.Reply {
	reply, _ := a.Close(a.Rest())
	return reply
}

// Finish completes the answer as Reply does. One without a reason to end broke off.
func (a *Answer) Finish(finish wire.Finish, reason string, calls []message.Call) (reply llm.Reply, whole bool, err error) {
	if finish == wire.FinishNone {
		return a.PartialReply(), false, &llm.Error{Class: llm.Truncated, Message: "the answer stopped before its end", Hint: "try again"}
	}
	return a.Reply.Finish(finish, reason, calls)
}

package protocol

import (
	"slices"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// Reply gathers the text and the reasoning of a reply, tells of them as they come, and keeps
// them within llm.MaxText. Reasoning and calls that the model has written into its text are
// found there, whatever the protocol (SPEC MOD-07).
type Reply struct {
	// Receive is told of what comes.
	Receive func(llm.Delta)

	tools   []llm.Tool
	content content

	text, reasoning strings.Builder
}

// NewReply returns an empty reply to a request with these tools, in a dialect.
func NewReply(tools []llm.Tool, dialect llm.Dialect, receive func(llm.Delta)) Reply {
	return Reply{Receive: receive, tools: tools, content: newContent(dialect, len(tools) > 0)}
}

// AddContent takes a piece of the text as the model wrote it.
func (r *Reply) AddContent(text string) error {
	if text == "" {
		return nil
	}
	news := r.content.add(text)
	if news.recalled {
		r.recallText()
	}
	if err := r.CheckSize(news.text, news.reasoning); err != nil {
		return err
	}
	r.AddReasoning(news.reasoning)
	r.addText(news.text)
	if news == (sorted{}) {
		r.Receive(llm.Delta{Kind: llm.TextDelta})
	}
	if r.content.calls.Len() > MaxAllArguments {
		return TooLarge("calls with longer arguments together", MaxAllArguments>>20, "MiB")
	}
	return nil
}

// Rest is the text from where a call may begin, which was not told of yet.
func (r *Reply) Rest() string { return r.content.calls.String() }

// Close tells of what was held back of the text, and of what is left of the rest, and returns
// the reply without its calls. It fails where that is longer than a reply may be, and
// leaves the rest out then.
func (r *Reply) Close(rest string) (llm.Reply, error) {
	err := r.CheckSize(r.content.held+rest, "")
	if err != nil {
		rest = ""
	}
	text, reasoning := r.content.releaseRest()
	r.AddReasoning(reasoning)
	r.addText(text + rest)
	return llm.Reply{Text: r.text.String(), Reasoning: r.reasoning.String()}, err
}

// Finish completes the reply, which ended for a reason, with the calls that came as such;
// where there are none, those in its text are read. whole reports whether the reply is
// whole: of another one no call may run.
func (r *Reply) Finish(finish wire.Finish, reason string, calls []message.Call) (reply llm.Reply, whole bool, err error) {
	for i := range calls {
		calls[i].Name = offeredName(calls[i].Name, r.tools)
	}
	rest, leaked := r.Rest(), false
	if len(calls) == 0 && finish.IsWhole() {
		calls, rest, leaked = r.readCalls()
	}
	if len(calls) > MaxCalls {
		reply, _ = r.Close("")
		return reply, false, TooLarge("more", MaxCalls, "calls")
	}
	if reply, err = r.Close(rest); err != nil {
		return reply, false, err
	}
	switch finish {
	case wire.FinishLength:
		if r.namesTool(rest) {
			r.Receive(llm.Delta{Kind: llm.Activity, Call: true})
		}
		reply.Finish = llm.FinishLength
		return reply, false, nil
	case wire.FinishFilter:
		reply.Finish = llm.FinishFilter
		return reply, false, nil
	case wire.FinishMalformed:
		if strings.TrimSpace(reply.Text) == "" {
			reply.Finish = llm.FinishStop
			return reply, false, nil // an empty reply: the model is told so, which helps more than to ask again
		}
	}
	if err := finish.Err(reason); err != nil {
		return reply, false, err
	}
	reply.Finish = llm.FinishStop
	if leaked {
		return reply, false, &llm.Error{
			Class: llm.Leaked, Message: "the model wrote a call into its text, in a form that cannot be read",
			Hint: "try again, or use another model or server",
		}
	}
	if reply.Calls = calls; len(calls) > 0 {
		reply.Finish = llm.FinishCalls
	}
	return reply, true, nil
}

// readCalls takes the calls out of the rest, of which it returns what is no call. leaked
// reports whether there is a call of the model's own family that cannot be read.
func (r *Reply) readCalls() (calls []message.Call, rest string, leaked bool) {
	rest = r.Rest()
	switch {
	case rest == "":
		return nil, "", false
	case r.content.written:
		calls, rest = writtenCalls(rest, r.tools)
		return calls, rest, false
	}
	calls, rest, ok := familyCalls(rest, r.tools, r.content.family)
	return calls, rest, !ok
}

// namesTool reports whether a text in which a call may be written names a tool.
func (r *Reply) namesTool(text string) bool {
	return slices.ContainsFunc(r.tools, func(t llm.Tool) bool { return strings.Contains(text, t.Name) })
}

// CheckSize fails when the reply would exceed what it may hold with these.
func (r *Reply) CheckSize(text, reasoning string) error {
	if r.text.Len()+len(text) > llm.MaxText {
		return TooLarge("more text", llm.MaxText>>20, "MiB")
	}
	if r.reasoning.Len()+len(reasoning) > llm.MaxText {
		return TooLarge("more reasoning", llm.MaxText>>20, "MiB")
	}
	return nil
}

// addText adds a piece of text, which CheckSize has passed.
func (r *Reply) addText(text string) {
	if text != "" {
		r.text.WriteString(text)
		r.Receive(llm.Delta{Kind: llm.TextDelta, Text: text})
	}
}

// AddReasoning adds a piece of reasoning, which CheckSize has passed.
func (r *Reply) AddReasoning(text string) {
	if text != "" {
		r.reasoning.WriteString(text)
		r.Receive(llm.Delta{Kind: llm.ReasoningDelta, Text: text})
	}
}

// recallText makes reasoning of all text so far.
func (r *Reply) recallText() {
	text := r.text.String()
	r.text.Reset()
	if text != "" {
		r.reasoning.WriteString(text)
		r.Receive(llm.Delta{Kind: llm.TextRecalled, Text: text})
	}
}
